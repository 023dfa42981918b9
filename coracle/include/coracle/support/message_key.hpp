// Identifies a message by what its sender states: a copy of it and the notices about it have the
// same key.
#pragma once

#include "coracle/envelope.hpp"
#include "coracle/support/secret_hash.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace coracle::detail {

struct MessageKey {
  Name source;
  Incarnation life;
  std::uint64_t sequence = 0;

  bool operator==(const MessageKey&) const = default;

  // Strangers choose the numbers, too.
  struct Hash {
    std::size_t operator()(const MessageKey& key) const {
      const std::array<std::uint64_t, 4> parts = {SecretHash()(key.source), key.life.epoch,
                                                  key.life.counter, key.sequence};
      return secret_hash({reinterpret_cast<const char*>(parts.data()), sizeof parts});
    }
  };
};

// Of a copy or a notice.
inline MessageKey key_of(const MessageView& overheard) {
  return {overheard.source().name(), overheard.source_life(), overheard.sequence()};
}

}  // namespace coracle::detail
