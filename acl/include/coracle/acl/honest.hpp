// The messages of FIPA that an agent of the society receives, for agents that read them without
// the classes of this layer. Tests: tests/fipa/participant_test.cpp.
#pragma once

#include "coracle/acl/message.hpp"
#include "coracle/acl/settings.hpp"
#include "coracle/message.hpp"

#include <optional>

namespace coracle::acl {

// The message of FIPA in a message, with its sender. Empty if there is none, or if it names another
// sender than the agent that has sent it.
std::optional<Message> honest(const coracle::Message& received, const Settings& settings);

}  // namespace coracle::acl
