// The way between the reply-by of a message and the clock of a node. Tests:
// acl/tests/protocols/calendar_test.cpp.
#pragma once

#include "coracle/acl/date_time.hpp"
#include "coracle/clock.hpp"

#include <optional>

namespace coracle::acl {

// Reads dates as points on a node's clock. Our own agents write times from now, "+…", which every
// agent reads in the same way, whatever its clock shows.
struct Calendar {
  // The calendar time at which the node's clock shows zero. Without it, a date of the calendar has
  // no meaning and is ignored; times from now have one always.
  std::optional<CalendarTime> zero = {};

  // The time that `date` means when it is read at `now`. Empty if it has no meaning.
  std::optional<Time> time_of(const DateTime& date, Time now) const noexcept;
};

// The date of a time from now, in whole milliseconds, rounded up. A span below zero is zero.
DateTime date_from_now(Duration span) noexcept;

}  // namespace coracle::acl
