#include "coracle/http/client.hpp"

#include "client/event_inbox.hpp"
#include "client/state.hpp"
#include "coracle/support/signal.hpp"
#include "message/frames.hpp"
#include "message/text.hpp"
#include "stream/socket_channel.hpp"

#include <algorithm>
#include <utility>

namespace coracle::http {

namespace {

// The result of something that a coroutine of a node waits for.
template <class T>
struct Awaited {
  std::optional<Result<T>> result;
  detail::Signal arrival;

  void set(Result<T> what) {
    result = std::move(what);
    arrival.set();
  }
};

template <class T>
Task<T> result_of(std::shared_ptr<Awaited<T>> awaited) {
  auto waiting = awaited->arrival.wait();
  co_await waiting;
  co_return std::move(*awaited->result).value();
}

// The requests for a WebSocket that its user does not make.
Headers upgrade_headers(Headers headers, const SocketOptions& options, const std::string& key) {
  headers.set("Connection", "Upgrade");
  headers.set("Upgrade", "websocket");
  headers.set("Sec-WebSocket-Version", "13");
  headers.set("Sec-WebSocket-Key", key);
  std::string protocols;
  for (const std::string& each : options.protocols)
    protocols.append(protocols.empty() ? "" : ", ").append(each);
  if (!protocols.empty()) headers.set("Sec-WebSocket-Protocol", protocols);
  return headers;
}

// Returns why a response does not open a WebSocket.
std::optional<std::string> objection_to(const Response& response, const SocketOptions& options,
                                        const std::string& key) {
  const Headers& headers = response.headers;
  if (!headers.has_token("Connection", "upgrade") || !headers.has_token("Upgrade", "websocket") ||
      headers.find("Sec-WebSocket-Accept") != accept_of(key))
    return "its response does not fit the request";
  if (headers.find("Sec-WebSocket-Extensions")) return "it wants extensions";
  const auto protocol = headers.find("Sec-WebSocket-Protocol");
  const auto& offered = options.protocols;
  if (protocol && std::find(offered.begin(), offered.end(), *protocol) == offered.end())
    return "it has chosen a protocol that was not offered";
  return std::nullopt;
}

Error refused(const Url& url, const std::string& why) {
  return Error(Errc::refused,
               url.text() + " is no WebSocket (" + why + "); check the address and the protocols");
}

// Runs `what` on the thread of the loop.
template <class What>
void on_loop(ClientState& state, What what) {
  if (state.loop().is_here()) return what();
  state.loop().post(std::move(what));
}

}  // namespace

Client::Client(Loop& loop, ClientOptions options)
    : state_(std::make_shared<ClientState>(loop.state(), std::move(options))) {}

Client::~Client() {
  state_->loop().call([this] { state_->stop(); });
}

void Client::send(Request request, RequestOptions options, Done done) {
  const auto shared = std::make_shared<Done>(std::move(done));
  Call::Receiver to;
  to.arrive = [shared](ClientSession::Arrival arrival) { (*shared)(std::move(arrival.response)); };
  to.fail = [shared](const Error& error) { (*shared)(error); };
  const auto call = state_->make_call(std::move(request), options, std::move(to));
  on_loop(*state_, [state = state_, call] { state->begin(call); });
}

Task<Response> Client::fetch(Request request, RequestOptions options) {
  const auto awaited = std::make_shared<Awaited<Response>>();
  send(std::move(request), options,
       [awaited](Result<Response> result) { awaited->set(std::move(result)); });
  Task<Response> task = result_of(awaited);
  co_return co_await task;
}

Response Client::fetch_and_wait(Request request, RequestOptions options) {
  if (state_->loop().is_here())
    throw Error(Errc::wrong_thread,
                "the thread of the loop cannot wait for a response; use send() or fetch()");
  const auto result = std::make_shared<std::optional<Result<Response>>>();
  send(std::move(request), options, [result](Result<Response> got) { *result = std::move(got); });
  state_->loop().wait_until([result] { return result->has_value(); }, Deadline::never());
  return std::move(**result).value();
}

EventSource Client::events(Request request, RequestOptions options, EventLimits limits) {
  auto inbox = std::make_shared<EventInbox>(state_->shared_loop(), limits);
  if (!request.headers.find("Accept")) request.headers.add("Accept", "text/event-stream");
  const auto weak_call = std::make_shared<std::weak_ptr<Call>>();
  Call::Receiver to;
  to.arrive = [inbox, weak_call](ClientSession::Arrival arrival) {
    const auto call = weak_call->lock();
    if (call && arrival.kind == ClientSession::Arrival::Kind::head) {
      call->until = Time::max();
      inbox->set_channel(call->at);
    }
    inbox->arrive(std::move(arrival));
  };
  to.fail = [inbox](const Error& error) { inbox->fail(error); };
  to.has_room = [inbox] { return inbox->has_room(); };
  const auto call = state_->make_call(std::move(request), options, std::move(to));
  call->expected.is_stream = true;
  *weak_call = call;
  inbox->set_canceller([state = state_, weak = std::weak_ptr(call)] {
    if (const auto there = weak.lock())
      state->give_up(*there, Error(Errc::cancelled, "the stream of events was closed here"));
  });
  on_loop(*state_, [state = state_, call] { state->begin_alone(call); });
  return EventSource(std::move(inbox));
}

void Client::connect(Url url, SocketOptions options, Headers headers, Deadline deadline,
                     std::function<void(Result<WebSocket>)> done) {
  Random& random = machine_random();
  const std::string key = websocket_key(random.next(), random.next());
  Request request;
  request.url = url;
  request.headers = upgrade_headers(std::move(headers), options, key);
  Call::Receiver to;
  to.fail = done;
  to.arrive = [done, url](const ClientSession::Arrival& arrival) {
    done(refused(url, "its response has the status " + std::to_string(arrival.response.status)));
  };
  to.upgrade = [done, url, key, options, state = state_](
                   const Response& response, std::unique_ptr<Wire> wire, const std::string& first) {
    if (const auto why = objection_to(response, options, key)) return done(refused(url, *why));
    auto queue = std::make_shared<SocketQueue>(options, state->shared_loop());
    queue->set_protocol(std::string(response.headers.find("Sec-WebSocket-Protocol").value_or("")));
    auto channel = SocketChannel::begin(state->loop(), std::move(wire), queue, true, {}, first,
                                        [state, queue] { state->on_socket_over(queue.get()); });
    state->add_socket(queue.get(), std::move(channel));
    done(WebSocket(std::move(queue)));
  };
  RequestOptions sending;
  sending.deadline = deadline;
  const auto call = state_->make_call(std::move(request), sending, std::move(to));
  call->expected.is_upgrade = true;
  on_loop(*state_, [state = state_, call] { state->begin_alone(call); });
}

Task<WebSocket> Client::connect(Url url, SocketOptions options, Headers headers,
                                Deadline deadline) {
  const auto awaited = std::make_shared<Awaited<WebSocket>>();
  connect(std::move(url), std::move(options), std::move(headers), deadline,
          [awaited](Result<WebSocket> result) { awaited->set(std::move(result)); });
  Task<WebSocket> task = result_of(awaited);
  co_return co_await task;
}

}  // namespace coracle::http
