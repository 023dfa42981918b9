// A node keeps the order of each pair behind its large messages, whatever late frames a member
// sends about them.
#include "member.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::trust {

BOOST_AUTO_TEST_SUITE(apart)

struct LargeSender {
  LargeSender() {
    lab.claim(eve, "eve");
    lab.start("ann", [](Agent& me) -> Task<> {
      for (;;) co_await me.send("eve", std::string((co_await me.receive()).text()));
    });
  }
  // Ann sends the text to eve; returns the number of frames that were sent apart by then.
  std::size_t says(const std::string& text) {
    lab.start("teller", [text](Agent& me) -> Task<> { co_await me.send("ann", text); });
    lab.run();
    return lab.transport().apart.size();
  }

  const std::string large = std::string(1u << 20, 'x');
  Lab lab;
  const LeaseId eve = lab.join();
};

BOOST_FIXTURE_TEST_CASE(what_is_small_waits_until_the_large_one_has_gone, LargeSender) {
  BOOST_TEST(says("first") == 0u);
  BOOST_TEST(says(large) == 1u);
  BOOST_TEST(says("behind it") == 2u);
  lab.transport().let_apart_go(eve, lab.transport().apart.front());
  BOOST_TEST(says("the second has not gone") == 3u);
  lab.transport().let_apart_go(eve, lab.transport().apart.back());
  BOOST_TEST(says("in its order") == 3u);
}

BOOST_FIXTURE_TEST_CASE(news_of_an_earlier_one_that_comes_late_lets_nothing_overtake, LargeSender) {
  BOOST_TEST(says(large) == 1u);
  lab.transport().lose(eve);
  lab.transport().bring_back(eve);
  lab.run();
  const std::size_t before = lab.transport().apart.size();
  BOOST_TEST(says(large) == before + 1);
  lab.transport().let_apart_go(eve, lab.transport().apart.front());
  BOOST_TEST(says("behind it") == before + 2);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
