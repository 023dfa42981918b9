// The words in the header of broadcasts, and the result of reading nonsense there.
#include "broadcast/words.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::detail {

namespace {

using Ids = std::vector<std::uint64_t>;

std::string again(std::string_view text) { return written(read_words(text)); }

}  // namespace

BOOST_AUTO_TEST_SUITE(broadcast_words)

BOOST_AUTO_TEST_CASE(what_is_written_is_read) {
  BroadcastWords words;
  words.role = of_request;
  words.ids = {1, 0, ~std::uint64_t{0}};
  const std::string text = written(words);
  BOOST_TEST(text == "request 1 0 18446744073709551615");
  const BroadcastWords read = read_words(text);
  BOOST_TEST(read.role == of_request);
  BOOST_TEST(read.ids == words.ids, boost::test_tools::per_element());
  BOOST_TEST(again("handle") == "handle");
}

BOOST_AUTO_TEST_CASE(of_nonsense_what_comes_before_it_is_taken) {
  for (const char* text : {"", "handle 7", "notice 1 2 3"}) BOOST_TEST(again(text) == text);
  BOOST_TEST(again(" 7") == " 7");
  for (const char* text : {"handle 7 ", "handle 7 x", "handle 7 -1", "handle 7  8", "handle 7\t8",
                           "handle 7 18446744073709551616", "handle 7x8"}) {
    BOOST_TEST(again(text) == "handle 7");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::detail
