// What is thrown when an expectation is not met.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace coracle::testing {

// An expectation that was not met; what() says where, what was expected, what came instead, and
// how that run can be had again.
class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& what) : runtime_error(what), brief_(what) {}
  // `repeat` says how that run can be had again.
  Failure(const std::string& what, const std::string& repeat)
      : runtime_error(what + "\n" + repeat), brief_(what) {}

  // The same as what(), without how to repeat it.
  const std::string& brief() const noexcept { return brief_; }

 private:
  std::string brief_;
};

// Throws a Failure that says "file:line: what".
[[noreturn]] void fail(std::string_view what, const char* file = __builtin_FILE(),
                       int line = __builtin_LINE());

}  // namespace coracle::testing
