// What goes wrong between the hosts of a simulated society, and with them: made by a seed, and made
// short when a run fails.
#pragma once

#include "coracle/realizations/sim.hpp"
#include "subject.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace coracle::contract {

// One thing that goes wrong, and for how long.
struct Fault {
  enum class Kind : unsigned {
    cut,    // of the way from `host` to `other`
    part,   // the same in both directions
    pause,  // of `host`
    crash,  // of `host`, which comes back with nothing in its memory
  };

  Kind kind = Kind::cut;
  Duration when{};  // since the society was made
  Duration span{};
  unsigned host = 0;
  unsigned other = 0;
};

using Faults = std::vector<Fault>;

std::string to_string(const Fault& fault);

// Those of a seed. The first host never crashes: who watches the others lives there.
Faults faults_of(std::uint64_t seed, unsigned hosts);

// Leaves out as many as it can so that `fails` still says yes; gives the places, in `faults`, of
// those that are left. `fails` is asked at most `most` times.
std::vector<std::size_t> shrink(const Faults& faults,
                                const std::function<bool(const Faults& fewer)>& fails,
                                unsigned most = 300);

// The faults at these places.
Faults only(const Faults& faults, const std::vector<std::size_t>& places);

// Plans them in a world, until they are called off.
class Trouble final : public Power {
 public:
  Trouble(sim::World& world, const Faults& faults);

  // Everything is whole again, and nothing more happens; what has lost its power stays without.
  void call_off();

  // --- Power ---
  std::optional<Change> next() override;
  Realization parts(unsigned host) override;

 private:
  struct State;
  sim::World& world_;
  const std::shared_ptr<State> state_;
};

}  // namespace coracle::contract
