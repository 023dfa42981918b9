// The parts of messages of A2A as contents of the society's messages, and back.
// Tests: gateways/a2a/tests/contents_test.cpp
#pragma once

#include "coracle/a2a/model.hpp"
#include "coracle/content.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::a2a {

// The content type of a whole message, as JSON.
inline constexpr std::string_view message_type = "application/a2a+json";
// The limits of a whole message, beyond which parts_of() does not read it.
inline constexpr std::size_t most_message_parts = 1000, most_message_bytes = std::size_t{4} << 20;

// The content of a client's message: one text, file or value as it is, and anything else as a
// whole message. `types` are patterns of the society's own types of content that clients may send,
// as in "plan/*"; a value of such a type becomes what Content::of() makes of it elsewhere.
Content content_of(const Message& message, const std::vector<std::string>& types);

// The parts of an agent's content. Fails with Fault (invalid_agent_response) if the content is a
// whole message that cannot be read.
std::vector<Part> parts_of(const Content& content);

}  // namespace coracle::a2a
