// The metrics of a node, and what measures them: at intervals, each worker counts what the agents
// at home there have done. Messages cost nothing more, and nothing is measured before anybody asks.
#pragma once

#include "coracle/inspection.hpp"
#include "coracle/metrics.hpp"
#include "metrics/machine_sensors.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace coracle::detail {

class Mailbox;
class NodeCore;
class Worker;

// The counts of an agent, or of all of them: the messages so far, and those that wait now.
struct AgentCounts {
  void add(const AgentCounts& other) noexcept {
    sent += other.sent;
    consumed += other.consumed;
    waiting += other.waiting;
    bytes += other.bytes;
  }

  std::uint64_t sent = 0;
  std::uint64_t consumed = 0;
  std::uint64_t waiting = 0;
  std::uint64_t bytes = 0;
  RunTime running;  // of one agent
};

// Puts in the values of one context: an agent's, or the node's.
class CountSensors {
 public:
  CountSensors(Metrics& metrics, std::vector<MetricPath::Step> context, bool has_run_time);

  // `now` are the counts `passed` after the last ones. The first ones have no rates.
  void update(const AgentCounts& now, Duration passed);

 private:
  Sensor out_, in_, waiting_, bytes_, load_;
  AgentCounts last_;
  bool has_last_ = false;
};

class NodeMetrics {
 public:
  NodeMetrics(NodeCore& node, Duration interval, std::size_t agents);
  ~NodeMetrics();

  Metrics& values() noexcept { return values_; }

 private:
  struct Tick;
  struct Seen {
    Mailbox* mailbox;
    AgentCounts counts;
  };
  struct Watched {
    CountSensors sensors;
    std::uint64_t round = 0;
  };
  // A round of measurements: each worker adds what it has seen.
  struct Round;

  void begin_round(Worker& first);
  static void look(Worker& at, std::size_t from, Round& round);
  void end_round(Worker& first, const Round& round);

  NodeCore& node_;
  const Duration interval_;
  const std::size_t most_agents_;
  Metrics values_;
  // Worker 0 uses these.
  std::unique_ptr<Tick> tick_;
  std::unique_ptr<Round> round_;
  CountSensors sum_;
  Sensor present_;
  std::optional<MachineSensors> machine_;
  std::unordered_map<Mailbox*, Watched> agents_;
  std::uint64_t rounds_ = 0;
  Time last_{};  // the beginning of the round before
};

}  // namespace coracle::detail
