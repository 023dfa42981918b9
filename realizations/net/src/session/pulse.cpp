#include "realizations/net/src/session/pulse.hpp"

#include <algorithm>
#include <cmath>

namespace coracle::net {

namespace {

double seconds(Duration span) { return std::chrono::duration<double>(span).count(); }

// Returns -log10 of the probability that a normal variable exceeds its mean by so many deviations.
double phi_of(double deviations) { return -std::log10(0.5 * std::erfc(deviations / std::sqrt(2))); }

double quantile_of(double threshold) {
  double low = -8, high = 35;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (phi_of(middle) < threshold ? low : high) = middle;
  }
  return high;
}

}  // namespace

Pulse::Pulse(const PulseOptions& options, Time now)
    : options_(options), quantile_(quantile_of(options.threshold)), received_(now), beaten_(now) {
  // Before the first heartbeat: the intended interval, and a quarter of it either way.
  const double mean = seconds(options.heartbeat);
  sample(mean * 0.75);
  sample(mean * 1.25);
}

void Pulse::sample(double span) {
  if (count_ == most_samples) {
    sum_ -= samples_[next_];
    squares_ -= static_cast<double>(samples_[next_]) * samples_[next_];
  } else {
    ++count_;
  }
  samples_[next_] = static_cast<float>(span);
  sum_ += samples_[next_];
  squares_ += static_cast<double>(samples_[next_]) * samples_[next_];
  next_ = (next_ + 1) % most_samples;
  const double patience = sum_ / static_cast<double>(count_) + seconds(options_.acceptable_pause) +
                          quantile_ * deviation();
  patience_ = std::chrono::duration_cast<Duration>(std::chrono::duration<double>(patience));
}

void Pulse::beat(Time now) {
  // A heartbeat soon after another one is no sample of the silence to be expected.
  if (now - beaten_ < options_.heartbeat / 2) return received(now);
  // Intervals longer than the forgiven pause would make the detector slow for a long time.
  sample(std::min(seconds(now - beaten_),
                  seconds(options_.heartbeat) + seconds(options_.acceptable_pause)));
  beaten_ = now;
  received(now);
}

void Pulse::begin(Time now) {
  beaten_ = now;
  received(now);
}

double Pulse::deviation() const {
  const double count = static_cast<double>(count_), mean = sum_ / count;
  const double variance = std::max(0.0, squares_ / count - mean * mean);
  return std::max(std::sqrt(variance), seconds(options_.least_deviation));
}

double Pulse::phi(Time now) const {
  const double mean = sum_ / static_cast<double>(count_) + seconds(options_.acceptable_pause);
  return phi_of((seconds(now - received_) - mean) / deviation());
}

}  // namespace coracle::net
