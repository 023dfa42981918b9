// The detector that suspects a peer of being dead: the phi-accrual detector of Hayashibara and
// others (2004), for heartbeats that come about evenly, with a pause that is always forgiven.
#pragma once

#include "coracle/clock.hpp"

#include <array>
#include <cstddef>

namespace coracle::net {

// Settings of a Pulse.
struct PulseOptions {
  Duration heartbeat{};  // the intended interval
  double threshold = 10;
  Duration least_deviation{};
  Duration acceptable_pause{};
};

// Phi measures how improbable it is that a live peer is silent for so long: 10^-phi.
class Pulse {
 public:
  Pulse(const PulseOptions& options, Time now);

  // A heartbeat has come.
  void beat(Time now);
  // Any bytes have come, heartbeats included.
  void received(Time now) { received_ = now; }
  // A connection has begun: the time since the last heartbeat is no sample.
  void begin(Time now);
  // This node itself was held up, and received nothing for that reason.
  void forgive(Duration span) { received_ += span; }

  double phi(Time now) const;
  // Returns the time from which phi is over the threshold.
  Time suspicious_at() const { return received_ + patience_; }
  Time last_received() const { return received_; }

 private:
  static constexpr std::size_t most_samples = 200;

  void sample(double seconds);
  double deviation() const;

  PulseOptions options_;
  double quantile_;  // the threshold in standard deviations
  std::array<float, most_samples> samples_{};
  std::size_t count_ = 0, next_ = 0;
  double sum_ = 0, squares_ = 0;
  Duration patience_{};  // the permitted silence, by these samples
  Time received_, beaten_;
};

}  // namespace coracle::net
