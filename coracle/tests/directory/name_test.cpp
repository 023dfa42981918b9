#include "coracle/name.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

namespace coracle {
namespace {

std::string complaint_about(std::string_view text) {
  const Result<Name> name = Name::parse(text);
  BOOST_REQUIRE(!name);
  BOOST_TEST((name.error().errc() == Errc::bad_name));
  return name.error().sentence();
}

bool is_name(std::string_view text) { return Name::parse(text).has_value(); }

BOOST_AUTO_TEST_SUITE(name)

BOOST_AUTO_TEST_CASE(a_path_is_a_name) {
  const Name sonar("lab/robot1/sonar");
  BOOST_TEST(sonar.view() == "lab/robot1/sonar");
  BOOST_TEST(sonar.str() == "lab/robot1/sonar");
  BOOST_TEST(!sonar.empty());
  BOOST_TEST(is_name("a"));
  BOOST_TEST(is_name("Zürich/плот/船/🚣"));
  BOOST_TEST(is_name("..."));
  BOOST_TEST(is_name(std::string(255, 'x')));
}

BOOST_AUTO_TEST_CASE(a_default_name_names_nobody) {
  const Name nobody;
  BOOST_TEST(nobody.empty());
  BOOST_TEST(nobody.view().empty());
  BOOST_TEST((nobody == Name()));
  BOOST_TEST((nobody != Name("a")));
  BOOST_TEST((nobody < Name("a")));
}

BOOST_AUTO_TEST_CASE(bad_names_are_refused) {
  for (const char* text : {"", "/", "a/", "/a", "a//b", ".", "..", "a/./b", "a/..", "../a", "a\tb",
                           "a\x7f", "a\xc2\x85"})
    BOOST_TEST(!is_name(text), "accepted: " << text);
  BOOST_TEST(!is_name(std::string(256, 'x')));
  BOOST_TEST(!is_name(std::string_view("a\0b", 3)));
  BOOST_CHECK_THROW(Name(""), Error);
}

// Otherwise two names could look the same, or a name could command the terminal that shows it.
BOOST_AUTO_TEST_CASE(what_is_not_seen_is_refused) {
  for (const char* text : {
           "a\xc2\x9b"
           "31m",            // the beginning of a terminal's command
           "a\xc2\xad",      // a hyphen that is not shown
           "a\xd8\x9c",      // a mark of direction
           "a\xe2\x80\x8b",  // a blank without width
           "a\xe2\x80\x8d",  // a joiner
           "a\xe2\x80\xa8",  // the end of a line
           "a\xe2\x80\xae"
           "b",  // from right to left
           "a\xe2\x81\xa6"
           "b",                  // isolated
           "a\xef\xb8\x8f",      // a selector of variants
           "a\xef\xbb\xbf",      // a mark of the order of bytes
           "\xe3\x85\xa4",       // an empty letter
           "a\xf3\xa0\x81\xa1",  // a tag
       })
    BOOST_TEST(!is_name(text));
  BOOST_TEST(is_name("\xd9\x85\xd8\xb1\xd8\xad\xd8\xa8\xd8\xa7"));  // Arabic letters
  BOOST_TEST(
      is_name("a\xc2\xa0"
              "b\xc2\xae\xe2\x82\xac"));
}

BOOST_AUTO_TEST_CASE(what_is_not_utf8_is_refused) {
  for (const char* text : {
           "\x80",              // a continuation alone
           "a\xc3",             // cut short
           "\xc0\xaf",          // overlong, two bytes
           "\xc1\xbf",          // overlong, two bytes
           "\xe0\x80\xaf",      // overlong, three bytes
           "\xf0\x80\x80\xaf",  // overlong, four bytes
           "\xed\xa0\x80",      // a surrogate
           "\xed\xbf\xbf",      // a surrogate
           "\xf4\x90\x80\x80",  // beyond U+10FFFF
           "\xf5\x80\x80\x80",  // beyond U+10FFFF
           "\xe2\x28\xa1",      // no continuation
           "\xff",
       })
    BOOST_TEST(!is_name(text));
  BOOST_TEST(is_name("\xed\x9f\xbf"));
  BOOST_TEST(is_name("\xee\x80\x80"));
  BOOST_TEST(is_name("\xf4\x8f\xbf\xbf"));
}

BOOST_AUTO_TEST_CASE(the_sentence_says_what_is_wrong_and_shows_the_name_safely) {
  BOOST_TEST(complaint_about("lab//x") ==
             "\"lab//x\" is not a name: a path segment is empty; put exactly one '/' between "
             "segments and none at the ends");
  BOOST_TEST(complaint_about("a\"\n\x80").starts_with("\"a\\\"\\x0a\\x80\" is not a name: "));
  const std::string long_one = complaint_about(std::string(5000, 'x'));
  BOOST_TEST(long_one.size() < 160);
  BOOST_TEST(long_one.find("x…\" is not a name: it is longer") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(copies_share_their_text) {
  const Name a("lab/robot1");
  Name b = a;
  BOOST_TEST(static_cast<const void*>(a.view().data()) == b.view().data());
  const Name c = std::move(b);
  BOOST_TEST((c == a));
  b = c;
  b = *&b;
  BOOST_TEST((b == a));
}

BOOST_AUTO_TEST_CASE(names_are_compared_byte_for_byte) {
  BOOST_TEST((Name("a") == Name(std::string("a"))));
  BOOST_TEST((Name("a") != Name("A")));
  BOOST_TEST((Name("a") < Name("b")));
  BOOST_TEST((Name("a") < Name("a/b")));
  BOOST_TEST((Name("a-b") < Name("a/b")));
  BOOST_TEST((Name("z") < Name("ä")));
}

BOOST_AUTO_TEST_CASE(within_respects_segments) {
  BOOST_TEST(Name("lab/robot1").within("lab"));
  BOOST_TEST(Name("lab").within("lab"));
  BOOST_TEST(Name("lab").within(Name()));
  BOOST_TEST(!Name("labor").within("lab"));
  BOOST_TEST(!Name("lab").within("lab/robot1"));
}

BOOST_AUTO_TEST_CASE(equal_names_have_equal_hashes_and_others_rarely) {
  BOOST_TEST(Name("lab/robot1").hash() == detail::hash_of("lab/robot1"));
  std::unordered_set<std::uint32_t> all, high;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint32_t hash = Name("agent/" + std::to_string(i)).hash();
    all.insert(hash);
    high.insert(hash >> 24);
  }
  BOOST_TEST(all.size() > 19'990u);
  BOOST_TEST(high.size() == 256u);
}

BOOST_AUTO_TEST_CASE(names_are_copied_and_dropped_on_any_thread) {
  const Name shared("lab/robot1/sonar");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([copy = shared] {
      for (int i = 0; i < 10'000; ++i) Name another = copy;
    });
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(shared.view() == "lab/robot1/sonar");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle
