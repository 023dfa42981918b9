// Takes a council's place when its agent dies, with the same decisions. Contract:
// tests/voting/seeds_test.cpp.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/caf/council.hpp"

#include <functional>
#include <map>
#include <memory>

namespace coracle::caf {

// Knows how far each decision of a council is. When the council crashes or cannot be reached, makes
// another under the same name, which begins the phase again in which each decision was. Peers give
// the same answers again; a decision that anybody may have heard of already stays as it was.
class Deputy : public virtual Agent {
 public:
  // Makes the council that takes over; it should have this deputy, too.
  using Successor = std::function<std::unique_ptr<Council>()>;

  Deputy(Name council, Successor successor)
      : council_(std::move(council)), successor_(std::move(successor)) {}

  // Serves until its node stops.
  Task<> run() override;
  // How often it took over.
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
