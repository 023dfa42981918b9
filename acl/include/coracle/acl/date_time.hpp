// A date and time as FIPA writes it: "20231114T221320123Z", or a time from now:
// "+00000000T000005000". Tests: acl/tests/date_time_test.cpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace coracle::acl {

// The fields as they were written. A relative time counts from the moment at which it is read.
struct DateTime {
  enum class Kind : std::uint8_t { absolute, from_now, before_now };

  Kind kind = Kind::absolute;
  // A letter: Z is UTC. Zero is the local time of the sender.
  char zone = 'Z';
  std::uint16_t year = 0;
  std::uint8_t month = 0;
  std::uint8_t day = 0;
  std::uint8_t hour = 0;
  std::uint8_t minute = 0;
  std::uint8_t second = 0;
  std::uint16_t millisecond = 0;

  bool operator==(const DateTime&) const = default;
};

// A point in calendar time, in milliseconds.
using CalendarTime = std::chrono::sys_time<std::chrono::milliseconds>;

// The absolute time in UTC. Years after 9999 become the last millisecond of 9999, years before 0
// the first millisecond of 0.
DateTime date_time_of(CalendarTime time) noexcept;
// The time that `date` means when it is read at `now`. A year of a relative time has 365 days, a
// month 30. A time that is not in UTC is taken as UTC, because its zone is not known here. Empty if
// the date does not exist, as 31 April.
std::optional<CalendarTime> calendar_time_of(const DateTime& date, CalendarTime now) noexcept;

// Returns whether the text form has the digits for each field, and the zone is a letter or zero.
// The codecs write only such dates.
bool is_writable(const DateTime& date) noexcept;
// "20231114T221320123Z".
std::string to_text(const DateTime& date);
// Reads that form: eight digits, "T", nine digits; in front "+" or "-" for a relative time; behind
// it at most one letter. Empty for anything else. The fields' ranges are not checked.
std::optional<DateTime> date_time_from(std::string_view text) noexcept;

}  // namespace coracle::acl
