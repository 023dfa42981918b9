// The kind of a message that an eavesdropper has a copy of.
// Tests: tests/conformance/promises/promise_07_outcomes.cpp
#pragma once

#include "coracle/envelope.hpp"

#include <cstdint>

namespace coracle {

// The kinds of a message.
enum class CopiedKind : std::uint8_t {
  plain,
  request,  // its sender waits for a reply
  reply,
  failure,  // a reply that says why there is none
};

// Returns the kind of the message of which that is a copy. A copy itself is plain, so that nobody
// replies to it. For a message that is no copy, the result is plain.
CopiedKind copied_kind(const MessageView& copy) noexcept;

}  // namespace coracle
