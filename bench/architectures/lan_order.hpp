// The orders that a coordinator of several hosts sends to its workers.
#pragma once

#include "architectures/test_agent.hpp"
#include "harness/run/options.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace coracle::bench {

// An Errand for another host.
struct Order {
  static constexpr std::string_view content_type = "coracle/bench/order/v1";

  std::string make;  // the way in which the graph is made of its shape
  std::string shape;
  std::string prefix;
  std::uint32_t messages = 0;
  std::int64_t delay_ns = 0;
  bool anywhere = false;
  std::uint64_t size = 0;
  std::uint64_t seed = 0;
  std::uint32_t which = 0;
  std::uint32_t hosts = 0;
  std::vector<std::uint32_t> homes;
  std::uint32_t count = 0;  // the number of voters
};

// The value of `make` that orders voters instead of a graph.
inline constexpr std::string_view make_voters = "voters";

// The property by which workers are found.
inline constexpr std::string_view worker_mark = "bench_worker";
// The property with the address where other hosts connect to a worker.
inline constexpr std::string_view worker_address = "bench_address";

// The graph of an order, which is the same on every host.
Graph graph_of(const Order& order);
// The same task, for the agents that are on this host.
Errand errand_of(const Order& order, const Graph& graph, std::atomic<std::uint64_t>& sent);
// The number of the host on which an agent lives: as `homes` gives it, which is repeated, or in
// turn.
std::uint32_t home_of(const Order& order, std::uint32_t agent);
// The realization of a node whose society is served at `server`, and to which other nodes connect
// at `listen`, an address with a port.
std::string realization_at(const Options& options, const std::string& server,
                           const std::string& listen);
// Fails with BadRequest for options with which agents could not communicate over a network.
void refuse_what_cannot_travel(const Options& options);

}  // namespace coracle::bench
