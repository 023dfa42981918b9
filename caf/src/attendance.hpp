// The attendance of those that an agent of a council or a contract deals with: whether they are
// there, or have ended.
#pragma once

#include "coracle/endings.hpp"

#include <functional>
#include <string>

namespace coracle::caf {

// Why somebody who has ended is not waited for; what an exception said is cut short.
std::string why_it_is_gone(const Ending& ending);
// The same of a name that nobody holds.
inline constexpr const char* nobody_holds_it = "nobody holds its name";

// Belongs to one agent. Costs nothing before the first look_for().
class Attendance {
 public:
  using Told = std::function<void(const Ending& ending)>;

  // `told` hears of each ending, in a task of the agent: a moment later, so that what was sent
  // before the ending has come, since the news goes another way and may be faster.
  Attendance(Agent& self, Told told) : self_(self), told_(std::move(told)) {}

  // Whether anybody holds that name; none of its endings is missed from the return on. If that
  // cannot be known, for want of room for another watch: yes.
  Task<bool> look_for(Name who);
  void drop(const Name& who) noexcept;
  // As far as is known now.
  bool here(const Name& who) const noexcept { return endings_ && endings_->here(who); }

 private:
  Task<> listen();
  Task<> tell(Ending ending);

  Agent& self_;
  const Told told_;
  std::unique_ptr<Endings> endings_;
};

}  // namespace coracle::caf
