// Patterns for receivers: what eavesdroppers and Interests ask for is a test of messages as well.
//
//   const Message bid = co_await receive(fitting(Pattern().format("bid %d")));
//
// Contract: tests/talk/patterns_test.cpp.
#pragma once

#include "coracle/match.hpp"
#include "coracle/pattern.hpp"

namespace coracle {

// Messages that fit the pattern: by the name of their source, what they were sent to (an agent, or
// a group), their text and their headers. They are looked at one after the other; combine it with
// from() where the sender is known.
Match fitting(Pattern pattern);

}  // namespace coracle
