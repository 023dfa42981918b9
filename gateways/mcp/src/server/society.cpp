// The lists of tools, resources and prompts that every gateway has.
#include "server/looking.hpp"
#include "server/state.hpp"

#include "coracle/http/url.hpp"
#include "coracle/support/quote.hpp"
#include "coracle/web/json_reader.hpp"
#include "coracle/why_waits.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace coracle::mcp {

namespace {

Json described(const char* type, const char* text) {
  return Json().set("type", type).set("description", text);
}

Json object_schema(Json properties, const char* required) {
  Json schema;
  schema.set("type", "object").set("properties", std::move(properties));
  if (required != nullptr) schema.set("required", Json().push(required));
  return schema.set("additionalProperties", false);
}

ToolInfo of_agent(const char* name, const char* title, const char* description) {
  Json properties;
  properties.set("agent", described("string", "The name of the agent, as in lab/robot1"));
  return {name, title, description, object_schema(std::move(properties), "agent"), {}, true};
}

ToolInfo trace_tool() {
  Json properties;
  properties
      .set("conversation",
           described("string", "The number of a conversation, to read its messages"))
      .set("agent", described("string", "Without a conversation: only those of this agent"))
      .set("limit", described("integer", "The most conversations that are listed; 100 without it")
                        .set("minimum", 1)
                        .set("maximum", 100));
  return {"society_trace",
          "Conversations of agents",
          "Lists the latest conversations of agents, or shows the messages of one of them.",
          object_schema(std::move(properties), nullptr),
          {},
          true};
}

ToolInfo agents_tool() {
  Json properties;
  properties.set("prefix", described("string", "Only agents of this name and within it, as in lab"))
      .set("limit", described("integer", "The most agents that are listed; 100 without it")
                        .set("minimum", 1)
                        .set("maximum", 1000));
  return {"society_agents",
          "Agents",
          "Lists the agents of the society that can be seen, with what they say of themselves.",
          object_schema(std::move(properties), nullptr),
          {},
          true};
}

Json message_of(std::string text) {
  Json content, message, messages, result;
  content.set("type", "text").set("text", std::move(text));
  message.set("role", "user").set("content", std::move(content));
  messages.push(std::move(message));
  return result.set("messages", std::move(messages));
}

template <class T>
std::vector<T> with(std::vector<T> all, T last) {
  all.push_back(std::move(last));
  return all;
}

const char* word_for(Activity activity) noexcept {
  switch (activity) {
    case Activity::absent:
      return "absent";
    case Activity::waits:
      return "waits";
    case Activity::runs:
      return "runs";
    case Activity::silent:
      break;
  }
  return "silent";
}

double seconds_of(Duration span) { return std::chrono::duration<double>(span).count(); }

// The memory of the properties of an agent, of one of them beside its texts, and of a name in a
// list beside its letters.
constexpr std::size_t most_property_bytes = 32 * 1024, bytes_per_property = 32, bytes_per_name = 16;

// Returns whether a property is a list of agents, each on a line: of those that an agent deals with
// in a role, or to which it does something.
bool lists_agents(std::string_view key) noexcept {
  return key.starts_with("role.") || key.starts_with("does.");
}

std::string shown_names(std::string_view list, const MayShow& may_show) {
  std::string shown;
  while (!list.empty()) {
    const std::string_view one = list.substr(0, list.find('\n'));
    list.remove_prefix(std::min(list.size(), one.size() + 1));
    const auto name = Name::parse(one);
    if (name && may_show(*name)) shown.append(one).append("\n");
  }
  return shown;
}

}  // namespace

const std::vector<ToolInfo>& society_tools(bool has_transcripts) {
  static const std::vector<ToolInfo> tools = {
      agents_tool(),
      of_agent("society_inspect", "Inspect an agent",
               "Shows what an agent does now: what it waits for and since when, its mailbox, its "
               "last errors, and its state if it shows one."),
      of_agent("society_why", "Why an agent waits",
               "Explains why an agent waits, by following its waits from agent to agent to the "
               "cause, such as a deadlock."),
  };
  static const std::vector<ToolInfo> all = with(tools, trace_tool());
  return has_transcripts ? all : tools;
}

const std::vector<ResourceInfo>& society_resources(bool has_transcripts) {
  static const std::vector<ResourceInfo> resources = {
      {std::string(agents_uri), "agents", "The agents that can be seen, with their properties",
       "application/json"},
      {std::string(drawing_uri), "drawing",
       "The structure of the society: which agents have roles, and which agents they deal with",
       "text/plain"},
      {std::string(counts_uri), "counts", "The counts of the gateway's calls and messages",
       "application/json"},
      {std::string(metrics_uri), "metrics",
       "The metrics of the gateway's node and host, and of the agents on that node",
       "application/json"},
  };
  static const std::vector<ResourceInfo> all =
      with(resources,
           {std::string(conversations_uri), "conversations",
            "The latest conversations of agents, and those of your requests", "application/json"});
  return has_transcripts ? all : resources;
}

