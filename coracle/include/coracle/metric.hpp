// A measured value, and how far it can be believed.
// Tests: coracle/tests/metrics/metric_test.cpp
#pragma once

#include "coracle/clock.hpp"

#include <string>

namespace coracle {

// The scale of credibility, from 0 to 1 (Cougaar's). Any value between these is possible, too.
namespace credibility {
inline constexpr double none = 0;                // nobody knows
inline constexpr double standard = 0.1;          // a value that the program was built with
inline constexpr double system = 0.2;            // set for a host
inline constexpr double configured = 0.3;        // set by the user
inline constexpr double measured_once = 0.4;     // measured, at the beginning of a program
inline constexpr double measured_hours = 0.6;    // measured hours ago
inline constexpr double measured_minutes = 0.7;  // measured minutes ago
inline constexpr double measured = 0.8;          // measured seconds ago
inline constexpr double confirmed = 0.9;         // measured by several, who agree
inline constexpr double certain = 1;             // known beyond doubt
}  // namespace credibility

// A value.
struct Metric {
  double value = 0;
  // The unit: "bytes", "1/s", "s"; empty for a plain number.
  std::string unit = {};
  // From 0 to 1, at the time of the measurement.
  double credibility = credibility::none;
  // The name of the sensor, agent or file that has measured it.
  std::string provenance = {};
  // The time of the measurement.
  Time time = {};
  // After this time the value counts as half as credible, after twice of it as a quarter.
  Duration half_life = Duration::max();

  // The credibility at a later time.
  double credibility_at(Time now) const noexcept;
};

}  // namespace coracle
