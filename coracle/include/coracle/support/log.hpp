// The few lines that a node logs for its operator. See <coracle/log.hpp>.
#pragma once

#include "coracle/log.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <string>

namespace coracle::detail {

enum class LogPart : std::uint8_t { node, link, directory, store, beacon, gateway };
inline constexpr std::size_t log_parts = 6;

// The lowest level that each part logs.
extern std::array<std::atomic<LogLevel>, log_parts> log_levels;

// Returns whether a line would be logged; code that has to make the line checks this first.
inline bool is_logged(LogLevel level, LogPart part) noexcept {
  return level >= log_levels[static_cast<std::size_t>(part)].load(std::memory_order_relaxed);
}

// Logs a line; characters that may deceive are escaped.
void log(LogLevel level, LogPart part, const std::string& line) noexcept;
inline void log_warning(const std::string& line, LogPart part = LogPart::node) noexcept {
  log(LogLevel::warning, part, line);
}
// Returns a function that logs warnings of that part.
inline std::function<void(const std::string&)> warnings_of(LogPart part) {
  return [part](const std::string& line) { log_warning(line, part); };
}
// Makes the line only if it is logged.
template <class Make>
void log_debug(LogPart part, const Make& make) {
  if (is_logged(LogLevel::debug, part)) log(LogLevel::debug, part, make());
}

}  // namespace coracle::detail
