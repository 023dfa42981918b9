// Members that report that an agent waits in a circle.
#include "member.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>

namespace coracle::trust {

using namespace detail;

BOOST_AUTO_TEST_SUITE(circles)

BOOST_AUTO_TEST_CASE(nobody_else_can_say_that_an_agent_waits_in_a_circle) {
  Lab lab;
  const LeaseId eve = lab.join(), ann = lab.join();
  lab.claim(eve, "eve");
  lab.claim(ann, "ann");
  std::optional<Errc> error;
  lab.start("bob", [&error](Agent& me) -> Task<> {
    for (int time = 0; time < 3; ++time) {
      try {
        (void)co_await me.ask(Name("ann"), "?", 1s);
      } catch (const Error& failed) {
        error = failed.errc();
      }
    }
    error.reset();
    try {
      (void)co_await me.ask(Name("ann"), "?", 100s);
    } catch (const Error& failed) {
      error = failed.errc();
    }
  });
  lab.run(5s);
  BOOST_TEST(!error.has_value());  // the fourth is under way
  for (std::uint64_t token = 0; token <= 1000; ++token)
    lab.send(eve,
             Frame(probe_frame).name("bob").number(token).name("bob").number(0).text("").bytes());
  BOOST_TEST(!error.has_value());
  BOOST_TEST(!lab.is_refused(eve));
  // The node trusts a probe that returns to its origin.
  BOOST_TEST_REQUIRE(lab.count(ann, probe_frame) != 0U);
  const Bytes asked = lab.last(ann, probe_frame);
  FrameReader in(asked);
  (void)in.byte();
  if (in.number() < first_number) (void)in.text();
  const std::uint64_t token = in.number();
  lab.send(ann,
           Frame(probe_frame).name("bob").number(token).name("bob").number(1).text("").bytes());
  BOOST_TEST((error == Errc::deadlock));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
