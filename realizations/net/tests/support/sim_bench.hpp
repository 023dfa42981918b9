// The contract's bench in the simulator, and the virtual time of its tests.
#pragma once

#include "bytes/byte_contract.hpp"
#include "coracle/tests/support/manual_clock.hpp"
#include "realizations/net/src/seeded_random.hpp"
#include "realizations/net/src/simulated/simulated_network.hpp"

namespace coracle::net::test {

// A simulated network and its time.
struct SimLab {
  explicit SimLab(std::uint64_t seed, SimNetworkOptions options = {})
      : random(seed), queue(clock), network(queue, random, options) {}

  // Runs the next event, if it is due before `last`.
  bool turn(Time last = Time::max()) {
    const Time next = queue.next_event_time();
    if (next == Time::max() || next > last) return false;
    if (next > clock.now()) clock.advance(next - clock.now());
    return queue.run_one();
  }
  // Runs every event that is due within `span`.
  void run(Duration span) {
    const Time last = clock.now() + span;
    while (turn(last)) {
    }
    if (clock.now() < last) clock.advance(last - clock.now());
  }
  bool until(const std::function<bool()>& done) {
    for (int patience = 1'000'000; patience > 0 && !done(); --patience)
      if (!turn()) break;
    return done();
  }

  coracle::test::ManualClock clock;
  SeededRandom random;
  EventQueue queue;
  SimNetwork network;
};

class SimBench final : public ByteBench {
 public:
  explicit SimBench(std::uint64_t seed, SimNetworkOptions options = {}) : lab(seed, options) {}

  Network& listening() override { return lab.network.at(0); }
  Network& connecting() override { return lab.network.at(1); }
  Endpoint place() override { return Endpoint::parse("sim://node0:0").value(); }
  Endpoint nobody() override { return Endpoint::parse("sim://node0:7").value(); }
  Peer::Proof proof() const override { return Peer::Proof::certificate; }
  bool turn() override { return lab.turn(); }
  void settle() override { lab.run(std::chrono::seconds(2)); }

  SimLab lab;
};

}  // namespace coracle::net::test
