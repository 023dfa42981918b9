// The wire by which a signal comes, as the conversation of the signal's message.
#pragma once

#include "coracle/envelope.hpp"

#include <cstdint>

namespace coracle::dispel::detail {

// The end of a wire: a port of its target, and its rank there.
class Wire {
 public:
  Wire(std::uint16_t port, std::uint16_t rank) noexcept
      : number_(mark << 32 | std::uint64_t{port} << 16 | rank) {}
  explicit Wire(Conversation number) noexcept : number_(number) {}

  // Returns whether a conversation is a wire.
  static bool is_one(Conversation number) noexcept { return number >> 32 == mark; }
  Conversation conversation() const noexcept { return number_; }
  std::uint16_t port() const noexcept { return static_cast<std::uint16_t>(number_ >> 16); }
  std::uint16_t rank() const noexcept { return static_cast<std::uint16_t>(number_); }

 private:
  static constexpr std::uint64_t mark = 0xb400'5ab5;
  std::uint64_t number_;
};

}  // namespace coracle::dispel::detail
