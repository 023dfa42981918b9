// All that takes steps in a world: the parts of its nodes and of its networks, and the rest that
// their hosts take.
#pragma once

#include "coracle/realizations/sim.hpp"

#include <string>
#include <vector>

namespace coracle::sim::detail {

class DrivenNodes {
 public:
  struct Part {
    Driven* node;
    unsigned number;  // among the node's parts
    unsigned place;   // counted through all nodes
  };
  struct Alarm {
    Time when = Time::max();
    bool only_renews = true;  // until then, leases are renewed, and nothing else happens
  };
  // The host of a network.
  static constexpr unsigned no_host = ~0U;

  void add(Driven& node, unsigned host) { nodes_.push_back({&node, host}); }
  void remove(Driven& node) noexcept;
  // The host's nodes do nothing until then.
  void pause(unsigned host, Time until) noexcept;
  // The host's nodes are busy for `span`, in addition to what keeps them busy already.
  void occupy(unsigned host, Time now, Duration span) noexcept;
  // The nodes of the host do nothing until a caller from outside waits for one, which then does
  // enough to end.
  void freeze(unsigned host) noexcept;
  void thaw(Driven* node) noexcept;

  // Returns all parts that can take a step, beginning after the part that took the last one. They
  // are valid until the next call.
  const std::vector<Part>& find_ready(Time now);
  // The part takes a step.
  void note_step(const Part& part) noexcept { last_part_ = part.place; }
  // Returns the next event when no part is ready.
  Alarm next_alarm(Time now);
  std::string waits() const;

 private:
  static constexpr Time frozen = Time::max();
  struct Driving {
    Driven* node;
    unsigned host;
    Time rests_until{};
  };

  std::vector<Driving> nodes_;
  std::vector<Part> ready_;        // scratch
  std::vector<unsigned> numbers_;  // scratch
  unsigned last_part_ = 0;         // counted through all nodes
};

}  // namespace coracle::sim::detail
