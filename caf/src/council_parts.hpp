// What the files of Council share.
#pragma once

#include "attendance.hpp"

#include "coracle/caf/council.hpp"

#include <memory>
#include <set>
#include <unordered_set>
#include <vector>

namespace coracle::caf {

// How long a peer's full mailbox may hold up the others.
inline constexpr Duration patience = std::chrono::milliseconds(100);
// How long a deputy may take to store something.
inline constexpr Duration deputy_patience = std::chrono::seconds(2);
// How many messages are read before deadlines are looked at.
inline constexpr int burst = 64;
// Limits: closed decisions that are kept, decisions under way.
inline constexpr std::size_t decisions_kept = 64;
inline constexpr std::size_t decisions_limit = 1000;

struct Council::Seats {
  std::shared_ptr<const Electorate> electorate;
  std::vector<Address> addresses;
};

struct Council::Vacancy {
  explicit Vacancy(Council& self)
      : attendance(self, [&self](const Ending& ending) { self.on_ending(ending); }) {}

  Attendance attendance;
  std::unordered_set<Name> watched;
  std::set<Name> vacant;      // of these
  std::vector<Ending> ended;  // in a phase, and nothing was done about it yet
};

struct Council::Case {
  Case(Election&& begun, std::shared_ptr<const Seats> where)
      : election(std::move(begun)), seats(std::move(where)) {}

  Election election;
  std::shared_ptr<const Seats> seats;
  std::vector<Message> askers;
  std::uint32_t sent = 0;  // how many of the election's steps were sent
  bool again = false;      // its members may have been asked before
};

// What the members are asked in the present phase.
Content question_of(const Election& election, bool again);

}  // namespace coracle::caf
