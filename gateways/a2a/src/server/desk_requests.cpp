// Requests of HTTP become calls.
#include "server/desk.hpp"

#include "coracle/a2a/card_signature.hpp"
#include "coracle/a2a/model_json.hpp"
#include "coracle/a2a/receipts.hpp"
#include "coracle/errors.hpp"
#include "coracle/support/log.hpp"
#include "coracle/traceparent.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace coracle::a2a {

namespace {

constexpr std::string_view well_known = ".well-known/agent-card.json";
constexpr std::size_t usual_agents = 100, most_agents_of_page = 1000;

// The path behind /a2a/, decoded; nothing for other paths.
std::optional<std::string> path_in(const http::Request& request) {
  if (request.url.path == "/" + std::string(well_known)) return std::string(well_known);
  return std::string(request.parameter("rest"));
}

std::string field_of(const http::Request& request, std::string_view name) {
  if (const auto fields = http::query_fields(request.url.query, 16))
    for (const auto& [key, value] : *fields)
      if (key == name) return value;
  return {};
}

void check_type(const http::Request& request) {
  const auto given = request.headers.find("Content-Type");
  if (!given) return;
  const std::string type = http::media_type(*given);
  if (type == "application/json" || type == "application/a2a+json") return;
  throw Fault(FaultKind::content_type_not_supported,
              "the body of a request is application/json, or application/a2a+json");
}

// The last change that a client knows, if it wants its stream to go on behind it.
std::optional<std::uint64_t> resumed_after(const http::Request& request) {
  if (!request.headers.has_token("A2A-Extensions", resume_extension)) return std::nullopt;
  const std::string_view text = request.headers.find("Last-Event-ID").value_or("");
  std::uint64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty()) return std::nullopt;
  if (read.ec != std::errc() || read.ptr != text.data() + text.size())
    throw Fault(FaultKind::invalid_request, "the header Last-Event-ID has to be a number");
  return number;
}

Fault no_agent() {
  return Fault(FaultKind::agent_not_found, "there is no such agent; look at the list of agents");
}

// The agent of a path such as lab/ann/.well-known/agent-card.json; nothing if it is no such path.
std::optional<std::string> card_path_in(std::string_view path) {
  if (!path.ends_with(well_known)) return std::nullopt;
  path.remove_suffix(well_known.size());
  if (path.empty()) return std::string();
  if (!path.ends_with('/')) return std::nullopt;
  path.remove_suffix(1);
  return std::string(path);
}

Name name_in(const std::string& text) {
  auto name = Name::parse(text);
  if (!name) throw no_agent();
  return *std::move(name);
}

}  // namespace

coracle::Task<> Desk::serve(Agent& me, http::Request request, http::Responder to) {
  ReplyForm form;
  std::optional<Fault> fault;
  http::Headers challenge;
  try {
    const std::string path = path_in(request).value_or("");
    const bool gets = request.method == "GET" || request.method == "HEAD";
    if (const auto of_card = card_path_in(path); of_card && gets) {
      const std::optional<Name> agent = of_card->empty() ? front() : name_in(*of_card);
      if (!agent) throw no_agent();
      coracle::Task<> serving = serve_card(me, *agent, to);
      co_await serving;
      co_return;
    }
    const auto caller = callers_.caller_of(request);
    if (!caller) {
      challenge = callers_.challenge();
      throw Fault(FaultKind::unauthenticated, caller.error().sentence());
    }
    if (gets && path.empty()) {
      serve_list(request, to);
      co_return;
    }
    Order order = order_in(request, path, *caller, form);
    order.to = to;
    const bool begins = std::holds_alternative<SendCall>(order.call);
    if (begins) {
      coracle::Task<bool> looking = is_known(me, name_in(order.agent));
      if (!co_await looking) throw no_agent();
      const bool goes_on = !std::get<SendCall>(order.call).request.message.task_id.empty();
      if (order.wants_receipt && !goes_on) order.form.activate(receipts_extension);
      coracle::Task<> grouping = find_group(me, order);
      co_await grouping;
    }
    handle(me, std::move(order));
  } catch (const Fault& failure) {
    fault = failure;
  }
  if (!fault) co_return;
  coracle::detail::log_debug(coracle::detail::LogPart::gateway, [&] {
    return "a call of A2A from " + request.peer + " was refused: " + fault->sentence();
  });
  http::Response response = form.error(*fault);
  for (std::size_t i = 0; i < challenge.size(); ++i)
    response.headers.add(challenge[i].name, challenge[i].value);
  to.send(std::move(response));
}