const std::vector<ResourceInfo>& society_templates(bool has_transcripts) {
  static const std::vector<ResourceInfo> templates = {
      {std::string(agents_uri) + "/{+name}", "agent",
       "What one agent says of itself, and what it does now", "application/json", true}};
  static const std::vector<ResourceInfo> all =
      with(templates, {std::string(conversations_uri) + "/{number}", "conversation",
                       "The messages of one conversation", "application/json", true});
  return has_transcripts ? all : templates;
}

const std::vector<PromptInfo>& society_prompts() {
  static const PromptInfo::Argument agent{"agent", "The name of the agent", true};
  static const std::vector<PromptInfo> prompts = {
      {"look_around", "Look at the society",
       "Finds out who is in the society, and whether something is wrong."},
      {"why_waits", "Why does an agent wait?", "Finds the cause of a wait.", {agent}},
      {"ask_agent",
       "Ask an agent",
       "Asks an agent a question, and explains its answer.",
       {agent, {"question", "The question", true}}},
  };
  return prompts;
}

std::optional<Name> name_of_resource(std::string_view uri) {
  if (!uri.starts_with(agents_uri) || uri.size() <= agents_uri.size() + 1 ||
      uri[agents_uri.size()] != '/')
    return std::nullopt;
  const auto text = http::percent_decoded(uri.substr(agents_uri.size() + 1));
  if (!text) return std::nullopt;
  auto name = Name::parse(*text);
  if (!name) return std::nullopt;
  return *std::move(name);
}

Json prompt_result(const std::string& name, const Json& arguments) {
  const PromptInfo* found = nullptr;
  for (const PromptInfo& each : society_prompts())
    if (each.name == name) found = &each;
  if (found == nullptr) refuse_params("there is no prompt " + coracle::detail::quoted(name));
  const Json none = Json(Json::Object());
  const web::JsonReader reader(arguments.is_null() ? none : arguments, "params.arguments");
  if (name == "look_around")
    return message_of(
        "List the agents of the society with society_agents, read the resource "
        "society://drawing, and inspect the agents that seem important with society_inspect. "
        "Then say in a few sentences what the society does and whether something is wrong: an "
        "agent that is silent, a full mailbox, an error, a deadlock. Change nothing.");
  const std::string agent = coracle::detail::quoted(reader.at("agent").text(), Name::max_bytes);
  if (name == "why_waits")
    return message_of("Find out with society_why why the agent " + agent +
                      " waits, and say what could be done about the cause. Change nothing.");
  return message_of("Ask the agent " + agent +
                    " by its tool, ask_NAME, this question, and explain "
                    "its answer: " +
                    reader.at("question").text());
}

std::size_t bytes_of(const Properties& properties) noexcept {
  std::size_t bytes = 0;
  for (const auto& [key, value] : properties.all()) {
    const auto* const text = std::get_if<std::string>(&value);
    bytes += key.size() + (text == nullptr ? 0 : text->size()) + bytes_per_property;
    if (text != nullptr && lists_agents(key))
      bytes += bytes_per_name * static_cast<std::size_t>(std::ranges::count(*text, '\n'));
  }
  return bytes;
}

std::optional<Properties> shown_properties(const Properties& properties, const MayShow& may_show) {
  if (bytes_of(properties) > most_property_bytes) return std::nullopt;
  Properties shown = properties;
  for (const auto& [key, value] : properties.all()) {
    const auto* const text = std::get_if<std::string>(&value);
    if (text != nullptr && lists_agents(key)) shown.set(key, shown_names(*text, may_show));
  }
  return shown;
}

Json to_json(const Properties& properties) {
  Json::Object all;  // no key is there twice
  for (const auto& [key, value] : properties.all())
    all.push_back({key, std::visit([](const auto& held) { return Json(held); }, value)});
  return all;
}

Json to_json(const Inspection& found, const MayShow& may_show) {
  Json result;
  result.set("name", found.name.view());
  if (!found.is_allowed)
    return result.set("problem", "the society's policy does not let the gateway inspect it");
  result.set("activity", word_for(found.activity));
  if (found.age) result.set("age", seconds_of(*found.age));
  Json waits = Json(Json::Array()), errors = Json(Json::Array());
  for (const Wait& each : found.waits) {
    Json wait;
    wait.set("what", to_string(each.what));
    if (!each.whom.empty()) wait.set("for", may_show(each.whom) ? each.whom.view() : "hidden");
    if (each.since) wait.set("since", seconds_of(*each.since));
    if (each.left) wait.set("left", seconds_of(*each.left));
    waits.push(std::move(wait));
  }
  for (const InspectedError& each : found.errors)
    errors.push(Json().set("ago", seconds_of(each.ago)));
  result.set("waits", std::move(waits))
      .set("requests", found.requests)
      .set("tasks", found.tasks)
      .set("sent", found.sent)
      .set("consumed", found.consumed)
      .set("queued", found.queued)
      .set("mailbox_limit", found.mailbox.messages())
      .set("restarts", found.restarts)
      .set("errors", std::move(errors));
  if (!found.state.empty()) result.set("state", found.state);
  return result;
}

}  // namespace coracle::mcp
