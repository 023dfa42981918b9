#include "coracle/mcp/http_server.hpp"

#include "model/protocol.hpp"
#include "model/request.hpp"
#include "model/results.hpp"
#include "server/outlet.hpp"
#include "server/state.hpp"

#include "coracle/errors.hpp"
#include "coracle/http/agent.hpp"
#include "coracle/support/loopback.hpp"

#include <optional>
#include <utility>

namespace coracle::mcp {

namespace {

using http::Responder;
using http::Response;

// Responds with JSON; or, once there was something before the response, with a stream of events.
class HttpOutlet final : public Outlet {
 public:
  // A subscriber that is slow is left, since it asks for everything again when it comes back.
  // Otherwise, notices of progress are lost.
  HttpOutlet(Responder to, bool takes_events, bool may_lose)
      : to_(std::move(to)),
        takes_events_(takes_events),
        overflow_(may_lose ? http::Overflow::drop_newest : http::Overflow::close) {}

  void notify(const std::string& message) override {
    keep_open();
    if (stream_) stream_->send({message});
  }
  void respond(std::string message, int status) override {
    if (stream_) {
      stream_->close_with({std::move(message)});
    } else {
      to_.send(Response::with(std::move(message), json_type, status));
    }
  }
  void keep_open() override {
    if (stream_ || !takes_events_) return;
    http::StreamOptions options;
    options.overflow = overflow_;
    stream_ = to_.stream(options, {{"Cache-Control", "no-cache"}, {"X-Accel-Buffering", "no"}});
  }
  bool is_wanted() const override { return stream_ ? stream_->is_open() : to_.is_wanted(); }

 private:
  const Responder to_;
  const bool takes_events_;
  const http::Overflow overflow_;
  std::optional<http::EventStream> stream_;
};

// Returns whether the client accepts streams of events.
bool takes_events(const http::Headers& headers) {
  const auto accepted = headers.find("Accept");
  for (std::string_view list = accepted.value_or(std::string_view()); !list.empty();) {
    const std::size_t end = std::min(list.find(','), list.size());
    const std::string type = http::media_type(list.substr(0, end));
    if (type == "text/event-stream" || type == "text/*" || type == "*/*") return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

Response refusal(const web::BadRpc& bad, bool is_earlier) {
  return Response::with(web::write_rpc_error(bad.id, bad.error), json_type,
                        status_of(bad.error, is_earlier));
}

Response forbidden(std::string why) {
  return refusal({{}, {web::rpc_code::invalid_request, std::move(why)}}, false);
}

std::string host_of(const std::string& endpoint) {
  std::string host = endpoint.substr(0, endpoint.rfind(':'));
  if (host.size() > 2 && host.front() == '[' && host.back() == ']')
    host = host.substr(1, host.size() - 2);
  return host;
}

bool is_of_this_host(const std::string& endpoint) {
  return coracle::detail::is_this_host(host_of(endpoint));
}

http::ServerOptions checked(const HttpServerOptions& options, const web::Callers& callers) {
  http::ServerOptions made = options.http;
  callers.check(made.tls);
  const bool is_here = is_of_this_host(made.endpoint);
  if (!is_here && !callers.needs_proof() && !made.insecure)
    throw Error(Errc::not_permitted,
                "'" + made.endpoint +
                    "' is beyond this host, where anybody could use the tools; give callers a key "
                    "or a token, or permit it as insecure");
  if (!made.sites && is_here) made.sites.emplace();
  made.limits.body_bytes = std::min(made.limits.body_bytes, message_limits.bytes);
  return made;
}

// The handling of requests, which may go on for a moment when the server is gone.
class HttpHandling {
 public:
  HttpHandling(GatewayState& gateway, const HttpServerOptions& options)
      : gateway_(gateway),
        callers_(options.callers),
        checks_sites_(options.http.sites || is_of_this_host(options.http.endpoint)) {}

  const web::Callers& callers() const noexcept { return callers_; }
  Task<> handle(Agent& me, http::Request request, Responder to) const;

 private:
  // Reads the request, or responds and returns nothing.
  static std::optional<Request> read(const http::Request& request, const Responder& to);

  GatewayState& gateway_;
  const web::Callers callers_;
  const bool checks_sites_;
};

Task<> HttpHandling::handle(Agent& me, http::Request request, Responder to) const {
  // Without a list of sites, no page of any site may use the server.
  if (!checks_sites_ && request.headers.count("Origin") != 0) {
    Response response = forbidden("web pages may not use this server");
    response.status = 403;
    to.send(std::move(response));
    co_return;
  }
  const Result<std::string> caller = callers_.caller_of(request);
  if (!caller) {
    Response response = forbidden(caller.error().sentence());
    response.status = 401;
    response.headers = callers_.challenge();
    response.headers.set("Content-Type", json_type);
    to.send(std::move(response));
    co_return;
  }
  auto incoming = read(request, to);
  if (!incoming) co_return;
  auto out = std::make_shared<HttpOutlet>(std::move(to), takes_events(request.headers),
                                          incoming->method != Method::listen);
  request = {};
  Task<> serving = gateway_.serve(me, *std::move(incoming), *caller, std::move(out), nullptr);
  co_await serving;
}

std::optional<Request> HttpHandling::read(const http::Request& request, const Responder& to) {
  const auto version = request.headers.find(header::version);
  const bool may_be_earlier = version && is_earlier_version(*version);
  Incoming incoming = read_message(request.body, may_be_earlier);
  auto* const read = std::get_if<Request>(&incoming);
  if (auto* const bad = std::get_if<web::BadRpc>(&incoming)) {
    to.send(refusal(*bad, may_be_earlier));
    return std::nullopt;
  }
  if (read == nullptr) {
    // A client calls a request off by closing its connection; a number that anybody could guess
    // calls nothing off.
    Response accepted;
    accepted.status = 202;
    to.send(std::move(accepted));
    return std::nullopt;
  }
  auto error = read->is_earlier ? std::nullopt : header_error(request.headers, *read);
  if (error) {
    to.send(refusal({read->id, *std::move(error)}, false));
    return std::nullopt;
  }
  if (read->method == Method::listen && !takes_events(request.headers)) {
    to.send(Response::plain(406, "a subscription is a stream of events"));
    return std::nullopt;
  }
  return std::move(*read);
}

}  // namespace

class HttpServerState {
 public:
  HttpServerState(Gateway& gateway, http::Loop& loop, const HttpServerOptions& options)
      : path_(options.path),
        handling_(std::make_shared<const HttpHandling>(gateway.state(), options)),
        server_(loop, checked(options, handling_->callers()), routes(gateway.state().port())) {}

  std::string address() const {
    http::Url url = server_.url();
    url.path = path_;
    return url.text();
  }
  http::ServerCounts counts() const { return server_.counts(); }

 private:
  http::Routes routes(Port& port) const {
    http::Routes routes;
    routes.on(
        "POST", path_,
        http::handled_by(
            port, [handling = handling_](Agent& me, http::Request request, Responder to) -> Task<> {
              return handling->handle(me, std::move(request), std::move(to));
            }));
    return routes;
  }

  const std::string path_;
  const std::shared_ptr<const HttpHandling> handling_;
  http::Server server_;
};

HttpServer::HttpServer(Gateway& gateway, http::Loop& loop, const HttpServerOptions& options)
    : state_(std::make_unique<HttpServerState>(gateway, loop, options)) {}

HttpServer::~HttpServer() = default;

std::string HttpServer::address() const { return state_->address(); }

http::ServerCounts HttpServer::counts() const { return state_->counts(); }

}  // namespace coracle::mcp
