// The tools that clients find.
#include "model/tool_names.hpp"
#include "server/contents.hpp"
#include "server/looking.hpp"
#include "server/state.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"

#include <algorithm>
#include <utility>

namespace coracle::mcp {

namespace {

constexpr std::size_t longest_description = 4000;

std::string text_property(const Properties& properties, std::string_view key) {
  const Value* const value = properties.find(key);
  const std::string* const text = value == nullptr ? nullptr : std::get_if<std::string>(value);
  return text == nullptr ? std::string()
                         : coracle::detail::shown(text->substr(0, longest_description));
}

bool is_tool_name(std::string_view name) noexcept {
  const auto is_letter = [](char each) {
    return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') ||
           (each >= '0' && each <= '9') || each == '_' || each == '-' || each == '.';
  };
  return !name.empty() && name.size() <= longest_tool_name && std::ranges::all_of(name, is_letter);
}

}  // namespace

ToolInfo info_of(const Roster::Agent& agent) {
  ToolInfo info{*ask_tool(agent.name)};
  info.title = text_property(agent.properties, "title");
  if (info.title.empty()) info.title = "Ask " + agent.name.str();
  info.description = text_property(agent.properties, "description");
  if (info.description.empty())
    info.description =
        "Sends a request to the agent " + agent.name.str() + ", and gives its answer.";
  info.input = ask_schema();
  return info;
}

ToolInfo info_of(const CallTool& call) {
  ToolInfo info{call_tool(call.agent, call.function.name)};
  info.title = call.agent.str() + " " + call.function.name;
  info.description =
      call.function.description.empty()
          ? "Calls the function " + call.function.name + " of the agent " + call.agent.str() + "."
          : call.function.description;
  web::Schema arguments = call.function.arguments;
  if (call.function.argument_names.empty()) {
    info.input.set("type", "object").set("additionalProperties", false);
  } else {
    arguments.name_fields(call.function.argument_names);
    info.input = arguments.to_json();
  }
  if (call.function.result.root().kind != web::TypeKind::nothing)
    info.output = call.function.result.to_json();
  info.is_read_only = call.function.is_read_only;
  return info;
}

std::shared_ptr<const AddedTool> GatewayState::find_added(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = added_.find(name);
  return found == added_.end() ? nullptr : found->second;
}

void GatewayState::enter(std::shared_ptr<const AddedTool> tool) {
  const std::string& name = tool->info.name;
  const bool is_own = std::ranges::any_of(society_tools(true),
                                          [&](const ToolInfo& each) { return each.name == name; });
  const std::lock_guard lock(mutex_);
  if (is_own || name.starts_with("ask_") || added_.contains(name))
    throw Error(Errc::bad_options, "there is a tool " + coracle::detail::quoted(name) +
                                       " already, or an agent may be one; use another name");
  added_.emplace(name, std::move(tool));
}

void GatewayState::add(const RemoteCalls& calls) {
  for (const RemoteFunction& each : calls.functions()) {
    CallTool call{calls.agent(), each};
    ToolInfo info = info_of(call);
    enter(std::make_shared<const AddedTool>(AddedTool{std::move(info), std::move(call)}));
  }
}

void GatewayState::add(ToolInfo info, ToolWork work) {
  if (!is_tool_name(info.name))
    throw Error(Errc::bad_options, coracle::detail::quoted(info.name) +
                                       " is no name of a tool; it has 1 to 128 ASCII letters, "
                                       "digits, '_', '-' and '.'");
  if (info.input.is_null()) info.input.set("type", "object");
  enter(std::make_shared<const AddedTool>(AddedTool{std::move(info), std::move(work)}));
}

}  // namespace coracle::mcp
