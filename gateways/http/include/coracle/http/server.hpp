// A server of HTTP/1.1.
// Tests: gateways/http/tests/server_test.cpp, and others' programs in gateways/http/tests/foreign
#pragma once

#include "coracle/http/event_stream.hpp"
#include "coracle/http/loop.hpp"
#include "coracle/http/message.hpp"
#include "coracle/http/routes.hpp"
#include "coracle/http/sites.hpp"
#include "coracle/http/tls_files.hpp"
#include "coracle/http/web_socket.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace coracle::http {

// The limits of a server. A request beyond one is refused, and the other clients go on.
struct ServerLimits {
  // Connections in all, and from one address (of IPv6, from one network of 64 bits). When there is
  // no room, the connection that has been idle for longest is closed; if none is, the new one is.
  std::size_t connections = 1024;
  std::size_t connections_per_peer = 256;
  // The first line and the headers of one request.
  std::size_t target_bytes = 8 * 1024;
  std::size_t header_bytes = 16 * 1024;
  std::size_t header_fields = 100;
  std::size_t body_bytes = std::size_t{16} << 20;
  // The requests of one connection that have no response yet.
  std::size_t pipelined = 128;
  // The bytes that are held for all connections, and for those of one address.
  std::size_t buffered_bytes = std::size_t{256} << 20;
  std::size_t buffered_bytes_per_peer = std::size_t{128} << 20;
  // The time for the head of a request from its first byte on, which includes TLS; for its body;
  // for the client to take some bytes; and between two requests.
  Duration header_time = std::chrono::seconds(10);
  Duration body_time = std::chrono::seconds(60);
  Duration write_time = std::chrono::seconds(30);
  Duration idle_time = std::chrono::seconds(60);
  // The time that a connection waits for the client to take the rest, after the last response.
  Duration linger_time = std::chrono::seconds(2);
};

// The options of a server.
struct ServerOptions {
  // Host and port; port 0 is any free one.
  std::string endpoint = "127.0.0.1:0";
  std::optional<ServerTls> tls = std::nullopt;
  // True permits an endpoint beyond this host without TLS, where others can read and change what is
  // sent.
  bool insecure = false;
  ServerLimits limits = {};
  // The web pages that may use the server; nothing: there is no check.
  std::optional<Sites> sites = std::nullopt;
};

// The work of a server in numbers.
struct ServerCounts {
  std::uint64_t accepted = 0;   // connections
  std::uint64_t refused = 0;    // connections and requests that were refused by a limit or a rule
  std::uint64_t requests = 0;   // handed to a handler
  std::uint64_t responses = 0;  // of handlers
  std::size_t connections = 0;  // now
  std::size_t buffered_bytes = 0;  // now
};

class Exchange;

// The obligation to respond to one request. Copies are the same; the first response counts, and a
// request whose last copy is destroyed without one gets the status 500. May be used from any
// thread.
class Responder {
 public:
  // Responds to nothing.
  Responder() noexcept = default;
  explicit Responder(std::shared_ptr<Exchange> exchange) noexcept
      : exchange_(std::move(exchange)) {}

  // Sends the response; returns false if there was one before. If the client has left, nobody gets
  // it.
  bool send(Response response) const;
  // Begins a stream of events: the response has the status 200, these headers, and no end. Returns
  // a stream that is closed already if there was a response before.
  EventStream stream(StreamOptions options = {}, Headers headers = {}) const;
  // Accepts a WebSocket, if the request asks for one; else the response is an error, and the result
  // is closed already.
  WebSocket accept(SocketOptions options = {}, Headers headers = {}) const;
  // Returns whether the client is still there, as far as is known.
  bool is_wanted() const noexcept;

 private:
  std::shared_ptr<Exchange> exchange_;
};

class ServerState;

// A server. It listens from its construction to its end.
class Server {
 public:
  // Listens at the endpoint of the options. `loop` outlives the server. Fails with
  // Errc::bad_endpoint, Errc::bad_options (a file of TLS cannot be used), Errc::not_permitted (the
  // endpoint is beyond this host, without TLS), Errc::cannot_listen.
  Server(Loop& loop, ServerOptions options, Routes routes);
  // Closes all connections at once.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // The address of the server, with the true port: http://127.0.0.1:40321/
  const Url& url() const noexcept;
  // The counts at this moment.
  ServerCounts counts() const;

  // Reads the files of TLS again; later connections use them. Fails with Errc::bad_options,
  // Errc::not_permitted; then those that were read before stay.
  void read_keys_again();

  // Stops: accepts nothing more, ends the streams, closes each connection once its last response is
  // sent, and those that are left at the deadline. Returns the number of requests that had no
  // response by then. Fails with Errc::wrong_thread on the thread of the loop.
  std::size_t stop(Deadline deadline = std::chrono::seconds(10));

 private:
  std::shared_ptr<ServerState> state_;
};

}  // namespace coracle::http
