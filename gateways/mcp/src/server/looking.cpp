// The looks of clients at the society.
#include "server/looking.hpp"

#include "server/state.hpp"

#include "coracle/dispel/architecture.hpp"
#include "coracle/metrics.hpp"
#include "coracle/support/quote.hpp"
#include "coracle/web/json_reader.hpp"
#include "coracle/why_waits.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace coracle::mcp {

namespace {

using coracle::detail::quoted;

constexpr std::size_t most_agents = 1000, most_drawn = 10'000;

// The memory of a list of agents, and of the properties from which a drawing is made, about.
constexpr std::size_t most_list_bytes = std::size_t{1} << 20, most_drawn_bytes = 2 << 20;

// The conversations in a list.
constexpr std::size_t most_talks = 100;

// Stands in a chain of waits for an agent that clients may not know.
constexpr const char* hidden = "hidden";

double seconds(Duration span) { return std::chrono::duration<double>(span).count(); }

Json contents_of(const std::string& uri, const char* type, std::string text) {
  Json content, contents, result;
  content.set("uri", uri).set("mimeType", type).set("text", std::move(text));
  contents.push(std::move(content));
  return result.set("contents", std::move(contents));
}

Json to_json(const WhyWaits& found) {
  Json chain = Json(Json::Array()), result;
  for (const WhyStep& step : found.chain) {
    Json each;
    each.set("name", step.name.view());
    if (step.wait) {
      each.set("what", to_string(step.wait->what));
      if (!step.wait->whom.empty()) each.set("for", step.wait->whom.view());
      if (step.wait->since) each.set("since", seconds(*step.wait->since));
    }
    chain.push(each.set("queued", step.queued).set("sentence", step.sentence));
  }
  return result.set("sentence", found.sentence)
      .set("end", to_string(found.end))
      .set("is_deadlock", found.is_deadlock)
      .set("chain", std::move(chain));
}

// Properties that are too large are left out. Returns the memory of the others, about, those parts
// that clients may not see among them.
std::size_t set_properties(Json& object, const Properties& properties, const MayShow& may_show) {
  const auto shown = shown_properties(properties, may_show);
  if (shown) object.set("properties", mcp::to_json(*shown));
  else object.set("properties_left_out", true);
  return shown ? bytes_of(properties) : 0;
}

// Returns whether clients may know all agents that a metric is about.
bool may_show(const MetricPath& path, const Roster& roster) {
  constexpr std::array<std::string_view, 5> harmless = {"Node", "Host", "Worker", "Queue",
                                                        "Memory"};
  for (const MetricPath::Step& step : path.steps()) {
    if (step.arguments.empty() || std::ranges::count(harmless, step.word) != 0) continue;
    const bool is_agent = step.word == "Agent" && step.arguments.size() == 1;
    const auto name = Name::parse(step.arguments.front());
    if (!is_agent || !name || !roster.may_show(*name)) return false;
  }
  return true;
}

// The number in the address of a conversation.
std::optional<Conversation> conversation_of(std::string_view uri) noexcept {
  if (!uri.starts_with(conversations_uri) || uri.size() <= conversations_uri.size() + 1 ||
      uri[conversations_uri.size()] != '/')
    return std::nullopt;
  return conversation_in(uri.substr(conversations_uri.size() + 1));
}

// Leaves out of an inspection, for a chain of waits, all that clients may not know.
Inspection shown_to_clients(Inspection found, const Roster& roster) {
  if (found.name == Name(hidden) || !roster.may_show(found.name)) {
    Inspection nothing;
    nothing.name = Name(hidden);
    nothing.is_allowed = false;
    return nothing;
  }
  for (Wait& each : found.waits)
    if (!each.whom.empty() && !roster.may_show(each.whom)) each.whom = Name(hidden);
  found.messages.clear();
  return found;
}

}  // namespace

MayShow GatewayState::shows() const {
  return [this](const Name& each) { return roster_.may_show(each); };
}

Json GatewayState::agents_json(const std::string& prefix, std::size_t most) const {
  const Name within = prefix.empty() ? Name() : Name(prefix);
  Json agents = Json(Json::Array()), result;
  std::size_t count = 0, bytes = 0;
  for (const auto& [name, agent] : roster_.all()) {
    if (!name.within(within) || ++count > most || bytes > most_list_bytes) continue;
    Json each;
    each.set("name", name.view()).set("may_be_asked", agent.may_be_asked);
    const std::size_t looked_at = set_properties(each, agent.properties, shows());
    bytes += std::max(each.bytes(), looked_at);
    agents.push(std::move(each));
  }
  return result.set("agents", std::move(agents)).set("total", count);
}

Name GatewayState::visible(const web::JsonReader& arguments) const {
  const std::string& text = arguments.at("agent").text();
  const auto name = Name::parse(text);
  if (!name || !roster_.may_show(*name))
    arguments.fail("name an agent that clients cannot see: " + quoted(text));
  return *name;
}

Task<Json> GatewayState::inspected(Agent& me, Name agent) {
  Task<Inspection> looking = inspect(me, std::move(agent));
  const Inspection found = co_await looking;
  co_return mcp::to_json(found, shows());
}

