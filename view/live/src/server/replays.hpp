// Replays of a recording with one message changed, for the page.
#pragma once

#include "server/json.hpp"

#include "coracle/agent.hpp"
#include "coracle/view/viewer.hpp"

namespace coracle::view {

class Replays {
 public:
  // All outlive this object; `story` is nullptr for a living society.
  Replays(const ViewerOptions& options, const Times& times, const formats::Story* story) noexcept
      : options_(options), times_(times), story_(story) {}

  // The reason why nothing can be replayed; empty if it can.
  std::string objection() const;
  // Replays the story with the change of the request, and returns the difference. Fails with
  // Errc::unsupported and Errc::bad_options, and as ViewerOptions::replay does.
  Task<json::value> replay(Agent& me, const json::object& request);

 private:
  ReplayChange change_in(const json::object& request) const;

  const ViewerOptions& options_;
  const Times& times_;
  const formats::Story* const story_;
  bool is_running_ = false;
};

}  // namespace coracle::view
