// The requests that are answered at once, and the way of the others.
#include "server/looking.hpp"
#include "server/state.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/log.hpp"
#include "coracle/support/quote.hpp"
#include "coracle/web/json_reader.hpp"

#include <exception>
#include <utility>

namespace coracle::mcp {

namespace {

using coracle::detail::quoted;

// Before the name in a cursor: the page has ended within the tools that a program has added.
constexpr char added_page = '+';

constexpr std::size_t page_size = 100, longest_completion = 100, most_uris = 100;

// The time for which a client may keep a list of agents. Subscribers are told of changes.
constexpr std::int64_t list_ttl_ms = 5'000, fixed_ttl_ms = 3'600'000;

Fault fault_of(std::exception_ptr failure) try {
  std::rethrow_exception(std::move(failure));
} catch (const Fault& fault) {
  return fault;
} catch (const web::JsonError& error) {
  return {{web::rpc_code::invalid_params, error.sentence()}};
} catch (const std::exception& error) {
  const std::string what = error.what();
  coracle::detail::log_debug(coracle::detail::LogPart::gateway,
                             [&what] { return "a request of MCP has failed: " + what; });
  return {{web::rpc_code::internal_error, "the gateway could not serve the request"}};
}

template <class Info>
Json listed(const char* member, const std::vector<Info>& all) {
  Json items = Json(Json::Array()), result;
  for (const Info& each : all) items.push(to_json(each));
  return result.set(member, std::move(items));
}

// Returns whether the completion is for the name of an agent.
bool completes_agents(const web::JsonReader& params) {
  const web::JsonReader reference = params.at("ref");
  const std::string type = reference.at("type").text();
  const std::string argument = params.at("argument").at("name").text();
  if (type == "ref/prompt") {
    for (const PromptInfo& each : society_prompts())
      if (each.name == reference.at("name").text()) return argument == "agent";
    refuse_params("there is no prompt of that name");
  }
  if (type != "ref/resource") refuse_params("'params.ref.type' is ref/prompt or ref/resource");
  if (reference.at("uri").text() != society_templates(false).front().uri)
    refuse_params("there is no template of that address");
  return argument == "name";
}

Json completed(const Roster& roster, const Json& params) {
  const web::JsonReader reader(params, "params");
  const std::string begun = reader.at("argument").at("value").text();
  Json values = Json(Json::Array()), completion, result;
  std::size_t count = 0;
  if (completes_agents(reader)) {
    for (const auto& each : roster.all()) {
      if (!each.first.view().starts_with(begun) || ++count > longest_completion) continue;
      values.push(each.first.view());
    }
  }
  completion.set("values", std::move(values))
      .set("total", count)
      .set("hasMore", count > longest_completion);
  return result.set("completion", std::move(completion));
}

}  // namespace

// Keeps a request in the list of those that are under way, and counts it.
class GatewayState::Entering {
 public:
  Entering(GatewayState& state, Call& call)
      : state_(state),
        call_(call),
        bytes_(call.request.arguments.bytes() + call.request.input_responses.bytes()) {
    std::size_t& own = state_.calls_of_[call.caller];
    const bool has_room = state_.calls_.size() < state_.options_.calls &&
                          own < state_.options_.calls_per_caller &&
                          state_.call_bytes_ + bytes_ <= state_.options_.call_bytes;
    if (!has_room && own == 0) state_.calls_of_.erase(call.caller);
    if (!has_room)
      throw Fault{{web::rpc_code::internal_error,
                   "too many requests are under way; repeat this one when others have ended"}};
    ++own;
    state_.call_bytes_ += bytes_;
    place_ = state_.calls_.insert(state_.calls_.end(), &call);
    state_.call_count_ = state_.calls_.size();
    state_.busy_->set();
  }
  Entering(const Entering&) = delete;
  ~Entering() {
    state_.call_bytes_ -= bytes_;
    state_.calls_.erase(place_);
    state_.call_count_ = state_.calls_.size();
    const auto own = state_.calls_of_.find(call_.caller);
    if (--own->second == 0) state_.calls_of_.erase(own);
  }

