// The names of states, and the texts of times.
#include "coracle/a2a/model_json.hpp"

#include <array>
#include <charconv>
#include <cstdio>

namespace coracle::a2a {

namespace {

constexpr std::array<const char*, 9> state_names = {
    "TASK_STATE_UNSPECIFIED",    "TASK_STATE_SUBMITTED", "TASK_STATE_WORKING",
    "TASK_STATE_COMPLETED",      "TASK_STATE_FAILED",    "TASK_STATE_CANCELED",
    "TASK_STATE_INPUT_REQUIRED", "TASK_STATE_REJECTED",  "TASK_STATE_AUTH_REQUIRED"};

// Reads numbers of a fixed width, one after the other.
class Digits {
 public:
  explicit Digits(std::string_view text) noexcept : left_(text) {}

  int number(std::size_t width) noexcept {
    int value = 0;
    for (std::size_t i = 0; i < width; ++i) {
      if (left_.empty() || left_.front() < '0' || left_.front() > '9') return is_wrong_ = true, 0;
      value = value * 10 + (left_.front() - '0');
      left_.remove_prefix(1);
    }
    return value;
  }
  bool take(char wanted) noexcept {
    const bool is_there = !left_.empty() && left_.front() == wanted;
    if (is_there) left_.remove_prefix(1);
    return is_there;
  }
  void need(char wanted) noexcept { is_wrong_ = !take(wanted) || is_wrong_; }
  bool has_digit() const noexcept {
    return !left_.empty() && left_.front() >= '0' && left_.front() <= '9';
  }
  bool is_over() const noexcept { return left_.empty() && !is_wrong_; }

 private:
  std::string_view left_;
  bool is_wrong_ = false;
};

}  // namespace

const char* to_string(TaskState state) noexcept {
  return state_names[static_cast<std::size_t>(state)];
}

std::optional<TaskState> task_state_in(std::string_view name) noexcept {
  for (std::size_t i = 0; i < state_names.size(); ++i)
    if (name == state_names[i]) return static_cast<TaskState>(i);
  return std::nullopt;
}

std::string to_text(Timestamp time) {
  using namespace std::chrono;
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  std::array<char, 40> text;
  const int size = std::snprintf(
      text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", int{date.year()},
      unsigned{date.month()}, unsigned{date.day()}, static_cast<int>(clock.hours().count()),
      static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()),
      static_cast<int>(clock.subseconds().count()));
  return std::string(text.data(), static_cast<std::size_t>(size));
}

std::optional<Timestamp> timestamp_in(std::string_view text) noexcept {
  using namespace std::chrono;
  Digits in(text);
  const int y = in.number(4);
  in.need('-');
  const int m = in.number(2);
  in.need('-');
  const int d = in.number(2);
  in.need('T');
  const int hour = in.number(2);
  in.need(':');
  const int minute = in.number(2);
  in.need(':');
  const int second = in.number(2);
  int thousandths = 0;
  if (in.take('.')) {
    int scale = 100;
    if (!in.has_digit()) return std::nullopt;
    for (int digits = 0; in.has_digit() && digits < 9; ++digits, scale /= 10)
      thousandths += in.number(1) * scale;
  }
  minutes zone{0};
  if (!in.take('Z')) {
    const bool is_west = in.take('-');
    if (!is_west) in.need('+');
    zone = hours(in.number(2));
    in.need(':');
    zone += minutes(in.number(2));
    if (is_west) zone = -zone;
  }
  const year_month_day date(year{y}, month{static_cast<unsigned>(m)},
                            day{static_cast<unsigned>(d)});
  if (!in.is_over() || !date.ok() || y < 1 || hour > 23 || minute > 59 || second > 60 ||
      abs(zone) >= hours(24))
    return std::nullopt;
  return sys_days(date) + hours(hour) + minutes(minute) + seconds(second) +
         milliseconds(thousandths) - zone;
}

}  // namespace coracle::a2a
