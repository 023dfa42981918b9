// The ends of requests as ends of tasks.
#pragma once

#include "coracle/a2a/model.hpp"
#include "coracle/errors.hpp"

#include <string>
#include <utility>

namespace coracle::a2a {

// The state of a task that an agent has not done, and the reason for the client. The sentences of
// other errors could tell a client about the society.
std::pair<TaskState, std::string> end_for(const Error& error);

}  // namespace coracle::a2a