Task<Json> GatewayState::why(Agent& me, Name agent) {
  WhyChain chain(std::move(agent));
  while (!chain.next().empty()) {
    Inspection found;
    found.name = chain.next();
    if (roster_.may_show(chain.next())) {
      Task<Inspection> looking = inspect(me, chain.next());
      found = co_await looking;
    }
    chain.add(shown_to_clients(std::move(found), roster_));
  }
  co_return to_json(std::move(chain).result());
}

std::string GatewayState::drawing() const {
  std::vector<Entry> entries;
  std::size_t bytes = 0;
  for (const auto& [name, agent] : roster_.all()) {
    if (entries.size() >= most_drawn || bytes > most_drawn_bytes) break;
    if (agent.properties.find("role") == nullptr) continue;
    bytes += bytes_of(agent.properties);
    auto properties = shown_properties(agent.properties, shows());
    if (!properties) continue;
    Entry entry;
    entry.name = name;
    entry.properties = *std::move(properties);
    entries.push_back(std::move(entry));
  }
  dispel::Architecture drawn = dispel::drawn(std::move(entries));
  for (dispel::DrawnAgent& each : drawn.agents)
    for (std::string& role : each.roles) role = coracle::detail::shown(role);
  for (dispel::DrawnArrow& each : drawn.arrows) each.what = coracle::detail::shown(each.what);
  std::string text = drawn.to_text();
  if (text.size() > most_list_bytes) text.resize(text.rfind('\n', most_list_bytes));
  return text;
}

Json GatewayState::counts_json() const {
  const GatewayCounts own = counts();
  const Ledger ledger = node_.ledger();
  Json gateway, messages, result;
  gateway.set("tools", own.agents).set("calls", own.calls).set("subscriptions", own.subscriptions);
  messages.set("sent", ledger.sent)
      .set("received", ledger.received)
      .set("queued", ledger.queued)
      .set("in_flight", ledger.in_flight)
      .set("consumed", ledger.consumed)
      .set("expired", ledger.expired)
      .set("refused", ledger.refused)
      .set("undeliverable", ledger.undeliverable);
  return result.set("gateway", std::move(gateway)).set("messages", std::move(messages));
}

Task<ToolResult> GatewayState::look(Agent& me, const Call& call) {
  const Request& request = call.request;
  const Json none = Json(Json::Object());
  const web::JsonReader arguments(request.arguments.is_null() ? none : request.arguments,
                                  "arguments");
  Json result;
  if (request.name == "society_agents") {
    std::string prefix = arguments.text_or_empty("prefix");
    if (!prefix.empty() && !Name::parse(prefix))
      arguments.at("prefix").fail("is no name of an agent");
    std::size_t most = 100;
    if (const auto limit = arguments.find("limit"))
      most = static_cast<std::size_t>(limit->whole(1, most_agents));
    result = agents_json(prefix, most);
  } else if (request.name == "society_trace") {
    result = trace(arguments, call.caller, me.now());
  } else {
    Name agent = visible(arguments);
    Task<Json> looking =
        request.name == "society_why" ? why(me, std::move(agent)) : inspected(me, std::move(agent));
    result = co_await looking;
  }
  co_return ToolResult::value(std::move(result));
}

Json GatewayState::metrics_json() const {
  Json all = Json(Json::Array()), result;
  std::size_t bytes = 0;
  for (const auto& [path, metric] : node_.metrics().all()) {
    if (bytes > most_list_bytes) break;
    if (!may_show(path, roster_)) continue;
    Json each;
    each.set("path", path.text()).set("value", metric.value);
    if (!metric.unit.empty()) each.set("unit", coracle::detail::shown(metric.unit));
    each.set("credibility", metric.credibility);
    bytes += each.bytes();
    all.push(std::move(each));
  }
  return result.set("metrics", std::move(all));
}

Task<Json> GatewayState::read(Agent& me, const Call& call) {
  const Request& request = call.request;
  const std::string& uri = request.name;
  constexpr const char* json = "application/json";
  if (uri == agents_uri)
    co_return contents_of(uri, json, web::to_text(agents_json({}, most_agents)));
  if (uri == drawing_uri) co_return contents_of(uri, "text/plain", drawing());
  if (uri == counts_uri) co_return contents_of(uri, json, web::to_text(counts_json()));
  if (uri == metrics_uri) co_return contents_of(uri, json, web::to_text(metrics_json()));
  if (has_transcripts() && uri == conversations_uri)
    co_return contents_of(uri, json,
                          web::to_text(conversations_json(call.caller, {}, most_talks, me.now())));
  if (const auto number = conversation_of(uri); number && has_transcripts()) {
    if (const auto found = transcript_json(*number, call.caller, me.now()))
      co_return contents_of(uri, json, web::to_text(*found));
  }
  const auto agent = name_of_resource(uri);
  const Roster::Agent* const known = agent ? roster_.find(*agent) : nullptr;
  if (known == nullptr) {
    Json data;
    data.set("uri", uri);
    throw Fault{
        {request.is_earlier ? error_code::resource_not_found : web::rpc_code::invalid_params,
         "there is no resource " + quoted(uri), std::move(data)}};
  }
  const Properties properties = known->properties;
  Task<Json> looking = inspected(me, known->name);
  Json found = co_await looking;
  set_properties(found, properties, shows());
  co_return contents_of(uri, json, web::to_text(found));
}

}  // namespace coracle::mcp
