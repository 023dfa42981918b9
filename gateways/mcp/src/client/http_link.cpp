#include "client/link.hpp"

#include "coracle/http/client.hpp"

#include <atomic>
#include <mutex>
#include <utility>

namespace coracle::mcp {

namespace {

constexpr const char* session_header = "Mcp-Session-Id";

class HttpLink final : public ServerLink {
 public:
  HttpLink(http::Loop& loop, const ForeignServer& server)
      : server_(server), url_(url_of(server)), client_(loop, options_for(server)) {}

  Task<Json> call(Agent& me, OwnRequest request, Time until,
                  std::function<void(const FromServer&)> note) override {
    (void)me;
    const std::int64_t id = ++last_id_;
    http::RequestOptions options;
    options.deadline = until;
    const http::EventLimits limits{server_.message_bytes};
    const http::EventSource source = client_.events(
        packed(request_text(id, request, revision.is_earlier), request), options, limits);
    Task<http::Response> heading = source.head();
    const http::Response head = co_await heading;
    if (const auto session = head.headers.find(session_header)) keep_session(*session);
    const std::string type = http::media_type(head.headers.find("Content-Type").value_or(""));
    if (type != "text/event-stream") co_return result_of(head, id);
    for (;;) {
      Task<std::optional<http::Event>> waiting = source.next(until);
      const std::optional<http::Event> event = co_await waiting;
      if (!event) throw ended_early(source.is_open());
      if (event->data.empty()) continue;  // a server of 2025 may begin so
      const FromServer message = read(event->data);
      if (message.response && message.response->id == Json(id)) co_return taken(*message.response);
      if (!message.response && note) note(message);
    }
  }

  Task<> tell(Agent& me, std::string_view method, Json params) override {
    (void)me;
    OwnRequest request{method};
    http::RequestOptions options;
    options.deadline = server_.begin_time;
    Task<http::Response> sending =
        client_.fetch(packed(notification_text(method, std::move(params)), request), options);
    (void)co_await sending;
  }

 private:
  static http::Url url_of(const ForeignServer& server) {
    auto url = http::Url::parse(server.url);
    if (!url) throw Error(Errc::bad_options, url.error().sentence());
    return *std::move(url);
  }
  static http::ClientOptions options_for(const ForeignServer& server) {
    http::ClientOptions options;
    options.tls = server.tls;
    options.limits.body_bytes = server.message_bytes;
    options.limits.connections_per_server = 64;
    return options;
  }

  http::Request packed(std::string body, const OwnRequest& request) {
    http::Request made;
    made.method = "POST";
    made.url = url_;
    made.headers = request_headers(request, request.method == "initialize" ? "" : revision.version);
    for (std::size_t i = 0; i < server_.headers.size(); ++i)
      made.headers.set(server_.headers[i].name, server_.headers[i].value);
    {
      const std::lock_guard lock(mutex_);
      if (!session_.empty()) made.headers.set(session_header, session_);
    }
    made.body = std::move(body);
    return made;
  }

  // A server of an earlier revision may keep sessions.
  void keep_session(std::string_view session) {
    if (!revision.is_earlier || session.size() > 1000) return;
    const std::lock_guard lock(mutex_);
    session_ = session;
  }

  FromServer read(std::string_view text) const {
    auto message = read_from_server(text, server_.message_bytes);
    if (!message) throw message.error();
    return *std::move(message);
  }

  static Json taken(const web::RpcResponse& response) {
    if (const auto* const error = std::get_if<web::RpcError>(&response.outcome))
      throw ServerFault(*error);
    return std::get<Json>(response.outcome);
  }

  Json result_of(const http::Response& response, std::int64_t id) const {
    const auto message = read_from_server(response.body, server_.message_bytes);
    if (message && message->response) {
      const auto* const error = std::get_if<web::RpcError>(&message->response->outcome);
      if (error != nullptr || message->response->id == Json(id)) return taken(*message->response);
    }
    if (response.status == 401 || response.status == 403)
      throw Error(Errc::not_permitted, where() + " refuses; give it the header that it wants");
    if (response.status >= 400)
      throw ServerFault({web::rpc_code::internal_error,
                         "the status of HTTP " + std::to_string(response.status),
                         {}});
    throw Error(Errc::bad_encoding, where() + " has not answered in MCP; is it the right address?");
  }

  // The path of an address may be a secret, as agents see this; its query often is one.
  std::string where() const { return "the server of MCP at " + url_.origin(); }

  Error ended_early(bool is_open) const {
    if (is_open) return Error(Errc::expired, where() + " has not answered in time");
    return Error(Errc::disconnected, where() + " has ended its answer too early");
  }

  const ForeignServer server_;
  const http::Url url_;
  std::atomic<std::int64_t> last_id_{0};
  std::mutex mutex_;  // guards session_
  std::string session_;
  http::Client client_;
};

}  // namespace

std::unique_ptr<ServerLink> http_link(http::Loop& loop, const ForeignServer& server) {
  return std::make_unique<HttpLink>(loop, server);
}

}  // namespace coracle::mcp
