#include "patterns/pattern_index.hpp"

#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using coracle::HeaderView;
using coracle::Name;
using coracle::NoHeaders;
using coracle::Pattern;
using coracle::detail::PatternIndex;
using Ids = std::vector<std::uint64_t>;

struct Headers final : HeaderView {
  std::map<std::string, std::string, std::less<>> values;
  std::optional<std::string_view> find(std::string_view key) const override {
    const auto found = values.find(key);
    if (found == values.end()) return std::nullopt;
    return found->second;
  }
};

struct Message {
  Name source;
  Name target;
  std::string text;
  Headers headers;
};

Ids heard(PatternIndex& index, const Message& message) {
  int calls = 0;
  const auto text_of = [&]() -> std::string_view { return ++calls, message.text; };
  const Ids ids = index.match(message.source, message.target, text_of, message.headers);
  BOOST_REQUIRE(calls <= 1);
  return ids;
}

Ids heard(PatternIndex& index, const char* source, const char* target, std::string text) {
  return heard(index, {source, target, std::move(text), {}});
}

// The behaviour that an index must have, done plainly.
class BruteForce {
 public:
  void add(std::uint64_t id, const Pattern& pattern) { patterns_[id] = pattern; }
  void remove(std::uint64_t id) { patterns_.erase(id); }
  Ids match(const Message& message) const {
    Ids ids;
    for (const auto& [id, pattern] : patterns_) {
      if (pattern.matches(message.source.view(), message.target.view(), message.text,
                          message.headers)) {
        ids.push_back(id);
      }
    }
    return ids;
  }

 private:
  std::map<std::uint64_t, Pattern> patterns_;
};

const std::vector<std::string> names = {"a", "b", "lab/ann", "lab/bob", "lab/bob/arm", "shop.one"};
const std::vector<std::string> name_expressions = {
    ".*", "a", "lab/.*", "lab/bob|shop.one", "[ab]", "(?i)LAB/ANN", ".*/arm", "shop.one",
    "", "x|a"};
const std::vector<std::string> texts = {
    "", "price=12", "the price=12 of tea", "PRICE=5", "move red to 3,4", "move red  to 3,4 ",
    "abcdabcdabcd", "\xff\xfe price=1", "sell tea", "buy tea\nsell milk", "tea 17", "tea 18"};
const std::vector<std::string> text_expressions = {
    "price=[0-9]+", "(?i)price", "^$", "tea", "sell|buy tea", "abcd$", "abcdab", "^sell .*",
    "[0-9]",
    "tea 1[78]$", "(price=12|sell tea)", "\\bred\\b",
    "price=\\d+ of", "x{0}", "[^a-z]", "milk$"};
const std::vector<std::string> formats = {"move %s to %d,%d", "price=%u", "%s tea", "%*s",
                                          "tea %d"};

template <class T>
const T& one_of(const std::vector<T>& all) {
  return all[*rc::gen::inRange<std::size_t>(0, all.size())];
}

bool chance(int percent) { return *rc::gen::inRange(0, 100) < percent; }

Pattern any_pattern() {
  Pattern pattern;
  if (chance(40)) pattern.source(one_of(name_expressions));
  if (chance(20)) pattern.source_is(Name(one_of(names)));
  if (chance(30)) pattern.target(one_of(name_expressions));
  if (chance(20)) pattern.target_is(Name(one_of(names)));
  if (chance(60)) pattern.text(one_of(text_expressions));
  if (chance(20)) pattern.format(one_of(formats));
  if (chance(15)) pattern.component("op", chance(50) ? "open" : "save");
  if (chance(15)) pattern.component("class", chance(50) ? "notice" : "request");
  return pattern;
}

Message any_message() {
  Message message{Name(one_of(names)), Name(one_of(names)), one_of(texts), {}};
  if (chance(60)) message.headers.values["op"] = chance(50) ? "open" : "save";
  if (chance(60)) message.headers.values["class"] = chance(50) ? "notice" : "request";
  return message;
}

