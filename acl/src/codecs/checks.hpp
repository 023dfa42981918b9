// The rules for messages and agents that are the same in every form.
#pragma once

#include "codecs/fault.hpp"

#include "coracle/acl/agent_id.hpp"
#include "coracle/acl/message.hpp"

#include <string_view>

namespace coracle::acl {

// The user parameter by which JADE marks content that are bytes in Base64.
inline constexpr std::string_view bytes_marker = "JADE-Encoding";
inline constexpr std::string_view bytes_marker_value = "Base64";

// Requires that no form would lose something of the message: agents have names, resolvers are not
// nested too deep, the date is writable, and no user parameter looks like the mark of bytes.
void check_writable(Form form, const Message& message);
// Requires that the agent has a name, and that its resolvers are not nested too deep.
void check_writable(Form form, const AgentId& agent, std::size_t depth = 0);
// Requires that the date is writable.
void check_writable(Form form, const DateTime& date);

// Returns whether the message has a sender.
inline bool has_sender(const Message& message) { return message.sender != AgentId(); }

// Turns content that is marked as Base64 into bytes, and removes the mark. Fails with
// Errc::bad_encoding if the content is not Base64; `at` is its place.
void restore_bytes(Form form, Message& message, std::size_t at);

}  // namespace coracle::acl
