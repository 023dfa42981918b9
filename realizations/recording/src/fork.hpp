// What happens to messages on their way in a fork: a transport around the realization's own.
#pragma once

#include "coracle/recording/recording.hpp"

#include <functional>
#include <memory>

namespace coracle::recording {

// Which message: the so-maniest of its sender, to that target.
struct Sent {
  Name source;
  std::uint64_t sequence = 0;
  Name target;
};

// What happens to it.
struct Fate {
  enum class Kind : std::uint8_t { drop, delay, change } kind = Kind::drop;
  Sent which;
  Duration longer{};
  Content content;
};

// Has something done so much later.
using Later = std::function<void(Duration longer, std::function<void()> act)>;

std::shared_ptr<Transport> forked(std::shared_ptr<Transport> next, std::vector<Fate> fates,
                                  Later later);

}  // namespace coracle::recording
