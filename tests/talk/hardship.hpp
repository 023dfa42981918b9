// Faults that affect the servers of others in a simulated society, and their nodes.
#pragma once

#include "nodes.hpp"

#include <chrono>
#include <functional>
#include <utility>
#include <vector>

namespace coracle::rpc::test {

// Agents that die at any moment and are made again.
class Mortals {
 public:
  // Makes one of them, with its lifetime (zero: without end) and a function that it calls at its
  // end.
  using Maker = std::function<void(unsigned which, Duration life, std::function<void()> on_death)>;

  Mortals(coracle::test::Nodes& nodes, unsigned count, Maker make)
      : nodes_(nodes), make_(std::move(make)) {
    for (unsigned which = 0; which < count; ++which) dead_.push_back(which);
    revive(false);
  }
  Mortals(const Mortals&) = delete;

  // Makes them again some time after their ends, until it is over; the last time without end.
  void live_until(const bool& over) {
    for (int lives = 0; lives < 6 && !over; ++lives) {
      nodes_.until([&] { return over || !dead_.empty(); });
      nodes_.world().run_for(std::chrono::microseconds(nodes_.world().random().next() % 3000));
      revive(lives >= 4);
    }
  }

 private:
  void revive(bool for_good) {
    for (const unsigned which : std::exchange(dead_, {})) {
      const auto some = std::chrono::microseconds(1 + nodes_.world().random().next() % 20'000);
      make_(which, for_good ? Duration::zero() : Duration(some),
            [this, which] { dead_.push_back(which); });
    }
  }

  coracle::test::Nodes& nodes_;
  const Maker make_;
  std::vector<unsigned> dead_;
};

// Up to three times node 1 or 2 loses its power and serves again, or node 0 is cut off from one of
// `others` nodes; until it is over. Returns the number of power losses.
inline int trouble_nodes(coracle::test::Nodes& nodes, unsigned others, const bool& over,
                         const std::function<void(unsigned node)>& serve) {
  using std::chrono::milliseconds;
  const auto some = [&nodes](std::uint64_t count) {
    return static_cast<unsigned>(nodes.world().random().next() % count);
  };
  int losses = 0;
  nodes.world().run_for(std::chrono::microseconds(some(20'000)));
  for (int times = 0; times < 3 && !over; ++times) {
    if (some(2) == 0) {
      const unsigned victim = 1 + some(2);
      nodes.crash(victim);
      ++losses;
      nodes.world().run_for(milliseconds(some(3000)));
      nodes.restart(victim);
      serve(victim);
    } else {
      nodes.world().cut(0, 1 + some(others));
      nodes.world().run_for(milliseconds(some(2000)));
      nodes.world().mend_all();
    }
    nodes.world().run_for(milliseconds(some(50)));
  }
  return losses;
}

}  // namespace coracle::rpc::test