 private:
  GatewayState& state_;
  Call& call_;
  const std::size_t bytes_;
  std::list<Call*>::iterator place_;
};

Task<> GatewayState::serve(Agent& me, Request request, std::string caller, OutletPtr out,
                           const void* channel) {
  std::exception_ptr failure;
  Call call{request, caller, out, channel, me.now()};
  try {
    if (request.method == Method::listen) {
      listen(request, caller, out, channel);
    } else if (is_of_tasks(request.method)) {
      Task<std::string> serving = serve_task(me, request, caller);
      std::string text = co_await serving;
      out->respond(std::move(text), 200);
    } else if (request.method == Method::call_tool || request.method == Method::read_resource) {
      Task<> serving = serve_slowly(me, call);
      co_await serving;
    } else {
      out->respond(answer(request), 200);
    }
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure == nullptr || call.is_called_off) co_return;
  const Fault fault = fault_of(std::move(failure));
  out->respond(web::write_rpc_error(request.id, fault.error),
               status_of(fault.error, request.is_earlier));
}

Task<> GatewayState::serve_slowly(Agent& me, Call& call) {
  if (call.channel != nullptr) {
    for (const Call* const each : calls_)
      if (each->channel == call.channel && each->request.id == call.request.id)
        throw Fault{{web::rpc_code::invalid_request, "a request with this id is under way"}};
  }
  const Entering entered(*this, call);
  std::string text;
  if (call.request.method == Method::call_tool) {
    Task<std::string> calling = call_tool(me, call);
    text = co_await calling;
  } else {
    Task<Json> reading = read(me, call);
    Json result = co_await reading;
    text = respond_for(call.request, info_, std::move(result), 0);
  }
  if (!call.is_called_off) call.out->respond(std::move(text), 200);
}

std::string GatewayState::answer(const Request& request) const {
  switch (request.method) {
    case Method::discover:
      return respond_for(request, info_, discovered(info_), fixed_ttl_ms);
    case Method::initialize:
      return respond(request, info_, initialized(info_, request.wanted_version));
    case Method::list_tools:
      return listed_tools(request);
    case Method::list_prompts:
      if (!request.cursor.empty()) refuse_params("the list has one page only");
      return respond_for(request, info_, listed("prompts", society_prompts()), fixed_ttl_ms);
    case Method::list_resources:
      if (!request.cursor.empty()) refuse_params("the list has one page only");
      return respond_for(request, info_, listed("resources", society_resources(has_transcripts())),
                         fixed_ttl_ms);
    case Method::list_templates:
      if (!request.cursor.empty()) refuse_params("the list has one page only");
      return respond_for(request, info_,
                         listed("resourceTemplates", society_templates(has_transcripts())),
                         fixed_ttl_ms);
    case Method::get_prompt:
      return respond(request, info_, prompt_result(request.name, request.arguments));
    case Method::complete:
      return respond(request, info_, completed(roster_, request.params));
    default:
      return respond(request, info_, Json(Json::Object()));
  }
}

// The tools of the society, then those that a program has added, then the agents; each in the order
// of their names.
std::string GatewayState::listed_tools(const Request& request) const {
  const std::string after = request.cursor.empty() ? std::string() : name_in_cursor(request.cursor);
  Json items = Json(Json::Array()), result;
  if (after.empty()) {
    for (const ToolInfo& each : society_tools(has_transcripts()))
      items.push(to_json(each, request.is_earlier));
  }
  std::size_t count = 0;
  std::string last, next;
  if (after.empty() || after.starts_with(added_page)) {
    const std::lock_guard lock(mutex_);
    auto each = added_.upper_bound(after.starts_with(added_page) ? after.substr(1) : after);
    for (; each != added_.end() && count < page_size; ++each, ++count) {
      items.push(to_json(each->second->info, request.is_earlier));
      last = added_page + each->first;
    }
    if (each != added_.end()) next = last;
  }
  if (next.empty()) {
    const std::string_view from =
        after.starts_with(added_page) ? std::string_view() : std::string_view(after);
    const Roster::Page page = roster_.tools(from, page_size - count);
    for (const Roster::Agent* const each : page.agents)
      items.push(to_json(info_of(*each), request.is_earlier));
    next = page.next;
    if (count == page_size && roster_.tool_count() != 0) next = last;
  }
  result.set("tools", std::move(items));
  if (!next.empty()) result.set("nextCursor", cursor_after(next));
  return respond_for(request, info_, std::move(result), list_ttl_ms);
}

void GatewayState::listen(const Request& request, const std::string& caller, OutletPtr out,
                          const void* channel) {
  std::size_t own = 0;
  for (const Subscription& each : subscriptions_) own += each.caller == caller ? 1 : 0;
  if (subscriptions_.size() >= options_.subscriptions || own >= options_.calls_per_caller)
    throw Fault{{web::rpc_code::internal_error,
                 "too many subscriptions are open; end one, or use a list again later"}};
  const web::JsonReader wanted = web::JsonReader(request.params, "params").at("notifications");
  Subscription made{request.id, out, channel, caller};
  made.tools = wanted.truth_or_false("toolsListChanged");
  for (std::string& each : wanted.texts_or_none("resourceSubscriptions", most_uris)) {
    const auto name = name_of_resource(each);
    if (each == agents_uri || each == drawing_uri || (name && roster_.may_show(*name)))
      made.uris.insert(std::move(each));
  }
  if (wanted.find("taskIds") && !request.can_take_tasks) throw Fault{tasks_are_missing()};
  for (std::string& each : wanted.texts_or_none("taskIds", most_uris))
    if (tasks_.find(each, caller) != nullptr) made.tasks.insert(std::move(each));
  Json granted = Json(Json::Object()), params, uris = Json(Json::Array()),
       tasks = Json(Json::Array());
  if (made.tools) granted.set("toolsListChanged", true);
  for (const std::string& each : made.uris) uris.push(each);
  if (!made.uris.empty()) granted.set("resourceSubscriptions", std::move(uris));
  for (const std::string& each : made.tasks) tasks.push(each);
  if (!made.tasks.empty()) granted.set("taskIds", std::move(tasks));
  params.set("notifications", std::move(granted));
  out->keep_open();
  out->notify(
      subscription_note("notifications/subscriptions/acknowledged", request.id, std::move(params)));
  // A task may have changed before its client has subscribed.
  for (const std::string& each : made.tasks)
    out->notify(subscription_note("notifications/tasks", request.id, to_json(*tasks_.find(each))));
  subscriptions_.push_back(std::move(made));
  subscription_count_ = subscriptions_.size();
  busy_->set();
}

}  // namespace coracle::mcp
