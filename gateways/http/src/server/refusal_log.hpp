// Decides which refusals of a server get a line in the log: for each reason, the first few in each
// period; the others are counted. Pure.
// Tests: gateways/http/tests/refusal_log_test.cpp
#pragma once

#include "coracle/clock.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace coracle::http {

class RefusalLog {
 public:
  static constexpr unsigned named = 3;
  static constexpr Duration period = std::chrono::seconds(10);
  static constexpr std::size_t most_reasons = 64;

  // Returns whether a line about something for that reason is logged.
  bool note(const std::string& reason, Time now);
  // Returns a line about those that got none, if a period is over.
  std::optional<std::string> sum_up(Time now);
  // The time at which sum_up() has something to say.
  Time next() const noexcept;

 private:
  struct Reason {
    unsigned said = 0;
    std::uint64_t unsaid = 0;
    Time until{};
  };
  std::map<std::string, Reason> reasons_;
};

}  // namespace coracle::http
