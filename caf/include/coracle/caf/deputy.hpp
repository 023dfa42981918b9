// An agent that replaces a council when the council's agent ends unexpectedly, and continues its
// decisions. Tests: tests/voting/seeds_test.cpp.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/caf/council.hpp"

#include <functional>
#include <map>
#include <memory>

namespace coracle::caf {

// An agent that keeps the progress of each decision of a council. When the council crashes or
// cannot be reached, the deputy makes another council under the same name. The new council begins
// the interrupted phase of each decision again. Peers send the same replies again; a decision that
// anybody may have received already does not change.
class Deputy : public virtual Agent {
 public:
  // Makes the council that takes over. The new council should have this deputy, too.
  using Successor = std::function<std::unique_ptr<Council>()>;

  Deputy(Name council, Successor successor)
      : council_(std::move(council)), successor_(std::move(successor)) {}

  // Serves until its node stops.
  Task<> run() override;
  // The number of takeovers so far.
  std::uint32_t takeovers() const noexcept { return takeovers_; }

 private:
  static constexpr std::size_t kept = 64;  // closed decisions

  Task<> watch_council();
  void keep(const Progress& progress);

  Name council_;
  Successor successor_;
  std::map<DecisionId, Progress> decisions_;
  std::uint32_t takeovers_ = 0;
  bool watching_ = false;
};

}  // namespace coracle::caf
