// The answers that a directory facilitator and an agent management system have in common.
#pragma once

#include "coracle/acl/message.hpp"
#include "coracle/acl/ontology/management.hpp"
#include "coracle/acl/ontology/management_error.hpp"

#include <optional>
#include <string>

namespace coracle::fipa {

// The answer of `self` to a message.
acl::Message answer(const acl::AgentId& self, const acl::Message& to,
                    acl::Performative performative, std::string content);
// The answer that the action with that text is not done. Without a text, the content of the message
// was not understood.
acl::Message refusal(const acl::AgentId& self, const acl::Message& to, const std::string& action,
                     const acl::management::Reason& reason);
// The notice of an agent management system that a message did not reach that receiver.
acl::Message failure_notice(const acl::AgentId& system, const acl::Message& lost,
                            const acl::AgentId& receiver, const std::string& reason);
// The reason why a message is not about agent management.
std::optional<acl::management::Reason> wrong_language(const acl::Message& message);
// The reason why the sender may not change the entry of that agent, which is `frame`: it is another
// one's.
std::optional<acl::management::Reason> objection(const acl::Message& message,
                                                 const std::optional<acl::AgentId>& who,
                                                 const char* frame);

// The description of an action that changes an entry; nullptr for another one.
const acl::management::AgentDescription* changed_by(const acl::management::Action& action);

}  // namespace coracle::fipa
