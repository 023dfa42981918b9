// Looks at one mailbox and its agent.
#pragma once

#include "coracle/inspection.hpp"

namespace coracle::detail {

class Mailbox;
class Worker;

// Returns what is known of the name on this node. To be called on the mailbox's home. It calls the
// agent's function that shows its state.
Inspection look_at(Worker& home, Mailbox& mailbox);

}  // namespace coracle::detail
