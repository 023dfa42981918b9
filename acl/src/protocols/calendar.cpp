#include "coracle/acl/protocols/calendar.hpp"

#include <algorithm>

namespace coracle::acl {

using std::chrono::milliseconds;

std::optional<Time> Calendar::time_of(const DateTime& date, Time now) const noexcept {
  const bool is_absolute = date.kind == DateTime::Kind::absolute;
  if (is_absolute && !zero) return std::nullopt;
  // A time from now needs no calendar: it counts from any point.
  const CalendarTime begin = is_absolute ? *zero : CalendarTime();
  const std::optional<CalendarTime> read = calendar_time_of(date, begin);
  if (!read) return std::nullopt;
  const Time from = is_absolute ? Time() : now;
  // In milliseconds, so that a date far away does not overflow.
  const auto sum = std::chrono::floor<milliseconds>(from.time_since_epoch()) + (*read - begin);
  if (sum > std::chrono::floor<milliseconds>(Duration::max())) return Time::max();
  if (sum < std::chrono::ceil<milliseconds>(Duration::min())) return Time::min();
  return from + (*read - begin);
}

DateTime date_from_now(Duration span) noexcept {
  constexpr auto day = std::chrono::hours(24);
  auto rest = std::chrono::ceil<milliseconds>(std::max(span, Duration::zero()));
  DateTime date;
  date.kind = DateTime::Kind::from_now;
  date.zone = 0;
  const auto take = [&](milliseconds unit) {
    const auto count = rest / unit;
    rest -= count * unit;
    return count;
  };
  date.year = static_cast<std::uint16_t>(take(365 * day));
  date.month = static_cast<std::uint8_t>(take(30 * day));
  date.day = static_cast<std::uint8_t>(take(day));
  date.hour = static_cast<std::uint8_t>(take(std::chrono::hours(1)));
  date.minute = static_cast<std::uint8_t>(take(std::chrono::minutes(1)));
  date.second = static_cast<std::uint8_t>(take(std::chrono::seconds(1)));
  date.millisecond = static_cast<std::uint16_t>(rest.count());
  return date;
}

}  // namespace coracle::acl
