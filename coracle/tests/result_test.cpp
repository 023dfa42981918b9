#include "coracle/result.hpp"

#include "coracle/clock.hpp"
#include "coracle/ending.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <set>
#include <string>

namespace coracle {
namespace {

BOOST_AUTO_TEST_SUITE(result)

BOOST_AUTO_TEST_CASE(a_result_holds_a_value) {
  Result<std::string> result = std::string("here");
  BOOST_TEST(result.has_value());
  BOOST_TEST(*result == "here");
  BOOST_TEST(result->size() == 4u);
  BOOST_TEST(result.value_or("other") == "here");
  BOOST_TEST(*std::move(result) == "here");
}

BOOST_AUTO_TEST_CASE(a_result_holds_an_error_and_value_throws_it) {
  const Result<int> result = Error(Errc::too_large, "too much; send less");
  BOOST_TEST(!result);
  BOOST_TEST(result.value_or(7) == 7);
  BOOST_TEST((result.error().errc() == Errc::too_large));
  BOOST_CHECK_EXCEPTION(static_cast<void>(result.value()), Error,
                        [](const Error& e) { return e.sentence() == "too much; send less"; });
}

BOOST_AUTO_TEST_CASE(a_result_moves_what_cannot_be_copied) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
  const std::unique_ptr<int> value = std::move(result).value();
  BOOST_TEST(*value == 5);
  Result<std::unique_ptr<int>> none = Error(Errc::expired, "late");
  BOOST_TEST(*std::move(none).value_or(std::make_unique<int>(6)) == 6);
}

BOOST_AUTO_TEST_CASE(a_result_without_a_value_succeeds_or_fails) {
  const Result<void> good;
  BOOST_TEST(good.has_value());
  good.value();
  const Result<void> bad = Error(Errc::stopped, "stopped; start again");
  BOOST_TEST(!bad);
  BOOST_CHECK_THROW(bad.value(), Error);
}

BOOST_AUTO_TEST_CASE(every_kind_of_failure_has_a_message_of_its_own) {
  std::set<std::string> messages;
  const int last = static_cast<int>(Errc::unanswered);
  for (int i = 1; i <= last; ++i) messages.insert(error_category().message(i));
  BOOST_TEST(messages.size() == static_cast<std::size_t>(last));
  for (const std::string& message : messages) BOOST_TEST(!message.starts_with("unknown"));
  BOOST_TEST(error_category().message(last + 1) == "unknown error " + std::to_string(last + 1));
  BOOST_TEST(error_category().name() == std::string("coracle"));
}

BOOST_AUTO_TEST_CASE(an_error_is_a_system_error_with_a_sentence) {
  const std::error_code code = Errc::name_taken;
  BOOST_TEST(code.message() == "name taken");
  const Error error(Errc::name_taken, "\"ann\" is held; choose another name");
  BOOST_TEST((error.code() == Errc::name_taken));
  BOOST_TEST(error.what() == std::string("\"ann\" is held; choose another name"));
}

BOOST_AUTO_TEST_CASE(every_reason_of_an_ending_has_a_word) {
  BOOST_TEST(to_string(EndReason::stopped) == std::string("stopped"));
  BOOST_TEST(to_string(EndReason::fenced) == std::string("fenced"));
  BOOST_TEST((Incarnation{1, 9} < Incarnation{2, 1}));
}

BOOST_AUTO_TEST_CASE(the_steady_clock_never_goes_back) {
  const Time before = steady_clock().now();
  BOOST_TEST((steady_clock().now() >= before));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle
