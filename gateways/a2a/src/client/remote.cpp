#include "client/remote.hpp"

#include "coracle/a2a/model_json.hpp"
#include "coracle/support/quote.hpp"
#include "coracle/traceparent.hpp"
#include "server/cards.hpp"

#include <utility>

namespace coracle::a2a {

namespace {

Fault wrong_answer(const std::string& why) {
  return Fault(FaultKind::invalid_agent_response,
               "the answer of the foreign agent cannot be used: " + why);
}

// A fault that the server has sent. Its words are those of a stranger.
Fault fault_of_server(const Fault& fault) {
  constexpr std::size_t longest = 500;
  return Fault(fault.kind(), "the server of the foreign agent answers " +
                                 coracle::detail::quoted(fault.sentence(), longest));
}

}  // namespace

void ForeignProofs::add_to(http::Request& request) const {
  if (!token.empty()) request.headers.add("Authorization", "Bearer " + token);
  if (!api_key.empty()) request.headers.add("X-API-Key", api_key);
}

StreamItem item_of(const Json& json) {
  try {
    return read<StreamItem>(web::JsonReader(json));
  } catch (const web::JsonError& error) {
    throw wrong_answer(error.sentence());
  }
}

http::Request Remote::request_of(Call call, const TraceContext& trace) const {
  set_tenant(call, place_.tenant);
  http::Request request;
  if (place_.is_rpc) {
    request.method = "POST";
    request.url = place_.url;
    request.body = web::write_rpc(rpc_request_of(call, Json(1)));
  } else {
    request = rest_request_of(call, place_.url);
  }
  if (!request.body.empty())
    request.headers.add("Content-Type",
                        place_.is_rpc ? "application/json" : "application/a2a+json");
  request.headers.add("A2A-Version", "1.0");
  if (trace.span != 0 && (trace.trace_high != 0 || trace.trace_low != 0))
    request.headers.add("traceparent", to_traceparent(trace));
  proofs_.add_to(request);
  return request;
}

Json Remote::result_in(std::string_view body) const {
  web::JsonLimits limits;
  limits.bytes = bytes_;
  if (!place_.is_rpc) {
    auto json = web::parse_json(body, limits);
    if (!json) throw wrong_answer(json.error().sentence());
    return *std::move(json);
  }
  auto response = web::read_rpc_response(body, limits);
  if (!response) throw wrong_answer(response.error().sentence());
  if (const auto* const error = std::get_if<web::RpcError>(&response->outcome))
    throw fault_of_server(fault_in(*error));
  if (response->id != Json(1)) throw wrong_answer("it answers another request");
  return std::get<Json>(std::move(response->outcome));
}

// An error of JSON-RPC may come with any status, and an error without that form may come, too.
void Remote::fail_with(const http::Response& response) const {
  if (place_.is_rpc) {
    const auto read = web::read_rpc_response(response.body);
    const auto* const error = read ? std::get_if<web::RpcError>(&read->outcome) : nullptr;
    if (error != nullptr) throw fault_of_server(fault_in(*error));
  }
  throw fault_of_server(fault_in(response.status, response.body));
}

coracle::Task<Json> Remote::call(Call call, TraceContext trace, Deadline deadline) const {
  http::RequestOptions options;
  options.deadline = deadline;
  coracle::Task<http::Response> fetching =
      client_.fetch(request_of(std::move(call), trace), options);
  const http::Response response = co_await fetching;
  if (response.status < 200 || response.status > 299) fail_with(response);
  co_return result_in(response.body);
}

http::EventSource Remote::stream(Call call, const TraceContext& trace, Deadline deadline,
                                 const std::string& after) const {
  http::RequestOptions options;
  options.deadline = deadline;
  http::Request request = request_of(std::move(call), trace);
  request.headers.add("Accept", "text/event-stream");
  if (!after.empty()) {
    request.headers.add("A2A-Extensions", resume_extension);
    request.headers.add("Last-Event-ID", after);
  }
  return client_.events(std::move(request), options, {.event_bytes = bytes_});
}

StreamItem Remote::item_in(std::string_view data) const { return item_of(result_in(data)); }

bool Remote::is_stream(const http::Response& head) {
  const auto type = head.headers.find("Content-Type");
  return head.status == 200 && type && http::media_type(*type) == "text/event-stream";
}

void Remote::check_stream(const http::Response& head) const {
  if (is_stream(head)) return;
  if (place_.is_rpc || head.status < 200 || head.status > 299) fail_with(head);
  throw wrong_answer("it is no stream of events");
}

}  // namespace coracle::a2a
