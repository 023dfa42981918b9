// The time after the start of a directory in which the nodes and names of the directory before it
// may come back: until it is over, new names wait, and no node is considered dead.
#pragma once

#include "coracle/directory.hpp"
#include "realizations/net/src/society/home/settings.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace coracle::society {

class Succession {
 public:
  // `generation` is that of this directory's first leases.
  Succession(std::uint32_t generation, Time now)
      : first_generation_(generation), look_at_(now + service_patience), ends_(now + first_term) {}

  // A node knows of leases up to that generation. Leases of an earlier directory are not of the
  // generations of this one, unless this one began in the same second.
  void note_seen(std::uint64_t generation) noexcept {
    const bool is_ours = generation >= first_generation_ && generation <= latest_given_;
    if (generation != 0 && !is_ours) is_successor_ = true;
  }
  // This directory has opened a lease.
  void note_given(LeaseId lease) noexcept { latest_given_ = std::max(latest_given_, lease >> 32); }
  // A node, or one of its names, has come back.
  void note_returned(Time now) noexcept { returned_ = now; }
  // Nodes that are not here by now have ended.
  void end() noexcept { is_over_ = true; }

  // Returns whether a name without a holder may belong to one that has not come back yet.
  bool may_return() const noexcept { return is_successor_ && !is_over_; }
  // Registrations wait at most until then.
  bool is_term_over(Time now) const noexcept { return now >= ends_; }
  // When to look whether all are back.
  Time look_at() const noexcept { return look_at_; }
  // Returns whether all are back at the time of look_at(), which otherwise is later from now on.
  // `is_coming`: a node is connected, and still belongs to the directory before.
  bool are_all_back(Time now, bool is_coming) {
    // If this look is late, all nodes that wanted to come were held up, too.
    const bool was_held_up = now > look_at_ + still_coming;
    if (!was_held_up && !is_coming && now >= returned_ + still_coming) return true;
    look_at_ = now + (was_held_up ? service_patience : next_look);
    return false;
  }

 private:
  // The pause before the next look while nodes still come, and the time for which a node that comes
  // has more to send.
  static constexpr Duration next_look = std::chrono::milliseconds(250);
  static constexpr Duration still_coming = std::chrono::seconds(1);

  const std::uint32_t first_generation_;
  std::uint64_t latest_given_ = 0;  // generation of a lease
  Time look_at_;
  Time returned_{};
  const Time ends_;
  bool is_successor_ = false;  // a node knows of a directory before this one
  bool is_over_ = false;
};

}  // namespace coracle::society
