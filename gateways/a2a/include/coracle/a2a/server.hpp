// A server of A2A 1.0: clients of other systems give tasks to the agents of a society. Each agent
// that is exposed has a card, and is reached by JSON-RPC and by HTTP+JSON.
// Tests: gateways/a2a/tests/server_test.cpp, and a2a-sdk in tests/interop/a2a
#pragma once

#include "coracle/a2a/card.hpp"
#include "coracle/a2a/task_limits.hpp"
#include "coracle/http/loop.hpp"
#include "coracle/http/server.hpp"
#include "coracle/node.hpp"
#include "coracle/web/callers.hpp"
#include "coracle/web/outgoing.hpp"
#include "coracle/web/signature.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::a2a {

// The options of a server.
struct ServerOptions {
  // The endpoint, TLS and the limits of HTTP. Web pages may use the server only if `sites` permits
  // it.
  http::ServerOptions http = {};
  // The address that clients are told, if it is another one: "https://agents.example.org".
  std::string advertised = {};
  // The agents that clients may know: "lab/**". Nobody is exposed by default.
  std::vector<std::string> exposed = {};
  // The agent whose card is at /.well-known/agent-card.json; empty: the only one that is exposed.
  std::string front = {};
  // The proofs of callers. Without any, everybody is one and the same caller.
  web::CallerOptions callers = {};
  // The society's own types of content that clients may send, as in "plan/*". All types of media
  // are permitted.
  std::vector<std::string> types = {};
  // The time that an agent may take for a task, with the time that it waits for its client.
  Duration task_time = std::chrono::hours(1);
  TaskLimits limits = {};
  // The places that clients may have notified of changes (push notifications); nothing: none.
  std::optional<web::OutgoingOptions> push = web::OutgoingOptions();
  // The largest body of a request.
  std::size_t request_bytes = std::size_t{4} << 20;
  // The provider that cards name.
  std::optional<AgentProvider> provider = std::nullopt;
  // Signs the cards, as jose::signer_from_file() does; nothing: they are not signed.
  web::Signer signer = nullptr;
};

// The work of a server in numbers.
struct ServerCounts {
  std::size_t agents = 0;       // that are exposed now
  std::size_t tasks = 0;        // that are kept now
  std::size_t task_bytes = 0;   // about the memory that they take
  std::size_t subscribers = 0;  // streams that are open now
};

class ServerState;

// A server; it works from its construction to its end.
class Server {
 public:
  // Makes the agent "a2a", which asks the others, and listens. `node` and `loop` outlive the
  // server. Fails with Errc::bad_options and Errc::not_permitted (the endpoint is beyond this host,
  // without TLS or without proofs of callers, and `insecure` is not set), and as http::Server and
  // Port do.
  Server(Node& node, http::Loop& loop, ServerOptions options);
  // Ends the streams, and the tasks that have not ended.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // The address of the server, as clients are told it.
  const std::string& address() const noexcept;
  // The counts at this moment.
  ServerCounts counts() const;

 private:
  const std::unique_ptr<ServerState> state_;
};

}  // namespace coracle::a2a
