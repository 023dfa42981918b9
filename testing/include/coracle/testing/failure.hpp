// The exception for an expectation that is not met.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace coracle::testing {

// An expectation that was not met. what() gives the place in the source, the expectation, the event
// instead of it, and the way to repeat the run.
class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& what) : runtime_error(what), brief_(what) {}
  // `repeat` is the way to repeat the run.
  Failure(const std::string& what, const std::string& repeat)
      : runtime_error(what + "\n" + repeat), brief_(what) {}

  // The same as what(), without the way to repeat the run.
  const std::string& brief() const noexcept { return brief_; }

 private:
  std::string brief_;
};

// Throws a Failure with the text "file:line: what".
[[noreturn]] void fail(std::string_view what, const char* file = __builtin_FILE(),
                       int line = __builtin_LINE());

}  // namespace coracle::testing
