// The agent of the paper's experiments (its section 3.1.4): one of it stands at every place of a
// graph, exchanges messages with its neighbours at random, and measures how long they take.
#pragma once

#include "architectures/exchange.hpp"
#include "architectures/graph.hpp"
#include "harness/players.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::bench {

inline constexpr std::size_t tenths = 10;

// What every agent of a run does.
struct Errand {
  const Graph* graph = nullptr;
  std::string make = "full";     // how the graph is made of its shape, for other hosts
  std::string prefix = "agent";  // of the agents' names
  std::uint32_t messages = 0;    // originals to each neighbour
  Duration delay{};              // the agent's cycle delay: a pause in every turn
  bool anywhere = false;         // reads whatever came first, instead of from one that it chose
  std::uint32_t patterns = 0;    // that each agent registers first, and nothing matches
  std::size_t size = 64;         // bytes of each content, about
  std::uint64_t seed = 1;
  std::atomic<std::uint64_t>* sent = nullptr;  // messages that the agents of this process sent
};

// What one agent says of itself at its end. A round trip is the time that an original took to be
// read, by its reader's clock, and its answer, by its sender's: what differs between the clocks
// cancels.
struct Experience {
  static constexpr std::string_view content_type = "coracle/bench/experience/v1";

  std::vector<double> averages;     // nanoseconds, of each neighbour
  std::vector<std::uint8_t> kinds;  // what Bond it is connected by
  std::vector<double> progress;     // the average of each tenth of the answers, as they came
  std::uint64_t round_trips = 0;
};

// Of nothing, it is zero.
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
// Whom the agents tell what they have seen.
std::string observer_name(const Errand& errand);

class TestAgent : public Player {
 public:
  TestAgent(const Errand& errand, std::uint32_t number) : errand_(errand), number_(number) {}

 protected:
  Task<> play() override;
  // Longer than it takes to know that a host is gone.
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
