// The contract of the Queue seam.
#pragma once

#include "coracle/queue.hpp"
#include "subject.hpp"

namespace coracle::contract {

// What every queue must do, proved of those that `factory` makes.
std::vector<Proof> queue_proofs(QueueFactory factory);

}  // namespace coracle::contract
