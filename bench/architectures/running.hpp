// Runs the test agents of a graph once: in this process, in several processes of this host, or on
// several hosts.
#pragma once

#include "architectures/test_agent.hpp"
#include "harness/figures/stats.hpp"
#include "harness/run/options.hpp"

#include <coracle/node.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace coracle::bench {

// The results of all agents of one run.
struct Findings {
  std::array<std::vector<double>, bonds> averages;  // of each end of each connection
  std::array<Average, tenths> progress;
  std::uint64_t round_trips = 0;
  Duration passed{};

  void add(const Experience& seen);
};

// Adds the agents of one process or host: those whose number modulo `count` is `which`.
void add_test_agents(Node& node, const Options& options, const Errand& errand, unsigned which,
                     unsigned count);

// The mean of samples; the result keeps the samples.
Run averaged(const std::vector<double>& samples);

// Receives the results of all agents.
class Observer : public Player {
 public:
  Observer(Findings& findings, std::size_t agents) : findings_(findings), agents_(agents) {}

 protected:
  Task<> play() override;

 private:
  Findings& findings_;
  std::size_t agents_;
};

// Fails with NotDone unless every round trip was measured.
Findings exchange_once(const Options& options, Errand errand);

}  // namespace coracle::bench
