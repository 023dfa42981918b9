// The messages that the browsers of this view hold, by the viewer's agent.
#pragma once

#include "server/feed.hpp"

#include "coracle/agent.hpp"
#include "coracle/operating.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace coracle::view {

class Holding {
 public:
  explicit Holding(Feed& feed) noexcept : feed_(feed) {}

  // Holds messages to the names of a pattern such as lab/**; returns the number of the hold. All
  // holds end when the last browser has left.
  Task<std::uint64_t> begin(Agent& me, std::string pattern);
  // Releases the oldest messages; zero: all, and the hold ends.
  Task<> release(Agent& me, std::uint64_t hold, std::uint64_t count);
  // From now on, the holds of that pattern release messages in a random order, or no longer.
  void scramble(const std::string& pattern, bool on);

 private:
  struct One {
    std::string pattern;
    Hold hold;
    HoldState state;
  };
  // Shows what is held while there are holds.
  Task<> watch(Agent& me);
  Task<> look(std::shared_ptr<One> one);
  void show();

  Feed& feed_;
  std::map<std::uint64_t, std::shared_ptr<One>> all_;
  std::uint64_t last_ = 0;
  bool is_watching_ = false;
};

}  // namespace coracle::view