// Random additions, removals and messages; the results must be those of the brute force.
void compare_with_brute_force(PatternIndex& index) {
  BruteForce plain;
  const int steps = *rc::gen::inRange(1, 150);
  for (int step = 0; step < steps; ++step) {
    const auto id = *rc::gen::inRange<std::uint64_t>(0, 120);
    const auto before = index.version();
    if (chance(20)) {
      const Message message = any_message();
      const Ids ids = heard(index, message);
      RC_ASSERT(ids == plain.match(message));
      RC_ASSERT(ids.empty() || index.may_match_source(message.source));
      RC_ASSERT(index.version() == before);
    } else if (chance(80)) {
      const Pattern pattern = any_pattern();
      index.add(id, pattern);
      plain.add(id, pattern);
      RC_ASSERT(index.version() != before);
    } else {
      index.remove(id);
      plain.remove(id);
    }
  }
  for (int i = 0; i < 10; ++i) {
    const Message message = any_message();
    RC_ASSERT(heard(index, message) == plain.match(message));
  }
}

std::string number(int i) { return std::to_string(i); }

}  // namespace

BOOST_AUTO_TEST_SUITE(pattern_index)

BOOST_AUTO_TEST_CASE(an_empty_index_hears_nothing_and_never_reads_the_text) {
  PatternIndex index;
  BOOST_TEST(index.empty());
  BOOST_TEST(index.version() != 0U);
  BOOST_TEST(!index.may_match_source("a"));
  BOOST_TEST(heard(index, "a", "b", "x").empty());
}

