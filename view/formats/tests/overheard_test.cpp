#include "coracle/formats/overheard.hpp"

#include "coracle/realizations/sim.hpp"
#include "coracle/testing/actor.hpp"
#include "support/societies/test_society.hpp"

#include "coracle/coracle.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::test {

using namespace std::chrono_literals;

using formats::Kind;
using formats::OverheardStory;
using formats::Story;

namespace {

// Lets `me` overhear what two members of a group and another agent talk, until all has ended.
void talk(OverheardStory& story) {
  sim::World world{sim::Options()};
  Society society(world.realization(0), quick());
  society.run([&](Agent& me) -> Task<> {
    const auto member = [](Agent& its) -> Task<> {
      co_await its.join(group("square"));
      const Message first = co_await its.receive();
      if (first.is_request()) co_await its.reply(first, "noon");
      co_await its.receive();
    };
    co_await start_here(me, "ann", member);
    co_await start_here(me, "bob", member);
    co_await me.pause(1ms);
    const Tap tap = co_await me.overhear(Pattern(), TapOptions{.outcomes = true});
    co_await me.ask("ann", "the time?");
    co_await me.send("bob", "hello");
    co_await me.multicast(group("square"), "news");
    std::size_t ends = 0;
    while (ends < 5) {
      const Message message = co_await me.receive(overheard_by(tap));
      const auto notice = message.notice();
      if (notice && notice->stage == NoticeStage::ended) ++ends;
      BOOST_TEST(story.add(message, me.name(), Time(1s)));
    }
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(overheard)

BOOST_AUTO_TEST_CASE(copies_and_notices_become_messages_with_outcomes_one_for_each_member) {
  OverheardStory overheard{Time(1s)};
  talk(overheard);
  BOOST_TEST(overheard.has_ended());
  const Story story = overheard.take(Time(1s));
  BOOST_TEST_REQUIRE(story.messages.size() == 5u);
  for (const auto& each : story.messages) BOOST_TEST((each.outcome == Outcome::consumed));
  BOOST_TEST((story.messages[0].kind == Kind::request));
  BOOST_TEST((story.messages[1].kind == Kind::reply));
  BOOST_TEST(story.messages[1].answers == story.messages[0].id);
  BOOST_TEST(story.messages[1].content == "noon");
  for (const std::size_t i : {3u, 4u}) BOOST_TEST(story.messages[i].group.view() == "square");
  BOOST_TEST(overheard.waiting() == 0u);
}

BOOST_AUTO_TEST_CASE(a_message_to_a_group_is_taken_a_second_after_its_last_notice) {
  OverheardStory overheard{Time(1s)};
  talk(overheard);
  BOOST_TEST(overheard.take_ended(Time(1s), 100).messages.size() == 3u);
  BOOST_TEST(overheard.take_ended(Time(2s), 100).messages.size() == 2u);
}

BOOST_AUTO_TEST_CASE(messages_beyond_the_limit_are_gaps) {
  OverheardStory overheard(Time(1s), {.messages = 0});
  sim::World world{sim::Options()};
  Society society(world.realization(0), quick());
  society.run([&](Agent& me) -> Task<> {
    const Tap tap = co_await me.overhear(Pattern(), TapOptions());
    co_await me.send("nobody", "x");
    co_await me.send("nobody", "y");
    for (int i = 0; i < 2; ++i)
      BOOST_TEST(!overheard.add(co_await me.receive(overheard_by(tap)), me.name(), Time(1s)));
  });
  const Story story = overheard.take(Time(1s));
  BOOST_TEST(story.messages.empty());
  BOOST_TEST_REQUIRE(story.gaps.size() == 1u);
  BOOST_TEST(story.gaps[0].missed == 2u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
