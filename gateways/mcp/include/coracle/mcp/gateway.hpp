// A gateway for clients of MCP, such as assistants: the agents of a society that it exposes are
// tools, and assistants can look at the society. It has the revision 2026-07-28 and those of 2025
// before it. Clients reach it by HTTP (http_server.hpp), or as a child process (stdio.hpp). Tests:
// gateways/mcp/tests/gateway_test.cpp, and programs of others in tests/interop/mcp.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/mcp/remote_calls.hpp"
#include "coracle/mcp/tool.hpp"
#include "coracle/node.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace coracle::mcp {

// The headers of a request that comes from a client.
inline constexpr const char* caller_header = "mcp-caller";

// The options of a gateway.
struct GatewayOptions {
  // The gateway's own agent, which asks the others.
  std::string name = "mcp";
  // The agents that clients may ask and look at: "lab/**". Nobody is exposed by default.
  std::vector<std::string> exposed = {};
  // The agents that clients may look at in addition, but not ask.
  std::vector<std::string> visible = {};
  // The agents whose messages to each other clients may read, as the transcripts of their
  // conversations; both have to fit, and to be exposed or visible. With a pattern, a client may
  // also read those of its own requests. Nobody by default.
  std::vector<std::string> overheard = {};
  // The society's own types of content that clients may send, as in "plan/*". All types of media
  // are permitted.
  std::vector<std::string> types = {};
  // The time that an agent may take for an answer, with the time that it waits for its client.
  Duration call_time = std::chrono::minutes(5);
  // The uses of tools at a time, in all and of one caller, and about the memory of their arguments.
  // More are refused.
  std::size_t calls = 1000;
  std::size_t calls_per_caller = 100;
  std::size_t call_bytes = std::size_t{64} << 20;
  // A client that can take tasks (the extension io.modelcontextprotocol/tasks) gets one when an
  // agent has not answered after that time, and comes back for the result, which is kept for 5
  // minutes at least. The tasks at a time; a caller has `calls_per_caller` of them at most.
  Duration task_after = std::chrono::seconds(5);
  std::size_t tasks = 1000;
  // The subscriptions at a time.
  std::size_t subscriptions = 1000;
  // The agents that the gateway knows; it does not show more.
  std::size_t agents = 100'000;
  // The name and the version that clients are told, and advice for assistants; empty: its own.
  std::string server_name = "coracle";
  std::string server_version = {};
  std::string instructions = {};
};

// The work of a gateway in numbers.
struct GatewayCounts {
  std::size_t agents = 0;         // that clients may ask now
  std::size_t calls = 0;          // that are under way now
  std::size_t subscriptions = 0;  // that are open now
};

class GatewayState;

// A gateway; it works from its construction to its end.
class Gateway {
 public:
  // Makes the gateway's agent. `node` outlives the gateway. Fails with Errc::bad_options, and as
  // Port does.
  Gateway(Node& node, GatewayOptions options);
  // Ends everything that is under way.
  ~Gateway();
  Gateway(const Gateway&) = delete;
  Gateway& operator=(const Gateway&) = delete;

  // Makes the remote functions of an agent tools, whether or not the agent is exposed. Fails with
  // Errc::bad_options if there is a tool of such a name already.
  void add(RemoteCalls calls);
  // Adds a tool that does `work`. Fails with Errc::bad_options if there is such a tool already, or
  // its name is none.
  void add(ToolInfo info, ToolWork work);

  // The counts at this moment.
  GatewayCounts counts() const;

  // The library's record of the gateway.
  GatewayState& state() noexcept { return *state_; }

 private:
  const std::unique_ptr<GatewayState> state_;
};

}  // namespace coracle::mcp
