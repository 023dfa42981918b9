// The kind of a message, also of one that an eavesdropper has a copy of.
// Tests: tests/conformance/promises/promise_07_outcomes.cpp
#pragma once

#include "coracle/envelope.hpp"

#include <cstdint>

namespace coracle {

// The kinds of a message.
enum class MessageKind : std::uint8_t {
  plain,
  request,  // its sender waits for a reply
  reply,
  failure,  // a reply that says why there is none
};

// The name of a kind: "plain", "request", …
const char* to_string(MessageKind kind) noexcept;

// Returns the kind of the message of which that is a copy. A copy itself is plain, so that nobody
// replies to it. For a message that is no copy, the result is plain.
MessageKind copied_kind(const MessageView& copy) noexcept;

namespace detail {

// Returns the kind of a message with those flags.
constexpr MessageKind kind_of(std::uint64_t flags) noexcept {
  if ((flags & failure_flag) != 0) return MessageKind::failure;
  if ((flags & reply_flag) != 0) return MessageKind::reply;
  return (flags & request_flag) != 0 ? MessageKind::request : MessageKind::plain;
}

}  // namespace detail

}  // namespace coracle