BOOST_AUTO_TEST_CASE(the_text_is_asked_for_only_when_a_text_decides) {
  PatternIndex index;
  index.add(1, Pattern().source_is("a"));
  index.add(2, Pattern().source_is("b").text("x"));
  const auto never = []() -> std::string_view { throw 1; };
  BOOST_TEST(index.match("a", "t", never, NoHeaders()) == Ids{1}, boost::test_tools::per_element());
  BOOST_TEST(index.match("c", "t", never, NoHeaders()).empty());
  BOOST_TEST(heard(index, "b", "t", "x") == Ids{2}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(adding_and_removing_changes_the_version_and_the_answer_at_once) {
  PatternIndex index;
  BOOST_TEST(heard(index, "a", "b", "").empty());
  const auto before = index.version();
  index.add(7, Pattern().source("a"));
  BOOST_TEST(index.version() != before);
  BOOST_TEST(heard(index, "a", "b", "") == Ids{7}, boost::test_tools::per_element());
  index.add(7, Pattern().source("b"));
  BOOST_TEST(heard(index, "a", "b", "").empty());
  BOOST_TEST(index.size() == 1U);
  const auto added = index.version();
  index.remove(8);
  BOOST_TEST(index.version() == added);
  index.remove(7);
  BOOST_TEST(index.version() != added);
  BOOST_TEST(!index.may_match_source("b"));
  BOOST_TEST(index.empty());
}

BOOST_AUTO_TEST_CASE(ids_come_in_ascending_order) {
  PatternIndex index;
  for (const std::uint64_t id : {9U, 3U, 200U, 1U}) index.add(id, Pattern());
  index.add(5, Pattern().source("a"));
  index.add(4, Pattern().text("x"));
  BOOST_TEST(heard(index, "a", "b", "x") == (Ids{1, 3, 4, 5, 9, 200}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(it_equals_the_brute_force_for_any_patterns_and_messages) {
  BOOST_TEST(rc::check([] {
    PatternIndex index;
    compare_with_brute_force(index);
  }));
}

BOOST_AUTO_TEST_CASE(tried_one_by_one_they_are_the_same) {
  BOOST_TEST(rc::check([] {
    PatternIndex index(coracle::Matching::linear);
    compare_with_brute_force(index);
  }));
}

BOOST_AUTO_TEST_CASE(one_by_one_whoever_the_source_is_could_be_heard) {
  PatternIndex index(coracle::Matching::linear);
  BOOST_TEST(!index.may_match_source("a"));
  index.add(1, Pattern().source_is("b"));
  BOOST_TEST(index.may_match_source("a"));
  BOOST_TEST(heard(index, "a", "t", "x").empty());
  BOOST_TEST(heard(index, "b", "t", "x") == Ids{1}, boost::test_tools::per_element());
  index.remove(1);
  BOOST_TEST(!index.may_match_source("b"));
  BOOST_TEST(heard(index, "b", "t", "x").empty());
}

BOOST_AUTO_TEST_CASE(it_equals_the_brute_force_when_sets_have_no_memory) {
  std::uint64_t failures = 0;
  BOOST_TEST(rc::check([&failures] {
    PatternIndex index(std::size_t{1} << *rc::gen::inRange(8, 18));
    compare_with_brute_force(index);
    failures += index.set_failures();
  }));
  BOOST_TEST(failures > 0U);
}

BOOST_AUTO_TEST_CASE(a_set_of_any_size_misses_nothing) {
  bool failed = false;
  bool compiled = false;
  for (std::size_t bytes = 1024; bytes < (std::size_t{1} << 20); bytes += bytes / 4) {
    PatternIndex index(bytes);
    for (int i = 0; i < 40; ++i) {
      index.add(static_cast<std::uint64_t>(i), Pattern().text("[xy" + number(i) + "].{12}z"));
    }
    for (const char* text : {"x123456789012z", "yxyxyxyxyxyxyyxyxyxyxyxyxxz"}) {
      BOOST_REQUIRE(heard(index, "a", "b", text).size() == 40U);
    }
    BOOST_REQUIRE(heard(index, "a", "b", "y1234").empty());
    (index.set_failures() > 0 ? failed : compiled) = true;
  }
  BOOST_TEST(failed);
  BOOST_TEST(compiled);
}

BOOST_AUTO_TEST_CASE(ten_thousand_patterns_on_names_find_their_own) {
  PatternIndex index;
  for (int i = 0; i < 10000; ++i) {
    const auto id = static_cast<std::uint64_t>(i);
    const std::string name = "lab/robot" + number(i);
    if (i % 2 == 0) {
      index.add(id, Pattern().source(name + "(/.*)?"));
    } else {
      index.add(id, Pattern().source_is(Name(name)).target("board|desk"));
    }
  }
  BOOST_TEST(heard(index, "lab/robot4242/arm", "x", "") == Ids{4242},
             boost::test_tools::per_element());
  BOOST_TEST(heard(index, "lab/robot4243", "desk", "") == Ids{4243},
             boost::test_tools::per_element());
  BOOST_TEST(heard(index, "lab/robot4243", "door", "").empty());
  BOOST_TEST(!index.may_match_source("lab/robot10000"));
}

BOOST_AUTO_TEST_CASE(ten_thousand_patterns_on_text_find_their_own) {
  PatternIndex index;
  for (int i = 0; i < 10000; ++i) {
    const auto id = static_cast<std::uint64_t>(i);
    Pattern pattern;
    if (i % 3 == 0) pattern.text("order " + number(i) + " is (paid|sent)");
    if (i % 3 == 1) pattern.format("order " + number(i) + " costs %f");
    if (i % 3 == 2) pattern.text("(?i)id=" + number(i) + "\\b");
    index.add(id, pattern);
  }
  BOOST_TEST(heard(index, "a", "b", "your order 3000 is paid") == Ids{3000},
             boost::test_tools::per_element());
  BOOST_TEST(heard(index, "a", "b", "order 3001 costs 1.5") == Ids{3001},
             boost::test_tools::per_element());
  BOOST_TEST(heard(index, "a", "b", "see ID=3002, ID=5") == (Ids{5, 3002}),
             boost::test_tools::per_element());
  BOOST_TEST(heard(index, "a", "b", "order 3001 is open").empty());
}

BOOST_AUTO_TEST_CASE(literals_that_all_patterns_share_do_not_hide_any) {
  PatternIndex index;
  for (int i = 0; i < 500; ++i) {
    index.add(static_cast<std::uint64_t>(i), Pattern().text("price=[0-9]*" + number(i % 10) + "$"));
  }
  BOOST_TEST(heard(index, "a", "b", "price=123").size() == 50U);
}

BOOST_AUTO_TEST_CASE(pathological_expressions_stay_linear_on_a_megabyte) {
  PatternIndex index;
  const std::vector<std::string> expressions = {"(a+)+$", "(.|\\n)*x", "(a|aa)+b", "((a*)*)*c"};
  for (std::uint64_t id = 0; id < 40; ++id) index.add(id, Pattern().text(expressions[id % 4]));
  const std::string text = std::string(1 << 20, 'a') + "b";
  const Ids ids = heard(index, "a", "b", text);
  BOOST_TEST(ids.size() == 10U);
  BOOST_TEST(ids.front() == 2U);
}

BOOST_AUTO_TEST_CASE(more_names_than_the_cache_holds_change_no_answer) {
  PatternIndex index;
  index.add(1, Pattern().source("n.*7"));
  for (int i = 0; i < 70000; ++i) {
    const Name name("n" + number(i));
    BOOST_REQUIRE(index.may_match_source(name) == (i % 10 == 7));
  }
}

BOOST_AUTO_TEST_SUITE_END()
