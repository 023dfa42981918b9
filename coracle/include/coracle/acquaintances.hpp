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

// Names resolved beforehand, with their arrival watched. Belongs to the agent that asked for it.
class Acquaintances {
 public:
  explicit Acquaintances(std::shared_ptr<detail::AcquaintanceState> state) noexcept
      : state_(std::move(state)) {}

  // Their addresses, in the order in which they were named.
  const std::vector<Address>& addresses() const noexcept;
  // Whether `who` is there now.
  bool here(Address who) const noexcept;
  // Waits until all of them have been seen. False at the deadline.
  Task<bool> all_here(Deadline deadline = Deadline::never());
  // The next end of `who`, which is one of them. None is missed, however soon it came.
  Task<Ending> ending(Address who);

 private:
  std::shared_ptr<detail::AcquaintanceState> state_;
};

}  // namespace coracle
