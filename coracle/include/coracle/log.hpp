// The lines of the library for people: few, by default warnings on standard error. The variable
// CORACLE_LOG chooses them for a program that does not: CORACLE_LOG=debug,link=trace
// Contract: coracle/tests/log_test.cpp
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace coracle {

// How much a line matters.
enum class LogLevel : std::uint8_t { trace, debug, info, warning, error, off };

// One line, without its end. What could deceive whoever reads it is escaped.
struct LogLine {
  LogLevel level = LogLevel::warning;
  // Which part of the library says it: node, link, directory, store, beacon.
  std::string_view part;
  std::string_view text;
};

// From now on says what matters at least that much: "debug" for all parts, "link=trace" for one;
// with commas between them, the last one that fits counts. "off" says nothing. Fails with
// Errc::bad_options.
void set_log(std::string_view levels);
// From now on gives all lines to `sink`, one at a time, from any thread; empty: standard error.
// `sink` must not call the library.
void set_log_sink(std::function<void(const LogLine&)> sink);

// "trace", "debug", …
std::string_view to_string(LogLevel level) noexcept;

}  // namespace coracle
