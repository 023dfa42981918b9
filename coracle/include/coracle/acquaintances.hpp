// The neighbours that an agent knows by name before it begins (section 3.1.4 of the paper).
#pragma once

#include "coracle/address.hpp"
#include "coracle/clock.hpp"
#include "coracle/ending.hpp"
#include "coracle/task.hpp"

#include <memory>
#include <vector>

namespace coracle {

namespace detail {
struct AcquaintanceState;
}

// A set of names that were resolved beforehand and whose arrival is watched. It belongs to the
// agent that called Agent::acquaint().
class Acquaintances {
 public:
  explicit Acquaintances(std::shared_ptr<detail::AcquaintanceState> state) noexcept
      : state_(std::move(state)) {}

  // Their addresses, in the order in which they were named.
  const std::vector<Address>& addresses() const noexcept;
  // Returns whether an agent holds the name of `who` now.
  bool here(Address who) const noexcept;
  // Waits until each of the names has been held at least once. Returns false at the deadline.
  Task<bool> all_here(Deadline deadline = Deadline::never());
  // Returns the next ending of `who`, which is one of these names. No ending is missed, however
  // early it came.
  Task<Ending> ending(Address who);

 private:
  std::shared_ptr<detail::AcquaintanceState> state_;
};

}  // namespace coracle
