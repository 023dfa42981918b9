// A message in the agent communication language (ACL) of FIPA. Between our own agents it is content
// as any other: `co_await send("bob", Content::of(acl::Message{…}))`; <coracle/acl/match.hpp> has
// the matches, and the codecs of this folder have the forms of other platforms.
// Tests: acl/tests/message_test.cpp.
#pragma once

#include "coracle/acl/agent_id.hpp"
#include "coracle/acl/date_time.hpp"
#include "coracle/acl/performative.hpp"
#include "coracle/typed.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace coracle::acl {

// The content of a message: text in its content language, or bytes.
using Body = std::variant<std::string, Bytes>;

// All parameters of FIPA00061. An empty text, list or optional: the message has no such parameter.
struct Message {
  static constexpr std::string_view content_type = "acl/message";

  Performative performative = Performative::not_understood;
  AgentId sender{};
  std::vector<AgentId> receivers{};
  // The agents that get the answer, instead of the sender.
  std::vector<AgentId> reply_to{};
  Body content{};
  // The content's language ("fipa-sl0"), its encoding, and the ontology of its symbols.
  std::string language{};
  std::string encoding{};
  std::string ontology{};
  // The interaction protocol: "fipa-contract-net".
  std::string protocol{};
  std::string conversation_id{};
  // The answer to this message has this text as its in_reply_to.
  std::string reply_with{};
  std::string in_reply_to{};
  // The latest time for the answer.
  std::optional<DateTime> reply_by{};
  Parameters user{};

  bool operator==(const Message&) const = default;
};

// The text of the content; empty for bytes.
std::string_view text_of(const Message& message) noexcept;
// The bytes of the content, also those of a text.
std::span<const std::byte> bytes_of(const Message& message) noexcept;
// Returns whether the message has content that is not empty.
bool has_content(const Message& message) noexcept;

// The answer to `message`: it goes to reply_to, or else to the sender; it keeps the language, the
// ontology, the protocol and the conversation; its in_reply_to is the other's reply_with. All else
// is empty: the caller sets the sender and the content.
Message reply(const Message& message, Performative performative);

}  // namespace coracle::acl
