// The library's log lines for people: few, by default warnings on standard error. The variable
// CORACLE_LOG selects them for a program that does not call set_log(): CORACLE_LOG=debug,link=trace
// Tests: coracle/tests/runtime/log_test.cpp
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace coracle {

// The severity of a line.
enum class LogLevel : std::uint8_t { trace, debug, info, warning, error, off };

// One line, without its end. Characters that could deceive a reader are escaped.
struct LogLine {
  LogLevel level = LogLevel::warning;
  // The part of the library that wrote the line: node, link, directory, store, beacon,
  // gateway.
  std::string_view part;
  std::string_view text;
};

// From now on logs lines of at least that severity: "debug" for all parts, "link=trace" for one;
// commas separate several settings, and the last one that fits counts. "off" logs nothing. Fails
// with Errc::bad_options.
void set_log(std::string_view levels);
// From now on passes all lines to `sink`, one at a time, from any thread; an empty `sink` restores
// standard error. `sink` must not call the library.
void set_log_sink(std::function<void(const LogLine&)> sink);

// The name of a level: "trace", "debug", …
std::string_view to_string(LogLevel level) noexcept;

}  // namespace coracle
