// One message to several targets: a message record for each of them.
#pragma once

#include "coracle/agent.hpp"
#include "runtime/mailbox/mailbox.hpp"

#include <vector>

namespace coracle::detail {

// Each target with room gets its record at once; then the coroutine waits for the targets that have
// none. An eavesdropper gets one copy of the message. Returns the result of each record, in their
// order.
Task<std::vector<Result<void>>> send_records(Agent& agent, std::vector<MessageRecord*> records,
                                             Deadline patience);

}  // namespace coracle::detail
