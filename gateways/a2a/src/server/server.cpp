#include "coracle/a2a/server.hpp"

#include "coracle/errors.hpp"
#include "coracle/http/agent.hpp"
#include "coracle/port.hpp"
#include "coracle/support/calendar.hpp"
#include "coracle/support/loopback.hpp"
#include "server/desk.hpp"

#include <future>
#include <utility>

namespace coracle::a2a {

namespace {

constexpr const char* gateway_name = "a2a";

ServerOptions checked(ServerOptions options) {
  const auto endpoint = http::parse_authority(options.http.endpoint);
  const bool is_beyond = endpoint && !coracle::detail::is_loopback(endpoint->host);
  const web::Callers callers(options.callers);
  callers.check(options.http.tls);
  if (is_beyond && !callers.needs_proof() && !options.http.insecure)
    throw Error(Errc::not_permitted,
                "without proofs of callers, everybody who reaches the endpoint could use the "
                "agents; give a file of callers, listen at 127.0.0.1, or set insecure");
  if (!options.front.empty()) (void)Name(options.front);
  if (options.signer) (void)options.signer("");  // it fails now, or never
  if (!options.advertised.empty()) (void)http::Url::parse(options.advertised).value();
  options.http.limits.body_bytes = options.request_bytes;
  // Pages of other sites could use a server on this host, or learn its name.
  if (!options.http.sites && !is_beyond) options.http.sites = http::Sites();
  return options;
}

// The answers to push notifications say nothing that is used.
http::ClientOptions client_options(const web::OutgoingOptions& push) {
  http::ClientOptions options;
  options.limits.body_bytes = std::size_t{64} << 10;
  options.limits.header_bytes = std::size_t{16} << 10;
  return web::Outgoing(push).guarded(std::move(options));
}

std::string base_of(const ServerOptions& options, const http::Url& url) {
  std::string base = options.advertised.empty() ? url.text() : options.advertised;
  while (base.ends_with('/')) base.pop_back();
  return base;
}

}  // namespace

class ServerState {
 public:
  ServerState(Node& node, http::Loop& loop, ServerOptions options)
      : options_(checked(std::move(options))),
        client_(options_.push ? std::make_unique<http::Client>(loop, client_options(*options_.push))
                              : nullptr),
        desk_(options_, {coracle::detail::calendar_now, &machine_random()}, client_.get()),
        port_(node, gateway_name) {
    std::promise<void> begun;
    act([&](Agent& me) {
      me.spawn(guarded(desk_.follow(me, begun)));
      me.spawn(guarded(desk_.receive(me)));
    });
    begun.get_future().get();
    const auto serve = [this](Agent& me, http::Request request, http::Responder to) {
      return desk_.serve(me, std::move(request), std::move(to));
    };
    const http::Handler handler = http::handled_by(port_, serve);
    http::Routes routes;
    for (const char* method : {"GET", "POST", "DELETE"})
      routes.on(method, "/a2a/{rest...}", handler);
    routes.on("GET", "/.well-known/agent-card.json", handler);
    // Nobody knows a port that the system chooses before it is told here.
    const std::string scheme = options_.http.tls ? "https://" : "http://";
    if (const auto url = http::Url::parse(scheme + options_.http.endpoint))
      desk_.set_base(base_of(options_, *url));
    http_.emplace(loop, options_.http, std::move(routes));
    base_ = base_of(options_, http_->url());
    act([&](Agent&) { desk_.set_base(base_); });
  }

  ~ServerState() {
    try {
      act([&](Agent& me) { desk_.end(me); });
      http_->stop(std::chrono::seconds(1));
    } catch (const Error&) {
      // The node has stopped, or this is the thread of the loop.
    }
  }

  const std::string& base() const noexcept { return base_; }
  ServerCounts counts() {
    ServerCounts counts;
    act([&](Agent&) { counts = desk_.counts(); });
    return counts;
  }

 private:
  // Runs a function as a piece of the agent's code, and waits for its end.
  void act(const std::function<void(Agent&)>& what) {
    port_.act<bool>([&what](Agent& me) { return piece(what, me); });
  }
  static coracle::Task<bool> piece(const std::function<void(Agent&)>& what, Agent& me) {
    what(me);
    co_return true;
  }
  // A task that ends with the node.
  static coracle::Task<> guarded(coracle::Task<> task) {
    try {
      co_await task;
    } catch (const Error& error) {
      if (error.errc() != Errc::stopped && error.errc() != Errc::fenced) throw;
    }
  }

  const ServerOptions options_;
  const std::unique_ptr<http::Client> client_;
  Desk desk_;
  Port port_;
  std::optional<http::Server> http_;
  std::string base_;
};

Server::Server(Node& node, http::Loop& loop, ServerOptions options)
    : state_(std::make_unique<ServerState>(node, loop, std::move(options))) {}

Server::~Server() = default;

const std::string& Server::address() const noexcept { return state_->base(); }

ServerCounts Server::counts() const { return state_->counts(); }

}  // namespace coracle::a2a
