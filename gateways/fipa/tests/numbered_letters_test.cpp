#include "letters/numbered_letters.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::fipa {

namespace {

BOOST_AUTO_TEST_SUITE(numbered_letters)

BOOST_AUTO_TEST_CASE(a_number_is_read_as_it_was_written) {
  const auto number = letter_number_in(to_text({0x1234, 17}));
  BOOST_REQUIRE(number.has_value());
  BOOST_TEST(number->sender == 0x1234U);
  BOOST_TEST(number->count == 17U);
  for (const char* each : {"", "17", "0123456789abcdef", "0123456789abcdef-", "0123456789abcdeg-1",
                           "0123456789abcdef-1x", "0123456789abcdef-99999999999999999999999",
                           "0123456789abcdef_1", "0123456789abcdef--1"})
    BOOST_TEST(!letter_number_in(each).has_value(), each);
}

BOOST_AUTO_TEST_CASE(a_letter_that_comes_again_gets_the_answer_that_it_had) {
  NumberedLetters letters;
  for (const std::uint64_t each : {1U, 2U, 5U}) BOOST_TEST(!letters.begin({7, each}).has_value());
  letters.end({7, 1}, 200);
  letters.end({7, 2}, 400);
  BOOST_TEST(letters.begin({7, 1}).value() == 200);
  BOOST_TEST(letters.begin({7, 2}).value() == 400);
  BOOST_TEST(letters.begin({7, 5}).value() == 503);  // it is still being taken
  BOOST_TEST(!letters.begin({8, 1}).has_value());    // another sender's
}

BOOST_AUTO_TEST_CASE(an_old_letter_is_never_taken_again) {
  NumberedLetters letters;
  for (std::uint64_t each = 1; each <= 1000; ++each) {
    BOOST_TEST(!letters.begin({7, each}).has_value());
    letters.end({7, each}, 400);
  }
  BOOST_TEST(letters.begin({7, 1}).value() == 200);
  BOOST_TEST(letters.begin({7, 999}).value() == 400);
}

BOOST_AUTO_TEST_CASE(of_too_many_senders_the_silent_ones_are_forgotten) {
  NumberedLetters letters(2);
  (void)letters.begin({1, 5});
  (void)letters.begin({2, 5});
  (void)letters.begin({1, 6});
  (void)letters.begin({3, 5});
  BOOST_TEST(letters.begin({1, 6}).has_value());
  BOOST_TEST(!letters.begin({2, 5}).has_value());
  letters.end({9, 1}, 200);  // of nobody
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

}  // namespace coracle::fipa
