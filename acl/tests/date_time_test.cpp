#include "coracle/acl/date_time.hpp"

#include <rapidcheck.h>
#include <boost/test/unit_test.hpp>

namespace {

using namespace coracle::acl;
using namespace std::chrono_literals;

CalendarTime after_1970(std::chrono::milliseconds time) { return CalendarTime(time); }

std::optional<CalendarTime> meaning(std::string_view text, CalendarTime now = {}) {
  const auto date = date_time_from(text);
  BOOST_REQUIRE(date);
  return calendar_time_of(*date, now);
}

BOOST_AUTO_TEST_SUITE(date_time)

BOOST_AUTO_TEST_CASE(a_time_is_written_in_the_form_of_fipa) {
  const DateTime date = date_time_of(after_1970(1'700'000'000'123ms));
  BOOST_TEST(to_text(date) == "20231114T221320123Z");
  BOOST_TEST(to_text(date_time_of(after_1970(0ms))) == "19700101T000000000Z");
  BOOST_TEST(to_text(date_time_of(after_1970(-1ms))) == "19691231T235959999Z");
}

BOOST_AUTO_TEST_CASE(a_written_time_is_read) {
  const auto date = date_time_from("20231114T221320123Z");
  BOOST_REQUIRE(date);
  BOOST_TEST((*date == DateTime{.year = 2023,
                                .month = 11,
                                .day = 14,
                                .hour = 22,
                                .minute = 13,
                                .second = 20,
                                .millisecond = 123}));
  BOOST_TEST((meaning("20231114T221320123Z") == after_1970(1'700'000'000'123ms)));
}

BOOST_AUTO_TEST_CASE(a_time_without_a_zone_stays_one_and_means_utc) {
  const auto date = date_time_from("20231114T221320123");
  BOOST_REQUIRE(date);
  BOOST_TEST((date->zone == 0));
  BOOST_TEST(to_text(*date) == "20231114T221320123");
  BOOST_TEST((meaning("20231114T221320123") == after_1970(1'700'000'000'123ms)));
  BOOST_TEST(to_text(*date_time_from("20231114T221320123b")) == "20231114T221320123b");
}

BOOST_AUTO_TEST_CASE(a_relative_time_counts_from_now) {
  const CalendarTime now = after_1970(100s);
  BOOST_TEST((meaning("+00000000T000005000", now) == after_1970(105s)));
  BOOST_TEST((meaning("-00000000T000005007Z", now) == after_1970(95s - 7ms)));
  BOOST_TEST((meaning("+00010000T000000000", now) == after_1970(100s + 365 * 24h)));
  BOOST_TEST((meaning("+00000203T010200000", now) == after_1970(100s + 63 * 24h + 62min)));
  BOOST_TEST(to_text(*date_time_from("-00000203T010200000")) == "-00000203T010200000");
}

BOOST_AUTO_TEST_CASE(a_relative_time_stops_at_the_ends_of_calendar_time) {
  BOOST_TEST((meaning("+99999999T999999999", CalendarTime::max()) == CalendarTime::max()));
  BOOST_TEST((meaning("-99999999T999999999", CalendarTime::min()) == CalendarTime::min()));
}

BOOST_AUTO_TEST_CASE(a_date_that_does_not_exist_has_no_meaning) {
  for (const auto* text : {"20230431T000000000Z", "20231301T000000000Z", "20230100T000000000Z",
                           "20230001T000000000Z", "20230101T240000000Z", "20230101T006000000Z",
                           "20230101T000060000Z", "20230229T000000000Z"}) {
    BOOST_TEST(!meaning(text), text);
  }
  BOOST_TEST(meaning("20240229T000000000Z").has_value());
  BOOST_TEST(!calendar_time_of({.year = 10000, .month = 1, .day = 1}, {}));
  BOOST_TEST(!calendar_time_of({.year = 1, .month = 1, .day = 1, .millisecond = 1000}, {}));
}

BOOST_AUTO_TEST_CASE(a_text_in_another_form_is_no_date) {
  for (const auto* text :
       {"", "Z", "+", "20231114", "20231114T22132012", "20231114T2213201234", "20231114Z221320123",
        "20231114T221320123ZZ", "20231114T22132012aZ", "++0231114T221320123", "2023111 T221320123",
        "20231114T221320123+", "20231114t221320123Z", " 20231114T221320123Z"}) {
    BOOST_TEST(!date_time_from(text), text);
  }
}

BOOST_AUTO_TEST_CASE(years_outside_the_form_become_its_ends) {
  BOOST_TEST(to_text(date_time_of(CalendarTime::max())) == "99991231T235959999Z");
  BOOST_TEST(to_text(date_time_of(CalendarTime::min())) == "00000101T000000000Z");
}

BOOST_AUTO_TEST_CASE(a_date_with_fields_beyond_their_digits_is_not_writable) {
  BOOST_TEST(is_writable({}));
  BOOST_TEST(is_writable({.zone = 0, .year = 9999, .second = 99, .millisecond = 999}));
  BOOST_TEST(!is_writable({.year = 10000}));
  BOOST_TEST(!is_writable({.month = 100}));
  BOOST_TEST(!is_writable({.day = 100}));
  BOOST_TEST(!is_writable({.hour = 100}));
  BOOST_TEST(!is_writable({.minute = 100}));
  BOOST_TEST(!is_writable({.second = 100}));
  BOOST_TEST(!is_writable({.millisecond = 1000}));
  BOOST_TEST(!is_writable({.zone = ' '}));
  BOOST_TEST(!is_writable({.kind = DateTime::Kind(3)}));
}

BOOST_AUTO_TEST_CASE(every_time_of_these_ten_thousand_years_comes_back) {
  const bool holds = rc::check([](std::int64_t number) {
    const auto time = after_1970(std::chrono::milliseconds(number % 60'000'000'000'000));
    const auto date = date_time_from(to_text(date_time_of(time)));
    RC_ASSERT(date.has_value());
    RC_ASSERT(calendar_time_of(*date, {}) == time);
  });
  BOOST_TEST(holds);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
