// Serves any number of clients by HTTP ("Streamable HTTP").
// Tests: gateways/mcp/tests/http_server_test.cpp
#pragma once

#include "coracle/http/loop.hpp"
#include "coracle/http/server.hpp"
#include "coracle/mcp/gateway.hpp"
#include "coracle/web/callers.hpp"

#include <memory>
#include <string>

namespace coracle::mcp {

// The options of a server.
struct HttpServerOptions {
  // The endpoint, TLS and the limits of HTTP. Requests of web pages are refused unless `sites`
  // permits them; without `sites`, those of this host are permitted.
  http::ServerOptions http = {};
  // The path of the server.
  std::string path = "/mcp";
  // The proofs of callers. Without any, everybody is one and the same caller.
  web::CallerOptions callers = {};
};

class HttpServerState;

// A server; it works from its construction to its end.
class HttpServer {
 public:
  // Listens. `gateway` and `loop` outlive the server. Fails with Errc::bad_options and
  // Errc::not_permitted (the endpoint is beyond this host, without TLS or without proofs of
  // callers, and `insecure` is not set), and as http::Server does.
  HttpServer(Gateway& gateway, http::Loop& loop, const HttpServerOptions& options = {});
  // Closes all connections at once.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // The address of the server, with the true port: http://127.0.0.1:40321/mcp
  std::string address() const;
  // The counts of HTTP at this moment.
  http::ServerCounts counts() const;

 private:
  const std::unique_ptr<HttpServerState> state_;
};

}  // namespace coracle::mcp
