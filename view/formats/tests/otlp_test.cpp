// Tests of traces of OpenTelemetry: which trace a message is in, its spans, and their parents.
#include "coracle/formats/otlp.hpp"

#include "support/fields.hpp"
#include "support/stories.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <string>
#include <vector>

namespace coracle::test {

using formats::Kind;
using formats::Sink;
using formats::StoryMessage;

namespace {

struct Span {
  std::string trace, id, parent, link;
  std::uint64_t kind = 0, start = 0, end = 0, status = 0;
  std::vector<std::string> events = {};
};

std::string text_of(std::string_view message, std::uint64_t number) {
  const auto found = fields_of(message, number);
  return found.empty() ? "" : std::string(found[0].bytes);
}

// The spans by their names.
std::map<std::string, Span> spans_of(const HandMade& made, std::uint64_t began = 1000) {
  formats::OtlpOptions options;
  options.began = began;
  const auto bytes = output_of([&](const Sink& sink) { write_otlp(made.story, sink, options); });
  std::map<std::string, Span> spans;
  for (const Field& resource : fields_of(bytes))
    for (const Field& scope : fields_of(resource.bytes, 2))
      for (const Field& each : fields_of(scope.bytes, 2)) {
        Span span{text_of(each.bytes, 1), text_of(each.bytes, 2), text_of(each.bytes, 4), ""};
        span.kind = fields_of(each.bytes, 6)[0].value;
        span.start = fields_of(each.bytes, 7)[0].value;
        span.end = fields_of(each.bytes, 8)[0].value;
        for (const Field& event : fields_of(each.bytes, 11))
          span.events.push_back(text_of(event.bytes, 2));
        for (const Field& link : fields_of(each.bytes, 13)) span.link = text_of(link.bytes, 2);
        for (const Field& status : fields_of(each.bytes, 15))
          span.status = fields_of(status.bytes, 3)[0].value;
        BOOST_TEST(span.trace.size() == 16u);
        BOOST_TEST(span.id.size() == 8u);
        BOOST_TEST(spans.emplace(text_of(each.bytes, 5), span).second);
      }
  return spans;
}

// A request of ann to bob, and its reply.
HandMade question() {
  HandMade made;
  StoryMessage& request = made.add("ann", "bob", "?");
  request.kind = Kind::request;
  request.conversation = 9;
  StoryMessage& reply = made.add("bob", "ann", "!");
  reply.kind = Kind::reply;
  reply.conversation = 9;
  reply.answers = 1;
  return made;
}

enum : std::uint64_t { internal = 1, server, client, producer, consumer };
constexpr std::uint64_t error = 2;

}  // namespace

BOOST_AUTO_TEST_SUITE(otlp)

BOOST_AUTO_TEST_CASE(a_request_and_its_reply_are_one_trace) {
  auto spans = spans_of(question());
  BOOST_TEST_REQUIRE(spans.size() == 4u);
  for (const auto& [name, span] : spans) BOOST_TEST(span.trace == spans["send bob"].trace);
  BOOST_TEST(spans["send bob"].parent == "");
  BOOST_TEST(spans["process bob"].parent == spans["send bob"].id);
  BOOST_TEST(spans["send ann"].parent == spans["process bob"].id);
  BOOST_TEST(spans["send ann"].link == spans["send bob"].id);
  BOOST_TEST(spans["process ann"].parent == spans["send ann"].id);
  BOOST_TEST(spans["send bob"].kind == client);
  BOOST_TEST(spans["process bob"].kind == server);
  BOOST_TEST(spans["send ann"].kind == producer);
  BOOST_TEST(spans["process ann"].kind == consumer);
}

BOOST_AUTO_TEST_CASE(times_are_those_of_the_calendar) {
  auto spans = spans_of(question(), 5'000'000);
  BOOST_TEST(spans["send bob"].start == 5'000'000u);
  BOOST_TEST(spans["send bob"].end == 5'001'020u);  // when the reply was taken
  BOOST_TEST(spans["process bob"].start == 5'000'020u);
  BOOST_TEST(spans["process bob"].end == 5'000'030u);
  BOOST_TEST(spans["send ann"].start == 5'001'000u);
  BOOST_TEST(spans["send ann"].end == 5'001'010u);  // when it was in the mailbox
}

BOOST_AUTO_TEST_CASE(the_trace_context_of_a_message_is_used_and_passed_to_the_reply) {
  HandMade made = question();
  made.story.messages[0].trace = {0x0102030405060708, 0x1112131415161718, 0x2122232425262728};
  auto spans = spans_of(made);
  const std::string trace = "\x01\x02\x03\x04\x05\x06\x07\x08\x11\x12\x13\x14\x15\x16\x17\x18";
  for (const auto& [name, span] : spans) BOOST_TEST(span.trace == trace);
  BOOST_TEST(spans["send bob"].parent == "!\"#$%&'(");
}

BOOST_AUTO_TEST_CASE(without_one_the_conversation_decides_on_every_node) {
  HandMade made;
  made.add("ann", "bob", "1").conversation = 5;
  made.add("ann", "carl", "2").conversation = 5;
  made.add("ann", "dora", "3").conversation = 6;
  made.add("ann", "emil", "4");
  made.add("ann", "fritz", "5");
  auto spans = spans_of(made);
  auto later = spans_of(made, 2'000'000);
  BOOST_TEST(spans["send bob"].trace == spans["send carl"].trace);
  BOOST_TEST(spans["send bob"].trace != spans["send dora"].trace);
  BOOST_TEST(spans["send emil"].trace != spans["send fritz"].trace);
  BOOST_TEST(spans["send bob"].trace == later["send bob"].trace);
  BOOST_TEST(spans["send bob"].id != later["send bob"].id);
  BOOST_TEST(spans["send emil"].trace != later["send emil"].trace);
}

BOOST_AUTO_TEST_CASE(another_outcome_than_consumed_is_an_error_of_the_span) {
  HandMade made = question();
  BOOST_TEST(spans_of(made)["send bob"].status == 0u);
  made.story.messages[1].kind = Kind::failure;
  BOOST_TEST(spans_of(made)["send bob"].status == error);
  made = question();
  StoryMessage& reply = made.story.messages[1];
  reply.outcome = Outcome::expired;
  reply.taken = formats::never;
  auto spans = spans_of(made);
  BOOST_TEST(spans["send ann"].status == error);
  BOOST_TEST(!spans.contains("process ann"));
  BOOST_TEST(spans["send bob"].status == 0u);
}

BOOST_AUTO_TEST_CASE(lives_and_gaps_are_spans_and_traces_of_their_own) {
  HandMade made = question();
  formats::StoryLife& life = made.story.lives.emplace_back();
  life.agent = "ann";
  life.began = made.story.begin;
  life.ended = made.story.begin + Duration(700);
  life.reason = EndReason::crashed;
  life.text = "no oil";
  life.groups.push_back({Name("yard"), life.began, formats::never});
  made.story.gaps.push_back({made.story.begin + Duration(100), "bob", 3});
  auto spans = spans_of(made);
  BOOST_TEST_REQUIRE(spans.size() == 6u);
  const Span& its = spans["life ann"];
  BOOST_TEST(its.kind == internal);
  BOOST_TEST(its.start == 1000u);
  BOOST_TEST(its.end == 1700u);
  BOOST_TEST(its.status == error);
  BOOST_TEST(its.parent == "");
  BOOST_TEST((its.events == std::vector<std::string>{"joins", "exception"}));
  const Span& gap = spans["gap of bob"];
  BOOST_TEST(gap.start == 1100u);
  BOOST_TEST(gap.end == 1100u);
  BOOST_TEST(gap.status == error);
  BOOST_TEST(gap.trace != its.trace);
  BOOST_TEST(gap.trace != spans["send bob"].trace);
  made.story.lives[0].reason = EndReason::stopped;
  BOOST_TEST(spans_of(made)["life ann"].status == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
