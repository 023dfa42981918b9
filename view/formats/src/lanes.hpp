// Puts spans of time into lanes, in which each span ends before the next one begins or lies within
// the one that is open. Perfetto draws each lane as a stack of slices.
// Tests: view/formats/tests/lanes_test.cpp
#pragma once

#include "coracle/clock.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace coracle::formats {

class Lanes {
 public:
  // Called when a span of a lane ends.
  using Closed = std::function<void(std::size_t lane, Time at)>;

  Lanes(std::size_t most, Closed closed) : most_(most), closed_(std::move(closed)) {}

  // Puts a span into the first lane that has room. Spans come in the order of their beginnings, and
  // of those that begin together the longest comes first. Returns nothing if all lanes are taken.
  std::optional<std::size_t> add(Time begin, Time end) {
    for (std::size_t lane = 0; lane < most_; ++lane) {
      if (lane == open_.size()) open_.emplace_back();
      close(lane, begin);
      std::vector<Time>& stack = open_[lane];
      if (!stack.empty() && stack.back() < end) continue;
      stack.push_back(end);
      return lane;
    }
    return std::nullopt;
  }

  // Ends all spans that are open.
  void finish() {
    for (std::size_t lane = 0; lane < open_.size(); ++lane) close(lane, Time::max());
  }

 private:
  void close(std::size_t lane, Time until) {
    std::vector<Time>& stack = open_[lane];
    for (; !stack.empty() && stack.back() <= until; stack.pop_back()) closed_(lane, stack.back());
  }

  const std::size_t most_;
  const Closed closed_;
  std::vector<std::vector<Time>> open_;  // the ends of the open spans of each lane
};

}  // namespace coracle::formats
