#include "coracle/http/events.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"
#include "message/text.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace coracle::http {

namespace {

void check_field(std::string_view what, std::string_view text) {
  if (text.find_first_of(std::string_view("\r\n\0", 3)) == text.npos) return;
  throw Error(Errc::bad_options, "the " + std::string(what) + " of an event, " +
                                     detail::quoted(text) +
                                     ", has an end of line or a zero byte; leave that out");
}

void write_lines(std::string& text, std::string_view prefix, std::string_view lines) {
  for (;;) {
    const auto end = lines.find_first_of("\r\n");
    text.append(prefix).append(lines.substr(0, end)) += '\n';
    if (end == lines.npos) return;
    lines.remove_prefix(lines.substr(end).starts_with("\r\n") ? end + 2 : end + 1);
  }
}

}  // namespace

std::string write_event(const Event& event) {
  check_field("name", event.name);
  check_field("id", event.id);
  std::string text;
  text.reserve(event.data.size() + event.name.size() + event.id.size() + 32);
  if (!event.name.empty()) text.append("event: ").append(event.name) += '\n';
  if (!event.id.empty()) text.append("id: ").append(event.id) += '\n';
  write_lines(text, "data: ", event.data);
  return text += '\n';
}

std::string write_comment(std::string_view text) {
  std::string lines;
  write_lines(lines, ": ", text);
  return lines += '\n';
}

std::string write_retry(Duration after) {
  const auto count = std::chrono::duration_cast<std::chrono::milliseconds>(after).count();
  return "retry: " + std::to_string(std::max<std::int64_t>(count, 0)) + "\n\n";
}

void EventReader::check_size() const {
  const std::size_t bytes =
      line_.size() + event_.data.size() + event_.name.size() + event_.id.size();
  if (bytes <= limits_.event_bytes) return;
  throw Error(Errc::too_large, "a server sent an event with more than " +
                                   std::to_string(limits_.event_bytes) +
                                   " bytes; ask for less, or raise the limit");
}

void EventReader::read(std::string_view bytes, const std::function<void(Event)>& take) {
  while (!bytes.empty()) {
    if (std::exchange(after_return_, false) && bytes.front() == '\n') {
      bytes.remove_prefix(1);
      continue;
    }
    const auto end = bytes.find_first_of("\r\n");
    const std::string_view piece = bytes.substr(0, end);
    // The limit comes before the memory.
    if (piece.size() > limits_.event_bytes) line_.resize(limits_.event_bytes + 1);
    else line_ += piece;
    check_size();
    if (end == bytes.npos) return;
    after_return_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    end_line(take);
  }
}

void EventReader::end_line(const std::function<void(Event)>& take) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  const std::string owned = std::exchange(line_, {});
  std::string_view line = owned;
  if (std::exchange(is_first_line_, false) && line.starts_with(byte_order_mark))
    line.remove_prefix(byte_order_mark.size());
  if (line.empty()) return end_event(take);
  const auto colon = line.find(':');
  const std::string_view field = line.substr(0, colon);
  std::string_view value = colon == line.npos ? std::string_view() : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (field == "data") {
    if (std::exchange(has_data_, true)) event_.data += '\n';
    event_.data += value;
  } else if (field == "event") {
    event_.name = value;
  } else if (field == "id" && value.find('\0') == value.npos) {
    event_.id = value;
    has_id_ = true;
  } else if (field == "retry") {
    constexpr std::uint32_t most = 86'400'000;  // a day
    if (const auto count = number_in<std::uint64_t>(value))
      retry_ = std::chrono::milliseconds(std::min<std::uint64_t>(*count, most));
  }
  check_size();
}

void EventReader::end_event(const std::function<void(Event)>& take) {
  Event event = std::exchange(event_, {});
  if (std::exchange(has_id_, false)) last_id_ = event.id;
  if (std::exchange(has_data_, false)) take(std::move(event));
}

}  // namespace coracle::http
