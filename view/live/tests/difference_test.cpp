// Tests of the difference between two runs.
#include "model/difference.hpp"

#include <rapidcheck.h>
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace coracle::view {

namespace {

using formats::Story;
using formats::StoryMessage;

// Refers to the texts.
Story story_of_texts(const std::vector<std::string>& texts) {
  Story story;
  for (const std::string& text : texts) {
    StoryMessage& message = story.messages.emplace_back();
    message.id = story.messages.size();
    message.source = Name("ann"), message.target = Name("bob");
    message.type = "text/plain", message.content = text;
    message.outcome = Outcome::consumed;
  }
  return story;
}

// "=a -b +c"
std::string shown_difference(const std::vector<ComparedLine>& lines) {
  std::string text;
  for (const ComparedLine& each : lines) {
    const char* const sign = each.before == nullptr  ? "+"
                             : each.after == nullptr ? "-"
                             : each.is_same()        ? "="
                                                     : "!";
    text += text.empty() ? "" : " ";
    text += sign + std::string((each.before != nullptr ? each.before : each.after)->content);
  }
  return text;
}

std::string difference_of(const std::vector<std::string>& before,
                          const std::vector<std::string>& after) {
  const Story first = story_of_texts(before), second = story_of_texts(after);
  return shown_difference(compare(first, second));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(difference)

BOOST_AUTO_TEST_CASE(messages_that_came_or_went_have_lines_of_their_own) {
  BOOST_TEST(difference_of({"a", "b", "c"}, {"a", "b", "c"}) == "=a =b =c");
  BOOST_TEST(difference_of({"a", "b", "c"}, {"a", "x", "c", "d"}) == "=a -b +x =c +d");
  BOOST_TEST(difference_of({"a", "a", "b"}, {"a", "b"}) == "=a -a =b");
  BOOST_TEST(difference_of({"a", "b"}, {"b", "a"}) == "-a =b +a");
  BOOST_TEST(difference_of({}, {"a"}) == "+a");
  BOOST_TEST(difference_of({"a"}, {}) == "-a");
}

BOOST_AUTO_TEST_CASE(another_outcome_is_a_difference) {
  const std::vector<std::string> texts = {"a", "b"};
  const Story first = story_of_texts(texts);
  Story second = story_of_texts(texts);
  second.messages[0].outcome = Outcome::dropped;
  BOOST_TEST(shown_difference(compare(first, second)) == "!a =b");
}

BOOST_AUTO_TEST_CASE(differences_are_shown_with_their_neighbours) {
  const std::vector<std::string> before = {"a", "b", "c", "d", "e", "f"};
  const std::vector<std::string> after = {"a", "b", "c", "x", "e", "f"};
  const Story first = story_of_texts(before), second = story_of_texts(after);
  const auto lines = compare(first, second);
  BOOST_TEST(shown_difference(lines) == "=a =b =c -d +x =e =f");
  BOOST_TEST(shown_difference(with_neighbours(lines, 1, 100)) == "=c -d +x =e");
  BOOST_TEST(shown_difference(with_neighbours(lines, 1, 2)) == "=c -d");
}

BOOST_AUTO_TEST_CASE(each_message_of_both_runs_is_in_one_line_and_in_order) {
  const bool is_so = rc::check([] {
    const auto texts =
        rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>("a", "b", "c"));
    const std::vector<std::string> one = *texts, other = *texts;
    const Story first = story_of_texts(one), second = story_of_texts(other);
    std::size_t before = 0, after = 0;
    for (const ComparedLine& each : compare(first, second)) {
      if (each.before != nullptr) RC_ASSERT(each.before == &first.messages[before++]);
      if (each.after != nullptr) RC_ASSERT(each.after == &second.messages[after++]);
      RC_ASSERT(each.before != nullptr || each.after != nullptr);
    }
    RC_ASSERT(before == first.messages.size());
    RC_ASSERT(after == second.messages.size());
  });
  BOOST_TEST(is_so);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::view
