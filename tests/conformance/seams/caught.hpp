// Envelopes for tests of the seams: real envelopes that agents sent and that a transport caught.
#pragma once

#include "coracle/realization.hpp"
#include "support/societies/test_society.hpp"

#include <vector>

namespace coracle::conformance {

// One message that the test wants to catch.
struct Wish {
  unsigned sender = 0;  // the agent s0, s1, …
  Conversation conversation = 0;
  std::string text;
};

// Has agents send the messages of `wishes` to "sink", in that order. Then calls `use` with their
// envelopes on the worker that owns them. The envelopes that `use` leaves in the vector are given
// up.
void with_envelopes(const std::vector<Wish>& wishes,
                    const std::function<void(std::vector<Envelope>&)>& use);

}  // namespace coracle::conformance
