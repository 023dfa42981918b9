// The way to one server of MCP. Used by any number of agents, of any worker.
#pragma once

#include "client/words.hpp"

#include "coracle/agent.hpp"
#include "coracle/http/loop.hpp"
#include "coracle/mcp/foreign_tools.hpp"
#include "coracle/task.hpp"

#include <functional>
#include <memory>
#include <string>

namespace coracle::mcp {

// The revision that the server has; set before the server is used by others than its manager.
struct Revision {
  std::string version = std::string(present_version);
  bool is_earlier = false;
};

class ServerLink {
 public:
  virtual ~ServerLink() = default;

  // Sends a request and waits for the result. Calls `note` for the notifications that belong to it,
  // on the worker of the agent. Fails with ServerFault, Errc::expired, Errc::unreachable,
  // Errc::disconnected, Errc::not_permitted, Errc::bad_encoding, Errc::too_large.
  virtual Task<Json> call(Agent& me, OwnRequest request, Time until,
                          std::function<void(const FromServer&)> note) = 0;
  // Sends a notification.
  virtual Task<> tell(Agent& me, std::string_view method, Json params) = 0;

  Revision revision;
};

// A server that is reached by HTTP. Fails with Errc::bad_options.
std::unique_ptr<ServerLink> http_link(http::Loop& loop, const ForeignServer& server);
// A server that is begun as a program. Fails with Errc::no_such_file.
std::unique_ptr<ServerLink> pipe_link(const ForeignServer& server);

}  // namespace coracle::mcp
