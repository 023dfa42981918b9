// Decides which request is served next, as a state machine: higher lanes first; within a lane, the
// clients take turns; of one client, first come first served.
// Contract: dispel/tests/service/desk_test.cpp.
#pragma once

#include "coracle/clock.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

namespace coracle::dispel::detail {

// Limits of a desk.
struct DeskLimits {
  std::uint32_t at_once = 1;     // requests that are served at the same time
  std::uint32_t waiting = 4096;  // requests that may wait in each lane
  std::uint32_t each = 1024;     // of these, of one client
  std::uint32_t lanes = 8;
};

// A request is a ticket: a small number that is used again when the request has ended.
class Desk {
 public:
  using Ticket = std::uint32_t;

  explicit Desk(DeskLimits limits);

  enum class Verdict : std::uint8_t { taken, too_many_of_yours };
  // A request comes; a lane beyond the last is the last. Requires has_room(lane).
  Verdict arrive(std::uint64_t client, std::uint32_t lane, Time deadline, Ticket& ticket);
  bool has_room(std::uint32_t lane) const noexcept {
    return !is_full_[std::min(lane, limits_.lanes - 1)];
  }
  // A lane that was full has room again when half of it is served: then requests outside the desk
  // are looked for, which costs as much as there are. Returns whether a lane has room again.
  bool reopen() noexcept;

  struct Turn {
    Ticket ticket = 0;
    bool too_late = false;  // its deadline has passed: it is not served, and is over
  };
  // The request whose turn it is, if one waits and may be served now. It is being served from then
  // on, unless it is too late.
  std::optional<Turn> next(Time now);
  // A request that was served is over.
  void finished(Ticket ticket);

  std::uint32_t waiting() const noexcept { return waiting_; }
  std::uint32_t being_served() const noexcept { return serving_; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  struct Place {
    Time deadline;
    std::uint32_t next = none;
  };
  // The requests of one client in one lane.
  struct Line {
    std::uint32_t first = none;
    std::uint32_t last = none;
    std::uint32_t count = 0;
  };
  using Lines = std::unordered_map<std::uint64_t, Line>;

  Ticket take_place(Time deadline);
  void forget_idle(Lines& lines) const;

  DeskLimits limits_;
  std::vector<Place> places_;
  std::vector<Ticket> free_;
  std::vector<Lines> lines_;               // of each lane, by client
  std::vector<std::deque<Line*>> turns_;   // of each lane, the clients with requests
  std::vector<std::uint32_t> waiting_in_;  // of each lane, the waiting requests
  std::vector<bool> is_full_;              // of each lane
  bool some_full_ = false;
  std::size_t highest_ = 0;  // no lane above that has a request
  std::uint32_t waiting_ = 0;
  std::uint32_t serving_ = 0;
};

}  // namespace coracle::dispel::detail