Desk::Order Desk::order_in(const http::Request& request, std::string_view path, std::string caller,
                           ReplyForm& form) const {
  Order order;
  order.caller = std::move(caller);
  order.wants_receipt = request.headers.has_token("A2A-Extensions", receipts_extension);
  order.may_group = request.headers.has_token("A2A-Extensions", groups_extension);
  order.trace =
      trace_context_in(request.headers.find("traceparent").value_or("")).value_or(TraceContext());
  if (const auto rest = rest_path_in(request.method, path)) {
    check_version(request);
    order.resumes_after = resumed_after(request);
    if (request.method == "POST") check_type(request);
    order.call = call_in(*rest, request);
    order.agent = agent_of(rest->agent, order.call);
    return order;
  }
  if (request.method != "POST")
    throw Fault(FaultKind::method_not_found, "there is no such operation at this address");
  form = ReplyForm(Json());
  check_type(request);
  web::JsonLimits limits;
  limits.bytes = options_.request_bytes;
  auto read = web::read_rpc_request(request.body, limits);
  if (const auto* const bad = std::get_if<web::BadRpc>(&read)) {
    form = ReplyForm(bad->id);
    const bool is_json = bad->error.code != web::rpc_code::parse_error;
    throw Fault(is_json ? FaultKind::invalid_request : FaultKind::parse_error, bad->error.message);
  }
  auto& rpc = std::get<web::RpcRequest>(read);
  if (!rpc.id)
    throw Fault(FaultKind::invalid_request, "a request without an id gets no answer; send one");
  form = ReplyForm(*rpc.id);
  order.form = form;
  check_version(request);
  order.resumes_after = resumed_after(request);
  order.call = call_in(rpc);
  order.agent = agent_of(std::string(path), order.call);
  return order;
}

// The agent that a call is for: that of the path, that of the tenant, or the one in front.
std::string Desk::agent_of(const std::string& path_agent, const Call& call) const {
  const std::string& tenant = tenant_of(call);
  if (!path_agent.empty() && !tenant.empty() && tenant != path_agent)
    throw Fault::at("tenant", "is not the agent of the address; leave it out");
  if (!path_agent.empty()) return path_agent;
  if (!tenant.empty()) return tenant;
  if (const auto first = front()) return first->str();
  throw Fault::at("tenant", "is missing, and the address names no agent");
}

coracle::Task<> Desk::serve_card(Agent& me, const Name& agent, http::Responder to) {
  const Name name = agent;
  coracle::Task<bool> looking = is_known(me, name);
  const bool is_there = co_await looking;
  const Properties* const properties = is_there ? roster_.find(name) : nullptr;
  if (properties == nullptr) throw no_agent();
  AgentCard card = card_of(name, *properties, frame_);
  if (options_.signer) sign(card, options_.signer);
  http::Response response = http::Response::with(web::to_text(to_json(card)), "application/json");
  response.headers.add("Cache-Control", "max-age=60");
  to.send(std::move(response));
}

// The list of agents, which A2A itself does not have.
void Desk::serve_list(const http::Request& request, const http::Responder& to) const {
  std::size_t size = usual_agents;
  const std::string wanted = field_of(request, "pageSize");
  std::from_chars(wanted.data(), wanted.data() + wanted.size(), size);
  size = std::clamp(size, std::size_t{1}, most_agents_of_page);
  const Roster::Page page = roster_.page(field_of(request, "pageToken"), size);
  Json::Array agents;
  for (const Name& each : page.names) {
    const std::string address = address_of(each, frame_.base);
    agents.push_back(Json()
                         .set("name", each.view())
                         .set("url", address)
                         .set("card", address + "/" + std::string(well_known)));
  }
  Json list;
  list.set("agents", std::move(agents)).set("nextPageToken", page.next);
  to.send(http::Response::with(web::to_text(list), "application/json"));
}

}  // namespace coracle::a2a
