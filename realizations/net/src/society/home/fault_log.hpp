// Decides which faults of links get a line in a log. The same fault of one peer is logged once,
// however often it occurs. Of many peers with the same fault, the first few are named and the
// others counted: when half of a large society goes, every node of the other half notices.
// Tests: realizations/net/tests/society/fault_log_test.cpp
#pragma once

#include "realizations/net/src/link.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

namespace coracle::society {

class FaultLog {
 public:
  using Log = std::function<void(const std::string&)>;
  // At most this many peers are named for one cause in one period.
  static constexpr unsigned named = 3;
  static constexpr Duration period = std::chrono::seconds(10);

  FaultLog(net::Alarms& alarms, const Clock& clock, Log log);

  void note(const std::string& who, const net::Closing& why);

 private:
  struct Cause {
    unsigned said = 0;
    std::uint64_t unsaid = 0;
    std::string last;
    Time until{};
  };

  void end_periods();

  const Clock& clock_;
  const Log log_;
  std::map<net::Reason, Cause> causes_;
  std::unordered_map<std::string, std::string> latest_;  // the last line about each peer
  std::unique_ptr<net::Alarm> alarm_;
};

}  // namespace coracle::society
