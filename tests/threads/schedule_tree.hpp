// The depth-first search of tests/threads/explorer.hpp: it selects the next branch of each choice.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "memory_model.hpp"

namespace coracle::testing {

// The next step: an operation of `thread`, or its oldest buffered store reaches memory.
struct Choice {
  std::uint8_t thread = 0;
  bool drain = false;
};

// It uses no heap, because every step of every run has one.
struct Choices {
  std::array<Choice, 2 * max_threads> options{};
  std::size_t size = 0;

  void add(std::size_t thread, bool drain) {
    options[size++] = {static_cast<std::uint8_t>(thread), drain};
  }
};

class ScheduleTree {
 public:
  // Every run starts here and makes the choices of the previous run, down to the newest branch.
  void restart() {
    depth_ = 0;
    run_schedules_ = 0;
  }

  // Returns one of several `choices`; none if the same `state` was met before and the run need not
  // go on.
  template <class StateHash>
  std::optional<Choice> choose(const Choices& choices, StateHash&& state_hash) {
    if (depth_ == path_.size()) {
      const std::uint64_t state = state_hash();
      const auto [known, is_new] = known_.try_emplace(state, 0.0);
      if (!is_new) {
        run_schedules_ = known->second;
        return std::nullopt;
      }
      path_.push_back({state, choices});
    }
    const auto& point = path_[depth_++];
    return point.choices.options[point.taken];
  }

  void complete() { run_schedules_ = 1; }

  // Turns to the newest branch that was not taken yet; returns false if there is none. The
  // schedules of a finished point count for every later run that meets its state.
  bool backtrack() {
    schedules_ = run_schedules_;
    while (!path_.empty()) {
      auto& newest = path_.back();
      newest.schedules += schedules_;
      if (++newest.taken < newest.choices.size) return true;
      schedules_ = newest.schedules;
      known_[newest.state] = schedules_;
      path_.pop_back();
    }
    return false;
  }

  std::size_t states() const { return known_.size(); }

  // The number of complete schedules, once backtrack() has returned false.
  double schedules() const { return schedules_; }

 private:
  struct Point {
    std::uint64_t state;
    Choices choices;
    std::size_t taken = 0;
    double schedules = 0;
  };

  std::vector<Point> path_;
  std::size_t depth_ = 0;
  double run_schedules_ = 0;
  double schedules_ = 0;
  std::unordered_map<std::uint64_t, double> known_;
};

}  // namespace coracle::testing
