// The tools, resources and prompts by which clients look at the society.
// Tests: gateways/mcp/tests/gateway_test.cpp
#pragma once

#include "model/results.hpp"

#include "coracle/inspection.hpp"
#include "coracle/name.hpp"
#include "coracle/query.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::mcp {

inline constexpr std::string_view agents_uri = "society://agents";
inline constexpr std::string_view drawing_uri = "society://drawing";
inline constexpr std::string_view counts_uri = "society://counts";
inline constexpr std::string_view metrics_uri = "society://metrics";
inline constexpr std::string_view conversations_uri = "society://conversations";

// `has_transcripts`: with those for the transcripts of conversations.
const std::vector<ToolInfo>& society_tools(bool has_transcripts);
const std::vector<ResourceInfo>& society_resources(bool has_transcripts);
const std::vector<ResourceInfo>& society_templates(bool has_transcripts);
const std::vector<PromptInfo>& society_prompts();

// The agent of a resource such as society://agents/lab/ann; nothing if it is none.
std::optional<Name> name_of_resource(std::string_view uri);
// The number of a conversation in a text; nothing if it is none.
std::optional<Conversation> conversation_in(std::string_view text) noexcept;
// The result of prompts/get. Fails with Fault.
Json prompt_result(const std::string& name, const Json& arguments);

// The memory of properties, about. Lists of agents count more than their letters, as each name in
// them is looked at.
std::size_t bytes_of(const Properties& properties) noexcept;

using MayShow = std::function<bool(const Name&)>;

// The properties as clients may see them: where they are lists of agents, as those of roles and
// deeds (dispel), without the agents for which `may_show` is false. Nothing if they take more
// than 32 KiB, about.
std::optional<Properties> shown_properties(const Properties& properties, const MayShow& may_show);
Json to_json(const Properties& properties);
// The result of an inspection, without the messages in the mailbox and the texts of errors, which
// may be about any agent. Instead of names for which `may_show` is false, there is "hidden".
Json to_json(const Inspection& found, const MayShow& may_show);

}  // namespace coracle::mcp
