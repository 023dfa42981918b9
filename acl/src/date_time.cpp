#include "coracle/acl/date_time.hpp"

#include "ascii.hpp"

#include <algorithm>

namespace coracle::acl {

namespace {

using std::chrono::days;
using std::chrono::milliseconds;
using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr std::string_view date_form = "YYYYMMDDThhmmssmmm";

milliseconds time_of_day(const DateTime& date) noexcept {
  return std::chrono::hours(date.hour) + std::chrono::minutes(date.minute) +
         std::chrono::seconds(date.second) + milliseconds(date.millisecond);
}

std::optional<CalendarTime> relative_time(const DateTime& date, CalendarTime now) noexcept {
  constexpr CalendarTime::rep least = CalendarTime::min().time_since_epoch().count();
  constexpr CalendarTime::rep most = CalendarTime::max().time_since_epoch().count();
  const milliseconds length =
      days(365 * date.year + 30 * date.month + date.day) + time_of_day(date);
  const CalendarTime::rep from = now.time_since_epoch().count();
  if (date.kind == DateTime::Kind::from_now) {
    return from > most - length.count() ? CalendarTime::max() : now + length;
  }
  return from < least + length.count() ? CalendarTime::min() : now - length;
}

void append_padded(std::string& text, unsigned number, std::size_t digits) {
  const std::string written = std::to_string(number);
  if (written.size() < digits) text.append(digits - written.size(), '0');
  text += written;
}

}  // namespace

DateTime date_time_of(CalendarTime time) noexcept {
  using std::chrono::year;
  constexpr CalendarTime first = sys_days(year(0) / 1 / 1);
  constexpr CalendarTime last = sys_days(year(10000) / 1 / 1) - milliseconds(1);
  time = std::clamp(time, first, last);
  const auto day = std::chrono::floor<days>(time);
  const year_month_day date(day);
  const auto rest = static_cast<unsigned>((time - day).count());

  DateTime fields;
  fields.year = static_cast<std::uint16_t>(static_cast<int>(date.year()));
  fields.month = static_cast<std::uint8_t>(static_cast<unsigned>(date.month()));
  fields.day = static_cast<std::uint8_t>(static_cast<unsigned>(date.day()));
  fields.hour = static_cast<std::uint8_t>(rest / 3'600'000);
  fields.minute = static_cast<std::uint8_t>(rest / 60'000 % 60);
  fields.second = static_cast<std::uint8_t>(rest / 1000 % 60);
  fields.millisecond = static_cast<std::uint16_t>(rest % 1000);
  return fields;
}

std::optional<CalendarTime> calendar_time_of(const DateTime& date, CalendarTime now) noexcept {
  if (date.kind != DateTime::Kind::absolute) return relative_time(date, now);
  const year_month_day day(std::chrono::year(date.year), std::chrono::month(date.month),
                           std::chrono::day(date.day));
  const bool exists = date.year <= 9999 && day.ok() && date.hour < 24 && date.minute < 60 &&
                      date.second < 60 && date.millisecond < 1000;
  if (!exists) return std::nullopt;
  return sys_days(day) + time_of_day(date);
}

bool is_writable(const DateTime& date) noexcept {
  return date.kind <= DateTime::Kind::before_now && (date.zone == 0 || is_letter(date.zone)) &&
         date.year <= 9999 && date.month < 100 && date.day < 100 && date.hour < 100 &&
         date.minute < 100 && date.second < 100 && date.millisecond < 1000;
}

std::string to_text(const DateTime& date) {
  std::string text;
  text.reserve(date_form.size() + 2);
  if (date.kind == DateTime::Kind::from_now) text += '+';
  if (date.kind == DateTime::Kind::before_now) text += '-';
  append_padded(text, date.year, 4);
  append_padded(text, date.month, 2);
  append_padded(text, date.day, 2);
  text += 'T';
  append_padded(text, date.hour, 2);
  append_padded(text, date.minute, 2);
  append_padded(text, date.second, 2);
  append_padded(text, date.millisecond, 3);
  if (date.zone != 0) text += date.zone;
  return text;
}

std::optional<DateTime> date_time_from(std::string_view text) noexcept {
  DateTime date;
  date.zone = 0;
  if (text.starts_with('+')) date.kind = DateTime::Kind::from_now;
  if (text.starts_with('-')) date.kind = DateTime::Kind::before_now;
  if (date.kind != DateTime::Kind::absolute) text.remove_prefix(1);
  if (text.size() == date_form.size() + 1 && is_letter(text.back())) {
    date.zone = text.back();
    text.remove_suffix(1);
  }
  if (text.size() != date_form.size() || text[8] != 'T') return std::nullopt;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (at != 8 && !is_digit(text[at])) return std::nullopt;
  }
  const auto number = [&](std::size_t at, std::size_t digits) {
    unsigned value = 0;
    for (const char digit : text.substr(at, digits)) value = 10 * value + (digit - '0');
    return value;
  };
  date.year = static_cast<std::uint16_t>(number(0, 4));
  date.month = static_cast<std::uint8_t>(number(4, 2));
  date.day = static_cast<std::uint8_t>(number(6, 2));
  date.hour = static_cast<std::uint8_t>(number(9, 2));
  date.minute = static_cast<std::uint8_t>(number(11, 2));
  date.second = static_cast<std::uint8_t>(number(13, 2));
  date.millisecond = static_cast<std::uint16_t>(number(15, 3));
  return date;
}

}  // namespace coracle::acl
