// The conformance suite of the Queue seam.
#pragma once

#include "coracle/queue.hpp"
#include "subject.hpp"

namespace coracle::conformance {

// The requirements on every queue, proved of the queues that `factory` makes.
std::vector<Proof> queue_proofs(QueueFactory factory);

}  // namespace coracle::conformance
