// Tests of the story of a recording, and of the choice of messages.
#include "coracle/formats/story_of.hpp"

#include "support/stories.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

namespace coracle::test {

using namespace std::chrono_literals;

using formats::Kind;
using formats::never;
using formats::Selection;
using formats::Story;
using formats::StoryMessage;

namespace {

struct Recorded {
  recording::Recording recording = recorded_society();
  Story story = formats::story_of(recording);

  // The only message with that content.
  const StoryMessage& with(std::string_view content) const {
    const StoryMessage* found = nullptr;
    for (const StoryMessage& each : story.messages) {
      if (each.content != content) continue;
      BOOST_TEST_REQUIRE(found == nullptr);
      found = &each;
    }
    BOOST_TEST_REQUIRE(found != nullptr);
    return *found;
  }
  const formats::StoryLife& life(std::string_view name) const {
    for (const formats::StoryLife& each : story.lives)
      if (each.agent.view() == name) return each;
    throw std::runtime_error("no such life");
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(story, Recorded)

BOOST_AUTO_TEST_CASE(a_message_between_two_nodes_is_there_once_with_what_both_have_seen) {
  BOOST_TEST(recording.messages().size() > story.messages.size());
  const StoryMessage& hello = with("hello");
  BOOST_TEST(hello.source.view() == "visitor");
  BOOST_TEST(hello.target.view() == "keeper");
  BOOST_TEST(hello.source_node != hello.target_node);
  BOOST_TEST((hello.sent < hello.kept && hello.kept <= hello.taken && hello.taken <= hello.ended));
  BOOST_TEST((hello.outcome == Outcome::consumed));
  BOOST_TEST(hello.handed_out == 1u);
  BOOST_TEST((hello.trace == TraceContext{1, 2, 3}));
  BOOST_TEST_REQUIRE(hello.headers.size() == 1u);
  BOOST_TEST(hello.headers[0].second == "red");
}

BOOST_AUTO_TEST_CASE(a_reply_names_the_request_that_it_answers) {
  BOOST_TEST((with("the time?").kind == Kind::request));
  BOOST_TEST((with("noon").kind == Kind::reply));
  BOOST_TEST(with("noon").answers == with("the time?").id);
  BOOST_TEST((with("not to you").kind == Kind::failure));
  BOOST_TEST(with("not to you").answers == with("a secret?").id);
}

BOOST_AUTO_TEST_CASE(messages_that_were_not_consumed_have_their_outcomes_and_times) {
  const StoryMessage& late = with("too late");
  BOOST_TEST((late.outcome == Outcome::expired));
  BOOST_TEST((late.taken == never && late.ended != never));
  const StoryMessage& lost = with("lost");
  BOOST_TEST((lost.taken == never && !lost.outcome));  // it still waits for its target
}

BOOST_AUTO_TEST_CASE(a_message_to_a_group_is_there_once_for_each_member) {
  std::multiset<std::string> targets;
  for (const StoryMessage& each : story.messages)
    if (each.group == Name("square")) targets.insert(each.target.str());
  BOOST_TEST(targets.size() == 2u);
  BOOST_TEST(targets.count("keeper") == 1u);
  BOOST_TEST(targets.count("neighbour") == 1u);
}

BOOST_AUTO_TEST_CASE(lives_have_their_ends_and_their_groups) {
  const formats::StoryLife& visitor = life("visitor");
  BOOST_TEST((visitor.reason == EndReason::crashed));
  BOOST_TEST(visitor.text == "the visitor <b>fell</b>");
  BOOST_TEST((visitor.began < visitor.ended));
  const formats::StoryLife& keeper = life("keeper");
  BOOST_TEST((keeper.reason == EndReason::stopped));
  BOOST_TEST_REQUIRE(keeper.groups.size() == 1u);
  BOOST_TEST(keeper.groups[0].group.view() == "square");
  BOOST_TEST((keeper.groups[0].joined < keeper.groups[0].left));
}

BOOST_AUTO_TEST_CASE(all_times_lie_between_the_beginning_and_the_end) {
  for (const StoryMessage& each : story.messages) {
    for (const Time at : {each.sent, each.kept, each.taken, each.ended})
      BOOST_TEST((at == never || (story.begin <= at && at <= story.end)));
    BOOST_TEST(story.find(each.id) == &each);
  }
  BOOST_TEST(story.find(0) == nullptr);
  BOOST_TEST(story.find(10'000) == nullptr);
  BOOST_TEST(story.realization.starts_with("sim:"));
}

BOOST_AUTO_TEST_CASE(a_selection_leaves_out_what_does_not_fit_and_counts_it) {
  const auto chosen = [&](const Selection& selection) {
    const Story part = formats::story_of(recording, selection);
    BOOST_TEST(part.messages.size() + part.not_selected == story.messages.size());
    for (const StoryMessage& each : part.messages) BOOST_TEST(selection.fits(each, story.begin));
    return part;
  };
  BOOST_TEST(chosen({}).not_selected == 0u);
  Selection names;
  names.names = {"sleep*", "no/**"};
  BOOST_TEST(chosen(names).messages.size() == 1u);
  BOOST_TEST(chosen(names).lives.size() == 2u);  // sleeper and visitor
  names.names = {"square"};
  BOOST_TEST(chosen(names).messages.size() == 2u);
  Selection type;
  type.types = {"numbers/*"};
  BOOST_TEST(chosen(type).messages.size() == 1u);
  Selection conversation;
  conversation.conversation = with("the time?").conversation;
  BOOST_TEST(chosen(conversation).messages.size() == 2u);
  Selection time;
  time.until = with("hello").sent - story.begin;
  BOOST_TEST(chosen(time).messages.empty());
  time.until += 1ns;
  BOOST_TEST(chosen(time).messages.front().content == "hello");
  BOOST_TEST((chosen(time).messages.back().sent == with("hello").sent));
  time.from = time.until;
  BOOST_TEST(chosen(time).messages.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
