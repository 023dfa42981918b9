// The replies to the requests of a story.
#pragma once

#include "coracle/formats/story.hpp"

#include <cstdint>
#include <unordered_map>

namespace coracle::formats {

class Replies {
 public:
  explicit Replies(const Story& story) {
    for (const StoryMessage& each : story.messages)
      if (each.answers != 0) replies_.emplace(each.answers, &each);
  }

  // The first reply to a request; nullptr if there is none.
  const StoryMessage* to(const StoryMessage& request) const noexcept {
    const auto found = replies_.find(request.id);
    return found == replies_.end() ? nullptr : found->second;
  }
  // The time until which a request was open, if it is known.
  Time closed(const StoryMessage& request) const noexcept {
    const StoryMessage* const reply = to(request);
    if (reply != nullptr && reply->taken != never) return reply->taken;
    const bool was_read = !request.outcome || *request.outcome == Outcome::consumed;
    return was_read ? never : request.ended;
  }

 private:
  std::unordered_map<std::uint64_t, const StoryMessage*> replies_;
};

}  // namespace coracle::formats
