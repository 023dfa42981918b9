// Changes to messages on their way in a fork: a transport around the realization's own.
#pragma once

#include "coracle/recording/recording.hpp"

#include <functional>
#include <memory>

namespace coracle::recording {

// Identifies a message: its ordinal among the messages of its sender to that target.
struct Sent {
  Name source;
  std::uint64_t sequence = 0;
  Name target;
};

// The change to that message.
struct MessageChange {
  enum class Kind : std::uint8_t { drop, delay, replace } kind = Kind::drop;
  Sent which;
  Duration longer{};
  Content content;
};

// Performs `act` after the time `longer`.
using Later = std::function<void(Duration longer, std::function<void()> act)>;

std::shared_ptr<Transport> forked(std::shared_ptr<Transport> next,
                                  std::vector<MessageChange> changes, Later later);

}  // namespace coracle::recording
