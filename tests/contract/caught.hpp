// Envelopes for tests of the seams: real ones, sent by agents and caught on their way.
#pragma once

#include "coracle/realization.hpp"
#include "support/society.hpp"

#include <vector>

namespace coracle::contract {

// One message that is to be caught.
struct Wish {
  unsigned sender = 0;  // the agent s0, s1, …
  Conversation conversation = 0;
  std::string text;
};

// Has agents send what is wished for to "sink", in that order, and calls `use` with the envelopes,
// on the worker that they belong to. What `use` leaves in the vector is given up.
void with_envelopes(const std::vector<Wish>& wishes,
                    const std::function<void(std::vector<Envelope>&)>& use);

}  // namespace coracle::contract
