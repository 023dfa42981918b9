// A slow round of inspections, so that the page shows which agents wait for which others. A node
// replies to 16 inspections of one peer in a second; this takes a quarter of them.
#pragma once

#include "server/feed.hpp"

#include "coracle/agent.hpp"
#include "coracle/inspection.hpp"

#include <functional>
#include <string_view>

namespace coracle::view {

// The text of what is waited for.
std::string_view phrase(WaitFor what) noexcept;

class Looks {
 public:
  // `feed` outlives this object. `changed` is called when the rights have changed.
  Looks(Feed& feed, std::function<void()> changed) : feed_(feed), changed_(std::move(changed)) {}

  // Inspects agents while a browser looks.
  Task<> go_round(Agent& me);

  // The part of an inspection that the list of agents shows.
  static Look look_of(const Inspection& found, Time now);

 private:
  void take(const Inspection& found, Time now);

  Feed& feed_;
  const std::function<void()> changed_;
  bool was_allowed_ = false;
};

}  // namespace coracle::view
