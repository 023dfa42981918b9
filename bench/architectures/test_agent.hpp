// The agent of the paper's experiments (its section 3.1.4): an agent at each place of a graph
// exchanges messages with its neighbours at random, and measures how long they take.
#pragma once

#include "architectures/exchange.hpp"
#include "architectures/graph.hpp"
#include "harness/load/players.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::bench {

inline constexpr std::size_t tenths = 10;

// The task of every agent of a run.
struct Errand {
  const Graph* graph = nullptr;
  std::string make = "full";     // the way in which the graph is made of its shape, for other hosts
  std::string prefix = "agent";  // of the agents' names
  std::uint32_t messages = 0;    // originals to each neighbour
  Duration delay{};              // the agent's cycle delay: a pause in every turn
  bool anywhere = false;         // reads the first message that came, not one of a chosen neighbour
  std::uint32_t patterns = 0;    // that each agent registers first, and that match nothing
  std::size_t size = 64;         // of each content, in bytes, approximately
  std::uint64_t seed = 1;
  std::atomic<std::uint64_t>* sent = nullptr;  // messages that the agents of this process sent
};

// The results of one agent at its end. A round trip is the time until an original was read, by its
// reader's clock, plus the time until its answer was read, by its sender's clock: so the difference
// of the clocks cancels.
struct Experience {
  static constexpr std::string_view content_type = "coracle/bench/experience/v1";

  std::vector<double> averages;     // nanoseconds, for each neighbour
  std::vector<std::uint8_t> kinds;  // the Bond of each connection
  std::vector<double> progress;     // the average of each tenth of the answers, in their order
  std::uint64_t round_trips = 0;
};

// The average of no values is zero.
class Average {
 public:
  void add(double value) noexcept { sum_ += value, ++count_; }
  double value() const noexcept { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }

 private:
  double sum_ = 0;
  std::uint64_t count_ = 0;
};

// The name of the agent with that number.
std::string place_name(const Errand& errand, std::uint32_t number);
// The name of the agent that receives the agents' results.
std::string observer_name(const Errand& errand);

class TestAgent : public Player {
 public:
  TestAgent(const Errand& errand, std::uint32_t number) : errand_(errand), number_(number) {}

 protected:
  Task<> play() override;
  // Longer than the time that it takes to notice that a host is gone.
  Duration hesitation() const override { return std::chrono::seconds(4); }

 private:
  struct Neighbour {
    Address address;
    Average round_trip;
  };

  Task<> tell(std::uint32_t neighbour, Note note, Duration transit);
  Task<> read(std::uint32_t neighbour, Exchange& exchange);
  void note_round_trip(Neighbour& neighbour, Duration round_trip);
  Experience experience() const;

  const Errand& errand_;
  std::uint32_t number_;
  std::vector<Neighbour> neighbours_;
  std::uint64_t round_trips_ = 0;
  std::array<Average, tenths> progress_{};
  std::string padding_;
};

}  // namespace coracle::bench
