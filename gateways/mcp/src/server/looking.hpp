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

// The resource of one agent, society://agents/lab/ann; and the agent of such a resource.
std::string resource_of(const Name& agent);
std::optional<Name> name_of_resource(std::string_view uri);
// The number of a conversation in a text; nothing if it is none.
std::optional<Conversation> conversation_in(std::string_view text) noexcept;
// The result of prompts/get. Fails with Fault.
Json prompt_result(const std::string& name, const Json& arguments);

Json to_json(const Properties& properties);
// The result of an inspection, without the messages in the mailbox. Names for which `may_show` is
// false are left out.
Json to_json(const Inspection& found, const std::function<bool(const Name&)>& may_show);

}  // namespace coracle::mcp
