// Inspections among members that lie: the agent comes from the holder of its name, and from nobody
// else.
#include "coracle/inspection.hpp"

#include "inspection/inspection_parts.hpp"
#include "member.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>

namespace coracle::trust {

using namespace detail;

namespace {

// An agent of this node inspects "ann", which eve holds; bob is another member.
struct Inspecting {
  Inspecting() {
    lab.claim(eve, "ann");
    lab.start("main", [this](Agent& me) -> Task<> {
      Task<Inspection> inspecting = inspect(me, "ann");
      found = co_await inspecting;
    });
  }
  std::uint64_t token(LeaseId member) {
    const Bytes asked = lab.last(member, look_frame);
    FrameReader in(asked);
    (void)in.byte();
    return in.number();
  }
  void answer(LeaseId member, const char* state) {
    Inspection part;
    part.activity = Activity::runs;
    part.state = state;
    part.waiting = 1;
    part.messages.resize(1);
    Bytes frame = Frame(inspection_frame).number(token(member)).bytes();
    FrameWriter out(frame);
    write_inspection(out, part);
    lab.send(member, frame);
  }

  std::optional<Inspection> found;  // outlives the agent, which may write it when its node ends
  Lab lab;
  LeaseId eve = lab.join(), bob = lab.join();
};

}  // namespace

BOOST_AUTO_TEST_SUITE(inspections)

BOOST_FIXTURE_TEST_CASE(the_agent_comes_from_its_holder_whoever_answers_first, Inspecting) {
  BOOST_TEST_REQUIRE(lab.count(bob, look_frame) == 1U);
  answer(bob, "a lie");
  answer(bob, "another lie");
  BOOST_TEST(!found.has_value());
  answer(eve, "the truth");
  lab.run(2s);
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(found->state == "the truth");
  BOOST_TEST(found->lease == eve);
  BOOST_TEST(found->waiting == 2U);
}

BOOST_FIXTURE_TEST_CASE(an_agent_whose_node_does_not_reply_is_silent, Inspecting) {
  answer(bob, "a lie");
  lab.run(3s);
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST((found->activity == Activity::silent));
  BOOST_TEST(found->state.empty());
  BOOST_TEST(!lab.is_refused(bob));
}

BOOST_FIXTURE_TEST_CASE(a_part_beyond_its_limits_makes_no_sense, Inspecting) {
  Frame frame(inspection_frame);
  frame.number(token(eve)).number(0).number(InspectionLimits::messages + 1);
  lab.send(eve, frame.bytes());
  BOOST_TEST(lab.is_refused(eve));
}

BOOST_AUTO_TEST_CASE(an_inspection_under_way_ends_with_its_node_and_leaves_nothing) {
  for (const Duration patience : {Duration(0), Duration(1s)}) {
    const auto kept = std::make_shared<int>();  // by the frame of the agent
    std::optional<Inspection> found;
    Lab lab;
    const LeaseId eve = lab.join();
    lab.claim(eve, "ann");
    lab.start("main", [&found, kept](Agent& me) -> Task<> {
      const auto copy = kept;
      Task<Inspection> inspecting = inspect(me, "ann");
      found = co_await inspecting;
    });
    BOOST_TEST(lab.count(eve, look_frame) == 1U);
    BOOST_TEST(!found.has_value());
    BOOST_TEST(kept.use_count() > 1);
    lab.node().stop(patience);
    BOOST_TEST(kept.use_count() == 1);
    BOOST_TEST_REQUIRE(found.has_value());
    BOOST_TEST((found->activity == Activity::silent));
  }
}

BOOST_FIXTURE_TEST_CASE(a_member_that_looks_all_the_time_is_denied, Inspecting) {
  for (std::uint64_t token = 1; token <= 17; ++token)
    lab.send(eve, Frame(look_frame).number(token).text("main").bytes());
  BOOST_TEST(lab.count(eve, inspection_frame) == 16U);
  BOOST_TEST(lab.count(eve, denied_frame) == 1U);
  lab.run(2s);
  lab.send(eve, Frame(look_frame).number(18).text("main").bytes());
  BOOST_TEST(lab.count(eve, inspection_frame) == 17U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
