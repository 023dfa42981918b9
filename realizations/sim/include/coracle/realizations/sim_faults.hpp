// Faults between the hosts of a simulated society, and of the hosts themselves: a plan is a list,
// made by hand or by a seed, which is shortened when a run fails (World::shrink).
#pragma once

#include "coracle/clock.hpp"
#include "coracle/realization.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::sim {

class World;

// One fault, and its duration.
struct Fault {
  // The kinds of faults.
  enum class Kind : std::uint8_t {
    cut,    // frames from `host` to `other` are blocked
    part,   // the same in both directions
    pause,  // of `host`
    crash,  // of `host`, which comes back with nothing in its memory
    reset,  // of all connections between `host` and `other`; takes no time
  };

  // The kind of this fault.
  Kind kind = Kind::cut;
  // The time of the fault, counted from when Trouble plans it.
  Duration when{};
  Duration span{};
  // Hosts are counted from zero, as World counts them.
  unsigned host = 0;
  unsigned other = 0;
};

// A list of faults, in any order.
using Faults = std::vector<Fault>;

// "after 300 us, for 20 us: host 2 pauses"
std::string to_string(const Fault& fault);

// Makes some faults by a seed, within the first 0.3 s. Host 0 never crashes, because the agents
// that watch the others may live there.
Faults random_faults(std::uint64_t seed, unsigned hosts);

// Makes some resets by a seed, within the same time: for hosts that have connections.
Faults random_resets(std::uint64_t seed, unsigned hosts);

// The faults at these places of the list.
Faults only(const Faults& faults, const std::vector<std::size_t>& places);

// Returns the places of the faults that are needed to make `fails` return true; calls `fails` at
// most `most` times.
std::vector<std::size_t> needed(const Faults& faults,
                                const std::function<bool(const Faults& fewer)>& fails,
                                unsigned most = 300);

// Makes faults happen in a world, until they are called off.
class Trouble {
 public:
  // A host has lost its power, so that its Node should be destroyed; or the host has its power
  // again, so that another Node may be made.
  struct Change {
    unsigned host = 0;
    bool is_on = false;
  };

  // Fails with Errc::bad_options when a fault names a host that the world does not have.
  Trouble(World& world, const Faults& faults);
  ~Trouble();
  Trouble(const Trouble&) = delete;
  Trouble& operator=(const Trouble&) = delete;

  // Returns the change since the last call. Call it in the condition of World::run_until(), and act
  // upon the result outside of that condition. Hosts crash only from the first call on.
  std::optional<Change> next();
  // Returns the parts for the new node of a host that has its power again.
  Realization parts(unsigned host);
  // The same for a caller that has parts of its own: announces that such a node is going to be
  // made.
  void begin(unsigned host);
  // Mends everything, and nothing more happens; a host that has lost its power stays without.
  void call_off();

 private:
  struct State;

  void plan(const Fault& fault);
  void at(Time when, std::function<void()> act);

  World& world_;
  const std::shared_ptr<State> state_;
};

}  // namespace coracle::sim
