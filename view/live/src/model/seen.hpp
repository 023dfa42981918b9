// A message as the view keeps it.
#pragma once

#include "coracle/formats/story.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coracle::view {

// The number of a message in the view; later messages have larger ones. Zero is none.
using Number = std::uint64_t;

struct Seen {
  Number n = 0;
  Number answers = 0;  // the request that this message answers, if it is known
  Time at{};
  // Stages, each `formats::never` while it is not known.
  Time kept = formats::never, taken = formats::never, ended = formats::never;
  Name from, to, group;
  Incarnation life;
  std::uint64_t sequence = 0;
  Conversation conversation = 0;
  std::uint64_t node = 0;  // the lease of the sender's node, or its number in a recording
  formats::Kind kind = formats::Kind::plain;
  bool again = false, earlier = false;
  bool is_encoded = true;  // false: the content could not be encoded, only its type is known
  bool is_cut = false;     // `content` is only the beginning
  std::optional<Outcome> outcome;
  std::optional<DropReason> reason;
  std::uint64_t size = 0;  // bytes of the whole content
  std::string type, content;
  std::vector<std::pair<std::string, std::string>> headers;
  TraceContext trace;
};

// The memory that a message takes, about.
inline std::size_t cost_of(const Seen& message) noexcept {
  constexpr std::size_t indexes = 160;  // what the tables of the model have of it
  std::size_t cost = sizeof(Seen) + indexes + message.type.capacity() + message.content.capacity() +
                     message.from.view().size() + message.to.view().size() +
                     message.group.view().size();
  for (const auto& [name, value] : message.headers) cost += 64 + name.capacity() + value.capacity();
  return cost;
}

// A stage or the end of a message that was seen before.
struct StageNews {
  enum class What : std::uint8_t { kept, taken, ended } what = What::kept;
  Time at{};
  std::optional<Outcome> outcome = {};
  std::optional<DropReason> reason = {};
};

// Messages that the view has missed.
struct Gap {
  Time at{};
  std::uint64_t missed = 0;  // MessageView::unknown_gap: their number is not known
  std::string why;           // "rate", "mailbox" or "unknown"
  std::string node;
};

}  // namespace coracle::view
