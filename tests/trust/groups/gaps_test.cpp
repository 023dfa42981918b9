// A gap of unknown size goes to an eavesdropper when a member is gone, unless the member has left
// in order.
#include "member.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

namespace coracle::trust {

namespace {

struct Listening {
  Listening() {
    lab.start("spy", [this](Agent& me) -> Task<> {
      (void)co_await me.overhear(Pattern());
      for (;;) {
        const Message message = co_await me.receive();
        gaps.push_back(message.gap());
      }
    });
    lab.run(1s);
  }

  std::vector<std::uint64_t> gaps;
  Lab lab;
  LeaseId eve = lab.join();
};

}  // namespace

BOOST_AUTO_TEST_SUITE(gaps)

// The member's farewell may be read before the directory announces its end.
BOOST_FIXTURE_TEST_CASE(who_leaves_in_order_leaves_no_gap_whichever_word_comes_first, Listening) {
  lab.transport().lose(eve);
  lab.run(1s);
  lab.end(eve, EndReason::stopped);
  lab.run(1s);
  const LeaseId ann = lab.join();
  lab.end(ann, EndReason::stopped);
  lab.transport().lose(ann);
  lab.run(1s);
  BOOST_TEST(gaps.empty());
}

BOOST_FIXTURE_TEST_CASE(who_dies_leaves_one_gap_of_unknown_size, Listening) {
  lab.transport().lose(eve);
  lab.end(eve);
  lab.run(1s);
  BOOST_TEST(gaps == std::vector<std::uint64_t>{MessageView::unknown_gap});
}

BOOST_FIXTURE_TEST_CASE(who_was_out_of_reach_and_is_back_leaves_one, Listening) {
  lab.transport().lose(eve);
  lab.run(1s);
  BOOST_TEST(gaps.empty());
  lab.transport().bring_back(eve);
  lab.run(1s);
  BOOST_TEST(gaps == std::vector<std::uint64_t>{MessageView::unknown_gap});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
