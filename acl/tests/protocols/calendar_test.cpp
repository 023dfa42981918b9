// Dates of messages as times of a node's clock.
#include "coracle/acl/protocols/calendar.hpp"

#include "support/conversing.hpp"

#include <rapidcheck.h>
#include <boost/test/unit_test.hpp>

namespace coracle::acl {

using test::at;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(calendar)

BOOST_AUTO_TEST_CASE(a_time_from_now_needs_no_calendar) {
  const Calendar calendar;
  BOOST_TEST((calendar.time_of(*date_time_from("+00000000T000005000"), at(3s)) == at(8s)));
  BOOST_TEST((calendar.time_of(*date_time_from("-00000000T000001500"), at(3s)) == at(1500ms)));
  BOOST_TEST((calendar.time_of(*date_time_from("+00000001T000000000Z"), at(0s)) == at(24h)));
}

BOOST_AUTO_TEST_CASE(a_date_counts_from_the_calendar_time_of_the_clocks_zero) {
  const DateTime date = *date_time_from("20261129T120000500Z");
  BOOST_TEST(!Calendar().time_of(date, at(3s)).has_value());
  const Calendar calendar{calendar_time_of(*date_time_from("20261129T115950000Z"), {})};
  BOOST_TEST((calendar.time_of(date, at(3s)) == at(10'500ms)));
  BOOST_TEST(!calendar.time_of(*date_time_from("20261131T120000500Z"), at(3s)).has_value());
}

BOOST_AUTO_TEST_CASE(a_date_beyond_the_clock_is_its_last_or_first_time) {
  const Calendar calendar{CalendarTime()};
  BOOST_TEST((calendar.time_of(*date_time_from("99991231T235959999Z"), at(3s)) == Time::max()));
  BOOST_TEST((calendar.time_of(*date_time_from("00000101T000000000Z"), at(3s)) == Time::min()));
  BOOST_TEST((calendar.time_of(*date_time_from("+99999999T999999999Z"), at(3s)) == Time::max()));
  BOOST_TEST((calendar.time_of(*date_time_from("-99999999T999999999Z"), at(3s)) == Time::min()));
}

BOOST_AUTO_TEST_CASE(a_span_is_written_in_whole_milliseconds_and_reads_back) {
  BOOST_TEST(to_text(date_from_now(5s)) == "+00000000T000005000");
  BOOST_TEST(to_text(date_from_now(1500us)) == "+00000000T000000002");
  BOOST_TEST(to_text(date_from_now(-1s)) == "+00000000T000000000");
  BOOST_TEST(to_text(date_from_now(24h * 400)) == "+00010105T000000000");
  BOOST_TEST(is_writable(date_from_now(Duration::max())));
  BOOST_TEST(rc::check([] {
    const auto span = std::chrono::milliseconds(*rc::gen::inRange<std::int64_t>(0, 1LL << 42));
    RC_ASSERT(Calendar().time_of(date_from_now(span), at(7s)) == at(7s + span));
  }));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::acl
