// Measures the process, its workers and its host. Only for nodes with threads: in the simulator,
// the machine has no part in what happens.
#pragma once

#include "coracle/metrics.hpp"

#include <cstddef>
#include <vector>

namespace coracle::detail {

// The processor time that the calling thread has used.
Duration thread_processor_time() noexcept;

class MachineSensors {
 public:
  MachineSensors(Metrics& metrics, const std::vector<MetricPath::Step>& node, std::size_t workers);

  // The context of the host: Host(NAME).
  static std::vector<MetricPath::Step> host();

  // Measures what has happened since the last call, `passed` ago; `workers` have used so much
  // processor time so far.
  void update(Duration passed, const std::vector<Duration>& workers);

 private:
  // A share of a processor: the difference of two processor times, over the time between them.
  struct Share {
    void update(Duration used, Duration passed);

    Sensor sensor;
    Duration last{-1};
  };

  Share process_;
  std::vector<Share> workers_;
  Sensor memory_, load_, free_, processors_;
};

}  // namespace coracle::detail
