// Decides which of several servers gets the next request, as a state machine: the one with the
// fewest requests of this client, and none that has failed lately. Contract:
// dispel/tests/service/desk_test.cpp.
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
  // Sets the servers that are there now; the records of those that stay are kept.
  void refresh(const std::vector<Name>& servers, Time now);
  // Returns whether the list of servers is older than that.
  bool is_stale(Time now, Duration age) const noexcept { return !known_ || now - since_ > age; }
  // Makes the list stale, so that it is looked up before the next choice.
  void forget() noexcept { known_ = false; }

  // Chooses the server of one more request. If all have failed lately, chooses the one that failed
  // first; returns nothing if there is no server.
  std::optional<Name> choose(Time now);
  // A request was answered, or has failed because its server has.
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
