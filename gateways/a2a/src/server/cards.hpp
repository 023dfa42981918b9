// The cards of the society's agents.
// Tests: gateways/a2a/tests/cards_test.cpp
#pragma once

#include "coracle/a2a/card.hpp"
#include "coracle/a2a/task_limits.hpp"
#include "coracle/name.hpp"
#include "coracle/query.hpp"
#include "coracle/web/callers.hpp"

#include <optional>
#include <string>

namespace coracle::a2a {

// The property in which an agent may give a card of its own, as JSON. What the gateway knows better
// is replaced: interfaces, capabilities, security.
inline constexpr std::string_view card_property = "a2a-card";

// The parts of a card that the gateway knows.
struct CardFrame {
  std::string base;  // the address of the gateway without a slash at its end
  std::optional<AgentProvider> provider = {};
  bool takes_api_keys = false;
  bool takes_tokens = false;
  bool pushes = false;  // it sends push notifications
  TaskLimits limits = {};
  bool takes_certificates = false;  // of clients
};

// The extension by which a stream goes on where it was lost: docs/a2a-resume.md.
inline constexpr std::string_view resume_extension = "urn:coracle:a2a:resume:1";

// The address at which an agent is reached in both bindings: BASE/a2a/lab/ann.
std::string address_of(const Name& agent, const std::string& base);

// The card of an agent that has described itself so. Its property "description" says what it does,
// "version" its version, "title" its name for people, and "service" its skill.
AgentCard card_of(const Name& agent, const Properties& properties, const CardFrame& frame);

}  // namespace coracle::a2a
