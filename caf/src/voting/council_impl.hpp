// The state and the limits that the files of Council share.
#pragma once

#include "common/attendance.hpp"

#include "coracle/caf/council.hpp"

#include <memory>
#include <set>
#include <unordered_set>
#include <vector>

namespace coracle::caf {

// The time for which a peer's full mailbox may delay the others.
inline constexpr Duration patience = std::chrono::milliseconds(100);
// The time within which a deputy must store something.
inline constexpr Duration deputy_patience = std::chrono::seconds(2);
// The number of messages that are read before deadlines are checked.
inline constexpr int burst = 64;
// Limits: closed decisions that are kept, and decisions in progress.
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
  std::set<Name> vacant;      // the watched names that nobody holds
  std::vector<Ending> ended;  // endings during a phase that were not handled yet
};

struct Council::OpenMotion {
  OpenMotion(Election&& begun, std::shared_ptr<const Seats> where)
      : election(std::move(begun)), seats(std::move(where)) {}

  Election election;
  std::shared_ptr<const Seats> seats;
  std::vector<Message> askers;
  std::uint32_t sent = 0;  // the number of the election's steps that were sent
  bool again = false;      // true if its members may have been called before
};

// Returns the request to the members in the present phase.
Content question_of(const Election& election, bool again);

}  // namespace coracle::caf
