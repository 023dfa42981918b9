// The report of an exploration: its size, or the schedule that failed, step by step.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

namespace coracle::testing {

struct Report {
  std::string failure;  // empty if every schedule passes; else the failure and its schedule
  std::size_t runs = 0;
  std::size_t states = 0;
  double schedules = 0;  // the number of complete interleavings that the runs represent

  bool ok() const { return failure.empty(); }
};

inline std::ostream& operator<<(std::ostream& out, const Report& report) {
  out << report.runs << " runs, " << report.states << " states";
  if (report.ok()) return out << ", all of " << report.schedules << " schedules";
  return out << ", " << report.failure;
}

enum class Action : std::uint8_t { load, store, modify, give, take, drain };

struct Step {
  std::size_t thread;
  Action action;
  std::size_t location;
  std::uint64_t value;  // the value read, or the later value in memory or buffer
  std::memory_order order;
};

inline void describe(std::ostream& out, const Step& step, std::string_view thread,
                     std::string_view kind) {
  static constexpr std::array actions{"loads",   "stores (buffered)", "exchanges",
                                      "signals", "is through",        "has stored"};
  static constexpr std::array orders{"relaxed", "consume", "acquire",
                                     "release", "acq_rel", "seq_cst"};
  out << "\n  " << thread << ' ' << actions[static_cast<std::size_t>(step.action)] << ' ' << kind
      << '#' << step.location << " = " << step.value << ' '
      << orders[static_cast<std::size_t>(step.order)];
}

}  // namespace coracle::testing
