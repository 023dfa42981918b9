// Takes one path after another through the tree of choices of a small world, depth first.
//
// Reduced, it leaves out paths that only exchange independent steps, by sleep sets (Godefroid,
// Partial-Order Methods for the Verification of Concurrent Systems, 1996): when a task has been
// tried at a fork, it sleeps on the other branches until a step touches what it touched. A path on
// which only a sleeper can take the next step shows nothing new.
#pragma once

#include "core.hpp"

#include <string>
#include <unordered_map>

namespace coracle::sim::detail {

// The things that a step touched: numbers of names, or everything.
struct Footprint {
  bool all = false;
  std::vector<unsigned> changed;
  std::vector<unsigned> looked_at;

  bool apart_from(const Footprint& other) const noexcept;
};

class Walk final : public Chooser, public Witness {
 public:
  explicit Walk(Bounds bounds) noexcept : bounds_(bounds) {}

  // Goes to the next path; returns false when there is none.
  bool advance();
  // Returns whether this path shows nothing new. The path goes on plainly to its end, because a
  // society can be stopped only by letting it run.
  bool redundant() const noexcept { return redundant_; }

  std::size_t choose(Choice what, std::size_t count) noexcept override;
  void offers(std::span<void* const> tasks) noexcept override;
  void touches(std::string_view name) noexcept override;
  void rests(std::string_view agent) noexcept override;
  void touches_all() noexcept override;
  void looks_at(std::string_view name) noexcept override;
  void step_over() noexcept override;

 private:
  struct Branch {
    bool asleep = false;
    Footprint footprint;  // known once the branch has been tried
  };
  struct Fork {
    unsigned taken, count;
    std::vector<Branch> branches;  // of a choice between tasks, when reduced
  };
  struct Sleeper {
    void* task;
    Footprint footprint;
  };
  static constexpr std::size_t nowhere = ~std::size_t{0};

  unsigned number_of(std::string_view name);
  bool sleeps(const void* task) const noexcept;
  Fork new_fork(Choice what, std::size_t count);
  void wake_sleepers() noexcept;
  void begin_branch(std::size_t fork);

  const Bounds bounds_;
  std::vector<Fork> path_;
  std::unordered_map<std::string, unsigned> names_;

  // The state of the present path:
  std::size_t at_ = 0;
  unsigned deviations_ = 0;
  bool redundant_ = false;
  std::vector<Sleeper> sleepers_;
  // The state of the present step:
  std::vector<void*> offered_;
  void* task_ = nullptr;
  std::size_t fork_ = nowhere;
  bool rested_ = false;
  Footprint step_;
};

}  // namespace coracle::sim::detail
