// Which of several servers is asked next, as a state machine: the one with the fewest questions of
// ours, and none that has failed lately. Contract: dispel/tests/desk_test.cpp.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/name.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace coracle::dispel::detail {

// The servers of one service, as one client knows them.
class Roster {
 public:
  // Those that are there now; what is known of them stays.
  void refresh(const std::vector<Name>& servers, Time now);
  // Whether what is known is older than that.
  bool is_stale(Time now, Duration age) const noexcept { return !known_ || now - since_ > age; }
  // Has it looked up before the next choice.
  void forget() noexcept { known_ = false; }

  // The one to ask, who then has one question more. If all have failed lately, the one that did so
  // first; nothing if there is none.
  std::optional<Name> choose(Time now);
  // A question has been answered, or has failed because the server has.
  void answered(const Name& server);
  void failed(const Name& server, Time now, Duration avoid);

  std::size_t size() const noexcept { return servers_.size(); }

 private:
  struct One {
    Name name;
    std::uint32_t open = 0;
    Time avoided_until = Time::min();
  };
  One* find(const Name& server) noexcept;

  std::vector<One> servers_;
  std::size_t turn_ = 0;
  bool known_ = false;
  Time since_{};
};

}  // namespace coracle::dispel::detail
