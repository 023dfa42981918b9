// What goes wrong between the hosts of a simulated society, and with them: planned in a list, made
// by hand or by a seed, and made short when a run fails (World::shrink).
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

// One thing that goes wrong, and for how long.
struct Fault {
  // What it is.
  enum class Kind : std::uint8_t {
    cut,    // of the way from `host` to `other`
    part,   // the same in both directions
    pause,  // of `host`
    crash,  // of `host`, which comes back with nothing in its memory
    reset,  // of all connections between `host` and `other`; takes no time
  };

  // Which of them.
  Kind kind = Kind::cut;
  // Counted from when Trouble plans it.
  Duration when{};
  Duration span{};
  // From zero, as World counts them.
  unsigned host = 0;
  unsigned other = 0;
};

// A list of them, in any order.
using Faults = std::vector<Fault>;

// "after 300 us, for 20 us: host 2 pauses"
std::string to_string(const Fault& fault);

// Some that the seed makes, within the first 0.3 s. Host 0, where whoever watches the others may
// live, never crashes.
Faults random_faults(std::uint64_t seed, unsigned hosts);

// Some resets that the seed makes, within the same time: for hosts that have connections.
Faults random_resets(std::uint64_t seed, unsigned hosts);

// The faults at these places of the list.
Faults only(const Faults& faults, const std::vector<std::size_t>& places);

// The places of those that `fails` needs to say yes; it is asked `most` times at most.
std::vector<std::size_t> needed(const Faults& faults,
                                const std::function<bool(const Faults& fewer)>& fails,
                                unsigned most = 300);

// Has faults happen in a world, until they are called off.
class Trouble {
 public:
  // A host has lost its power, so that its Node should be destroyed; or has it again, so that
  // another one may be made.
  struct Change {
    unsigned host = 0;
    bool is_on = false;
  };

  // Fails with Errc::bad_options when one speaks of a host that the world has not got.
  Trouble(World& world, const Faults& faults);
  ~Trouble();
  Trouble(const Trouble&) = delete;
  Trouble& operator=(const Trouble&) = delete;

  // What has happened since the last call; to be asked in the condition of World::run_until(), and
  // acted upon outside of it. Hosts only crash from the first call on.
  std::optional<Change> next();
  // For the new node of a host that has its power again.
  Realization parts(unsigned host);
  // The same for whoever has parts of its own: such a node is going to be made.
  void begin(unsigned host);
  // Everything is whole again, and nothing more happens; what has lost its power stays without.
  void call_off();

 private:
  struct State;

  void plan(const Fault& fault);
  void at(Time when, std::function<void()> act);

  World& world_;
  const std::shared_ptr<State> state_;
};

}  // namespace coracle::sim
