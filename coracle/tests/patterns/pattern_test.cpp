#include "coracle/pattern.hpp"

#include "patterns/required_literals.hpp"

#include <re2/re2.h>

#include <boost/test/unit_test.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using coracle::Errc;
using coracle::Error;
using coracle::HeaderView;
using coracle::Name;
using coracle::NoHeaders;
using coracle::Pattern;
using coracle::detail::required_literals;
using Strings = std::vector<std::string>;

class MapHeaders final : public HeaderView {
 public:
  MapHeaders& with(std::string key, std::string value) {
    values_[std::move(key)] = std::move(value);
    return *this;
  }
  std::optional<std::string_view> find(std::string_view key) const override {
    const auto found = values_.find(key);
    if (found == values_.end()) return std::nullopt;
    return found->second;
  }

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

bool hears(const Pattern& pattern, std::string_view source, std::string_view target,
           std::string_view text) {
  return pattern.matches(source, target, text, NoHeaders());
}

bool reads(std::string_view format, std::string_view text) {
  return hears(Pattern().format(format), "a", "b", text);
}

Strings captured(std::string_view format, std::string_view text) {
  return Pattern().format(format).captures(text);
}

template <class Function>
std::string failure_of(Function function) {
  try {
    function();
  } catch (const Error& error) {
    BOOST_TEST((error.errc() == Errc::bad_pattern));
    return error.sentence();
  }
  BOOST_ERROR("nothing was thrown");
  return "";
}

bool holds(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

BOOST_AUTO_TEST_SUITE(pattern)

BOOST_AUTO_TEST_CASE(an_empty_pattern_hears_everything) {
  BOOST_TEST(hears(Pattern(), "a", "b", "anything"));
  BOOST_TEST(hears(Pattern(), "", "", ""));
  BOOST_TEST(Pattern().captures("anything").empty());
}

BOOST_AUTO_TEST_CASE(names_must_match_as_a_whole_and_text_anywhere) {
  const Pattern pattern = Pattern().source("lab/.*").target("board|desk").text("price=[0-9]+");
  BOOST_TEST(hears(pattern, "lab/ann", "desk", "the price=12 is fair"));
  BOOST_TEST(!hears(pattern, "my/lab/ann", "desk", "price=12"));
  BOOST_TEST(!hears(pattern, "lab/ann", "desks", "price=12"));
  BOOST_TEST(!hears(pattern, "lab/ann", "desk", "price=x"));
}

BOOST_AUTO_TEST_CASE(literal_names_are_no_expressions) {
  const Pattern pattern = Pattern().source_is(Name("a.c")).target_is(Name("b+"));
  BOOST_TEST(hears(pattern, "a.c", "b+", ""));
  BOOST_TEST(!hears(pattern, "abc", "b+", ""));
  BOOST_TEST(!hears(pattern, "a.c", "bb", ""));
}

BOOST_AUTO_TEST_CASE(the_last_condition_on_a_name_counts) {
  BOOST_TEST(hears(Pattern().source("x").source_is(Name("y")), "y", "", ""));
  BOOST_TEST(hears(Pattern().source_is(Name("y")).source("x"), "x", "", ""));
  BOOST_TEST(!hears(Pattern().target_is(Name("y")).target("x"), "", "y", ""));
}

BOOST_AUTO_TEST_CASE(all_components_must_be_there) {
  const auto both = MapHeaders().with("class", "notice").with("op", "open");
  Pattern pattern;
  pattern.component("class", "notice").component("op", "saved");
  const auto saved = MapHeaders().with("class", "notice").with("op", "saved");
  BOOST_TEST(pattern.matches("a", "b", "", saved));
  BOOST_TEST(!pattern.matches("a", "b", "", MapHeaders().with("class", "notice")));
  BOOST_TEST(!pattern.matches("a", "b", "", both));
  pattern.component("op", "open");
  BOOST_TEST(pattern.matches("a", "b", "", both));
}

BOOST_AUTO_TEST_CASE(a_copy_does_not_change_when_the_original_does) {
  Pattern original = Pattern().source("a");
  const Pattern copy = original;
  BOOST_TEST(copy.parts() == original.parts());
  original.source("b");
  BOOST_TEST(hears(copy, "a", "", ""));
  BOOST_TEST(hears(original, "b", "", ""));
}

BOOST_AUTO_TEST_CASE(a_bad_expression_is_refused_in_re2s_words) {
  const auto sentence = failure_of([] { Pattern().source("lab/(.*"); });
  BOOST_TEST(holds(sentence, "source"));
  BOOST_TEST(holds(sentence, "lab/(.*"));
  BOOST_TEST(holds(sentence, "missing )"));
  BOOST_TEST(holds(sentence, "correct it"));
  BOOST_TEST(holds(failure_of([] { Pattern().text("(a)\\1"); }), "invalid escape"));
  BOOST_TEST(holds(failure_of([] { Pattern().target("\xff"); }), "UTF-8"));
}

BOOST_AUTO_TEST_CASE(a_failed_condition_leaves_the_pattern_as_it_was) {
  Pattern pattern = Pattern().source("a");
  failure_of([&] { pattern.source("("); });
  BOOST_TEST(hears(pattern, "a", "", ""));
  BOOST_TEST(!hears(pattern, "b", "", ""));
}

BOOST_AUTO_TEST_CASE(limits_are_kept) {
  const std::string longest(Pattern::max_bytes, 'a');
  BOOST_TEST(hears(Pattern().text(longest), "", "", longest));
  BOOST_TEST(holds(failure_of([&] { Pattern().text(longest + "a"); }), "1025 bytes"));
  BOOST_TEST(holds(failure_of([&] { Pattern().format(longest + "a"); }), "shorten"));
  BOOST_TEST(holds(failure_of([&] { Pattern().component("k", longest); }), "shorten"));
  failure_of([] { Pattern().component("", "x"); });
  failure_of([] { Pattern().source_is(Name()); });
  failure_of([] { Pattern().target_is(Name()); });
  failure_of([] { Pattern().text("((a{100}){100}){100}"); });
  Pattern pattern;
  for (std::size_t i = 0; i < Pattern::max_components; ++i) {
    pattern.component("k" + std::to_string(i), "v");
  }
  failure_of([&] { pattern.component("one more", "v"); });
}

BOOST_AUTO_TEST_CASE(pathological_expressions_take_linear_time) {
  const std::string all_a(1 << 20, 'a');
  BOOST_TEST(!hears(Pattern().text("(a+)+$"), "", "", all_a + "b"));
  BOOST_TEST(hears(Pattern().text("^(a+)+$"), "", "", all_a));
  BOOST_TEST(!hears(Pattern().text("(.|\\n)*x"), "", "", all_a));
  BOOST_TEST(hears(Pattern().text("(.|\\n)*x"), "", "", all_a + "\nx"));
  BOOST_TEST(!hears(Pattern().text("(a|aa)*(a|aa)*b$"), "", "", all_a + "c"));
}

BOOST_AUTO_TEST_CASE(a_format_reads_the_whole_text) {
  BOOST_TEST(reads("move %s to %d,%d", "move red to 3,-4"));
  BOOST_TEST(!reads("move %s to %d,%d", "please move red to 3,-4"));
  BOOST_TEST(!reads("move %s to %d,%d", "move red to 3,-4!"));
  BOOST_TEST(captured("move %s to %d,%d", "move red to 3,-4") == (Strings{"red", "3", "-4"}),
             boost::test_tools::per_element());
  BOOST_TEST(captured("move %s to %d,%d", "stay").empty());
}

BOOST_AUTO_TEST_CASE(white_space_in_a_format_is_any_run_of_it) {
  BOOST_TEST(reads("a b", "a \t\r\n\v\f b"));
  BOOST_TEST(reads("a b", "ab"));
  BOOST_TEST(reads("a,%d", "a,   5"));
  BOOST_TEST(!reads("a,%c", "a,   5"));
  BOOST_TEST(!reads("ab", "a b"));
}

BOOST_AUTO_TEST_CASE(each_conversion_takes_what_it_says) {
  BOOST_TEST(reads("%d", "+17"));
  BOOST_TEST(!reads("%d", "1.5"));
  BOOST_TEST(!reads("%u", "-1"));
  BOOST_TEST(reads("%x", "0xfF09"));
  BOOST_TEST(!reads("%x", "0xg"));
  for (const auto* number : {"1", "-1.5", "+.5", "1.", "1e9", "-1.5E-3", "inf", "NaN", "Infinity"})
    BOOST_TEST(reads("%f", number));
  for (const auto* number : {"", ".", "-", "e5", "1e", "1.2.3"}) BOOST_TEST(!reads("%f", number));
  BOOST_TEST(!reads("%s", "two words"));
  BOOST_TEST(reads("%c%c", "\xc3\xa9\n"));
  BOOST_TEST(reads("100%%", "100%"));
  BOOST_TEST(reads("(.*)[x]+\\d", "(.*)[x]+\\d"));
}

BOOST_AUTO_TEST_CASE(sets_follow_scanf_not_regular_expressions) {
  BOOST_TEST(reads("%[a-c]", "abcabc"));
  BOOST_TEST(!reads("%[a-c]", "abd"));
  BOOST_TEST(reads("%[]x]", "x]"));
  BOOST_TEST(!reads("%[^]x]", "a]"));
  BOOST_TEST(reads("%[^,],%s", "two words,x"));
  BOOST_TEST(reads("%[-+\\d^]", "-+d\\^"));
  BOOST_TEST(!reads("%[-+\\d^]", "5"));
  BOOST_TEST(reads("%[a-]", "a-"));
  BOOST_TEST(!reads("%[[:alpha:]]", "q]"));
  failure_of([] { Pattern().format("%[z-a]"); });
}

BOOST_AUTO_TEST_CASE(a_width_is_the_most_a_conversion_takes) {
  BOOST_TEST(captured("%3d%d", "12345") == (Strings{"123", "45"}),
             boost::test_tools::per_element());
  BOOST_TEST(!reads("%3d", "-123"));
  BOOST_TEST(reads("%3d", "-12"));
  BOOST_TEST(!reads("%1d", "-1"));
  BOOST_TEST(reads("%4x", "0xff"));
  BOOST_TEST(!reads("%4x", "0xfff"));
  BOOST_TEST(reads("%2s", "ab"));
  BOOST_TEST(!reads("%2s", "abc"));
  BOOST_TEST(reads("%3c", "a b"));
  BOOST_TEST(!reads("%3c", "ab"));
  BOOST_TEST(!reads("%2[a]", "aaa"));
  for (const auto* number : {"1", "12", "1.5", "-1.", "1234", "-.5", "12.5"})
    BOOST_TEST(reads("%4f", number));
  for (const auto* number : {"12345", "12.55", "-123.", "-", ".", "-.", ""})
    BOOST_TEST(!reads("%4f", number));
  BOOST_TEST(reads("%64f", "123456789.123456789"));
}

BOOST_AUTO_TEST_CASE(a_star_keeps_a_conversion_out_of_the_captures) {
  BOOST_TEST(captured("%*s %d %*2d%c", "x 5 77!") == (Strings{"5", "!"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_unknown_conversion_is_named) {
  BOOST_TEST(holds(failure_of([] { Pattern().format("a %5q"); }), "\"%5q\""));
  failure_of([] { Pattern().format("%n"); });
  failure_of([] { Pattern().format("%ld"); });
  failure_of([] { Pattern().format("50%"); });
  failure_of([] { Pattern().format("%5"); });
  failure_of([] { Pattern().format("%5%"); });
  failure_of([] { Pattern().format("%0d"); });
  failure_of([] { Pattern().format("%1000d"); });
  failure_of([] { Pattern().format("%65f"); });
  failure_of([] { Pattern().format("%[abc"); });
  failure_of([] { Pattern().format("%\xc3\xa9"); });
}

BOOST_AUTO_TEST_CASE(literals_are_those_that_every_match_holds) {
  const auto all = [](const Strings& strings) {
    std::string joined;
    for (const auto& string : strings) joined += string + "~";
    return joined;
  };
  BOOST_TEST(all(required_literals("the price=[0-9]+ for it")) == "the price=~");
  BOOST_TEST(all(required_literals("buy it|sell.*")) == "buy it~sell~");
  BOOST_TEST(all(required_literals("buy it|se")).empty());
  BOOST_TEST(all(required_literals("abcde*")) == "abcd~");
  BOOST_TEST(all(required_literals("abcd?e")).empty());
  BOOST_TEST(all(required_literals("abcd+efg")) == "abcd~");
  BOOST_TEST(all(required_literals("abcd{2}efghi")) == "efghi~");
  BOOST_TEST(all(required_literals("a{,5}bc")) == ",5}bc~");
  BOOST_TEST(all(required_literals("abcd\xc3\xa9*")) == "abcd~");
  BOOST_TEST(all(required_literals("(abcd)?(?:xy|[)]z)")).empty());
  BOOST_TEST(all(required_literals("[]abcd]efgh[^]abcde]")) == "efgh~");
  BOOST_TEST(all(required_literals("[[:alpha:]\\]abcd]")).empty());
  BOOST_TEST(all(required_literals("ab\\.cd\\n")) == "ab.cd~");
  BOOST_TEST(all(required_literals("(?i)abcd")).empty());
  BOOST_TEST(all(required_literals("\\Qabcd*\\E")).empty());
  BOOST_TEST(all(required_literals("abcd\\x{65}")).empty());
  BOOST_TEST(all(required_literals("")).empty());
}

BOOST_AUTO_TEST_SUITE_END()
