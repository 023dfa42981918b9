// Patterns for receivers: the patterns of eavesdroppers and Interests can also select messages to
// receive.
//
//   const Message bid = co_await receive(fitting(Pattern().format("bid %d")));
//
// Tests: tests/talk/patterns_test.cpp.
#pragma once

#include "coracle/match.hpp"
#include "coracle/pattern.hpp"

namespace coracle {

// Selects messages that fit the pattern: by the name of their source, their target (an agent, or a
// group), their text and their headers. The messages are tested one after the other; combine this
// with from() where the sender is known.
Match fitting(Pattern pattern);

}  // namespace coracle
