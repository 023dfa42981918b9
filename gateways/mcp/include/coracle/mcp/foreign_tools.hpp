// The tools of a server of MCP as agents of the society: mcp/NAME/TOOL. A request to such an agent
// is a use of the tool; the reply is the result. A tool that asks back asks the sender of the
// request, if that can talk (web/talk.hpp). The server is a program that is begun for it, or
// is reached by HTTP. It has the revision 2026-07-28 or an earlier one. Tests:
// gateways/mcp/tests/foreign_tools_test.cpp, and servers of others in tests/interop/mcp.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/http/headers.hpp"
#include "coracle/http/loop.hpp"
#include "coracle/http/tls_files.hpp"
#include "coracle/name.hpp"
#include "coracle/node.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace coracle::mcp {

// A server, and what it may take.
struct ForeignServer {
  // The part of the names of its tools, as in mcp/NAME/TOOL.
  std::string name;
  // The program and its arguments; or the address by HTTP, https://example.org/mcp. One of them.
  std::vector<std::string> command = {};
  std::string url = {};
  // For HTTP: headers of each request, such as Authorization, and the files of TLS.
  http::Headers headers = {};
  http::ClientTls tls = {};
  // The time for the beginning, and for one use of a tool.
  Duration begin_time = std::chrono::seconds(20);
  Duration use_time = std::chrono::minutes(5);
  // The tools that become agents; further ones are left out, as are those with enormous names or
  // descriptions of their arguments, and those whose agent would have the name of another one.
  std::size_t tools = 1000;
  // The uses at a time of one tool; more are refused.
  std::size_t uses = 100;
  // One message of the server.
  std::size_t message_bytes = std::size_t{16} << 20;
};

class ForeignToolsState;

// The tools of one server, from the construction of this object to its end.
class ForeignTools {
 public:
  // Begins the server or finds it, and makes an agent for each tool, and the agent mcp/NAME.
  // `node` and `loop` outlive this. Fails with Errc::bad_options, Errc::no_such_file (the program),
  // Errc::unreachable, Errc::refused (the server has no revision that is known here),
  // Errc::bad_encoding (it does not speak MCP), Errc::expired, and as Port does.
  ForeignTools(Node& node, http::Loop& loop, ForeignServer server);
  // Ends the agents, and the program.
  ~ForeignTools();
  ForeignTools(const ForeignTools&) = delete;
  ForeignTools& operator=(const ForeignTools&) = delete;

  // The agents, sorted by name.
  std::vector<Name> agents() const;
  // Asks the server for its tools again: agents of tools that are gone end, and new ones begin.
  // Fails as the constructor does.
  void refresh();

 private:
  const std::unique_ptr<ForeignToolsState> state_;
};

}  // namespace coracle::mcp
