// A client of HTTP/1.1.
// Tests: gateways/http/tests/client_test.cpp
#pragma once

#include "coracle/http/event_source.hpp"
#include "coracle/http/loop.hpp"
#include "coracle/http/message.hpp"
#include "coracle/http/tls_files.hpp"
#include "coracle/http/web_socket.hpp"
#include "coracle/result.hpp"
#include "coracle/task.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace coracle::http {

// The limits of a client.
struct ClientLimits {
  // Connections in all, and to one server. Further requests wait, at most so many for one server.
  std::size_t connections = 256;
  std::size_t connections_per_server = 8;
  std::size_t waiting = 4096;
  // The requests that one connection sends before the first of their responses has come. More than
  // one is faster, and loses more when the connection breaks.
  std::size_t pipelined = 1;
  // One response.
  std::size_t header_bytes = 64 * 1024;
  std::size_t header_fields = 200;
  std::size_t body_bytes = std::size_t{16} << 20;
  // The time for finding the address of a server, connecting and TLS; and the time for which a
  // connection is kept without a request.
  Duration connect_time = std::chrono::seconds(10);
  Duration idle_time = std::chrono::seconds(30);
};

// The options of a client.
struct ClientOptions {
  ClientTls tls = {};  // for https
  ClientLimits limits = {};
  // Returns whether the client may connect to that address, an IPv4 or IPv6 address as text, for
  // this URL, whose scheme and port count. It is asked for each address of a host, on the thread of
  // the loop. Nothing: all are permitted.
  std::function<bool(const Url& url, std::string_view address)> permits = nullptr;
};

// The options of one request.
struct RequestOptions {
  // The time at which the caller does not wait any longer, with Errc::expired.
  Deadline deadline = std::chrono::seconds(30);
  // When a connection that was kept is closed by the server just as the request arrives, the
  // request is sent again by a new connection, if no byte of a response has come and this is true.
  // Nothing: true for the methods that are safe to repeat.
  std::optional<bool> may_repeat = std::nullopt;
  // It may be sent behind requests that have no response yet, within ClientLimits::pipelined.
  bool may_follow = true;
  // A response without Content-Length and without chunks has no body, although the connection
  // stays. Servers of JADE respond so.
  bool headers_end_response = false;
};

class ClientState;

// A client. It keeps connections for further requests. A redirection is a response like any other.
// May be used from any thread.
class Client {
 public:
  using Done = std::function<void(Result<Response>)>;

  // `loop` outlives the client. Fails with Errc::bad_options, Errc::not_permitted (files of TLS).
  explicit Client(Loop& loop, ClientOptions options = {});
  // Ends requests that have no response yet with Errc::stopped.
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Sends a request; returns the response, whatever its status, in a coroutine of a node. Fails
  // with Errc::unreachable (nothing answers, or only at addresses that are not permitted),
  // Errc::expired, Errc::disconnected (before the response was complete), Errc::not_permitted (the
  // server's certificate is not trusted), Errc::bad_encoding (the response is none),
  // Errc::too_large, Errc::limit_reached (too many requests wait), Errc::bad_options (the method is
  // no word), Errc::stopped.
  Task<Response> fetch(Request request, RequestOptions options = {});
  // The same for a thread, which waits. If nobody runs the loop, this thread does meanwhile. Fails
  // with Errc::wrong_thread on the thread that runs the loop.
  Response fetch_and_wait(Request request, RequestOptions options = {});
  // The same, but calls `done` with the result, once, on the thread of the loop.
  void send(Request request, RequestOptions options, Done done);

  // Sends a request whose response may be a stream of events. A client that comes back after a loss
  // sets the header Last-Event-ID. The deadline is that of the response's head.
  EventSource events(Request request, RequestOptions options = {}, EventLimits limits = {});

  // Opens a WebSocket, in a coroutine of a node. Fails as fetch() does, and with Errc::refused if
  // the server does not accept it.
  Task<WebSocket> connect(Url url, SocketOptions options = {}, Headers headers = {},
                          Deadline deadline = std::chrono::seconds(30));
  // The same, but calls `done` on the thread of the loop.
  void connect(Url url, SocketOptions options, Headers headers, Deadline deadline,
               std::function<void(Result<WebSocket>)> done);

 private:
  std::shared_ptr<ClientState> state_;
};

}  // namespace coracle::http
