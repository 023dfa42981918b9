#include "model/transcripts.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::mcp {

namespace {

TranscriptLine line(const char* from, const char* to, std::string text = "hello") {
  TranscriptLine made;
  made.from = Name(from);
  made.to = Name(to);
  made.text = std::move(text);
  return made;
}

std::string numbers(const std::vector<const Transcript*>& found) {
  std::string all;
  for (const Transcript* const each : found) all += std::to_string(each->number) + ' ';
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(transcripts)

BOOST_AUTO_TEST_CASE(the_latest_conversations_come_first) {
  Transcripts all({});
  all.add(1, false, line("a", "b"));
  all.add(2, false, line("b", "c"));
  all.add(1, false, line("b", "a"));
  BOOST_TEST(numbers(all.latest("ann", Name(), 10)) == "1 2 ");
  BOOST_TEST(numbers(all.latest("ann", Name(), 1)) == "1 ");
  BOOST_TEST(numbers(all.latest("ann", Name("c"), 10)) == "2 ");
  BOOST_TEST(all.find(1, "ann")->lines.size() == 2U);
  BOOST_TEST(all.find(3, "ann") == nullptr);
}

BOOST_AUTO_TEST_CASE(a_request_of_a_caller_is_seen_by_that_caller_only) {
  Transcripts all({});
  all.add(1, true, line("mcp", "a"));
  BOOST_TEST(all.find(1, "ann") == nullptr);
  BOOST_TEST(all.find(1, "") == nullptr);
  all.set_owner(1, "ann");
  BOOST_TEST(all.find(1, "ann") != nullptr);
  BOOST_TEST(all.find(1, "bob") == nullptr);
  BOOST_TEST(all.latest("bob", Name(), 10).empty());
  // The owner may be known first.
  all.set_owner(2, "bob");
  BOOST_TEST(all.latest("bob", Name(), 10).empty());
  all.add(2, true, line("mcp", "a"));
  BOOST_TEST(numbers(all.latest("bob", Name(), 10)) == "2 ");
}

BOOST_AUTO_TEST_CASE(a_long_conversation_loses_its_first_lines) {
  Transcripts all({.lines_of_each = 2});
  for (const char* const text : {"1", "2", "3"}) all.add(1, false, line("a", "b", text));
  const Transcript* const found = all.find(1, "ann");
  BOOST_TEST(found->lines.front().text == "2");
  BOOST_TEST(found->forgotten == 1U);
}

BOOST_AUTO_TEST_CASE(the_conversation_that_is_silent_for_the_longest_time_is_forgotten) {
  Transcripts few({.conversations = 2});
  for (const Conversation each : {1, 2, 1, 3}) few.add(each, false, line("a", "b"));
  BOOST_TEST(numbers(few.latest("ann", Name(), 10)) == "3 1 ");
  Transcripts small({.bytes = 10'000});
  for (const Conversation each : {1, 2, 3})
    small.add(each, false, line("a", "b", std::string(4000, 'x')));
  BOOST_TEST(numbers(small.latest("ann", Name(), 10)) == "3 2 ");
  small.add(4, false, line("a", "b", std::string(20'000, 'x')));
  BOOST_TEST(small.latest("ann", Name(), 10).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::mcp
