// The attendance of the agents that an agent of a council or a contract works with: whether they
// are present, or have ended.
#pragma once

#include "coracle/endings.hpp"

#include <functional>
#include <string>

namespace coracle::caf {

// Returns the reason why an agent that has ended is not waited for. The text of an exception is cut
// short.
std::string why_it_is_gone(const Ending& ending);
// The same for a name that nobody holds.
inline constexpr const char* nobody_holds_it = "nobody holds its name";

// Belongs to one agent. It costs nothing before the first look_for().
class Attendance {
 public:
  using Told = std::function<void(const Ending& ending)>;

  // `told` is called with each ending, in a task of the agent, a moment later. The delay lets
  // messages arrive that were sent before the ending, because the notice takes another way and may
  // be faster.
  Attendance(Agent& self, Told told) : self_(self), told_(std::move(told)) {}

  // Returns whether anybody holds that name. No later ending of the name is missed. Returns true if
  // this cannot be known, because there is no room for another watch.
  Task<bool> look_for(Name who);
  void drop(const Name& who) noexcept;
  // Returns whether somebody holds the name, as far as is known now.
  bool here(const Name& who) const noexcept { return endings_ && endings_->here(who); }

 private:
  Task<> listen();
  Task<> tell(Ending ending);

  Agent& self_;
  const Told told_;
  std::unique_ptr<Endings> endings_;
};

}  // namespace coracle::caf
