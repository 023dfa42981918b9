// A robot whose functions and answers are tools for assistants. Here the assistant is a small
// client of HTTP; Claude, an editor, or any other client of MCP would be one, too.
#include "coracle/coracle.hpp"
#include "coracle/http/client.hpp"
#include "coracle/mcp/http_server.hpp"
#include "coracle/realizations/local.hpp"
#include "coracle/rpc.hpp"
#include "coracle/web/talk.hpp"

#include <iostream>

using namespace coracle;

struct Spot {
  static constexpr std::string_view field_names[] = {"x", "y"};
  double x = 0, y = 0;
};

template <class Side>
struct Drive {
  rpc::Function<Side, "go", Spot(Spot, int)> go;
};

class Robot : public Agent {
  Spot go(Spot place, int) { return place; }
  Task<> run() override {
    rpc::Service<Drive, Robot> service(*this, *this, {.go = &Robot::go});
    co_await service.run();
  }
};

class Guide : public Agent {
  Task<> run() override {
    co_await describe(Properties().set("description", "Describes rooms"));
    for (;;) {
      const Message message = co_await receive();
      co_await web::report_progress(*this, message, "I am looking around");
      const auto answer = co_await web::put_question(*this, message, "Which room?");
      std::string text = "I do not know which room you mean.";
      if (answer) text = answer->text() == "kitchen" ? "It is full." : "It is empty.";
      co_await reply(message, text);
    }
  }
};

// Sends one request, as a client of 2025 does; returns the result as text.
std::string ask(http::Client& client, const std::string& address, const std::string& params) {
  http::Request request{"POST", http::Url::parse(address).value()};
  request.headers = {{"MCP-Protocol-Version", "2025-11-25"}};
  request.body = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":)" + params + "}";
  return client.fetch_and_wait(std::move(request)).body;
}

int main() {
  http::Loop loop;
  loop.start();
  Node node(local::realization());
  node.create<Robot>("lab/robot");
  node.create<Guide>("lab/guide");
  mcp::Gateway gateway(node, {.exposed = {"lab/**"}});
  gateway.add(mcp::remote_calls<Drive>("lab/robot")
                  .function("go", "Drives to a place", {"place", "speed"}));
  mcp::HttpServer server(gateway, loop);
  http::Client client(loop);
  std::cout
      << ask(client, server.address(),
             R"({"name":"call_lab__robot__go","arguments":{"place":{"x":1,"y":2},"speed":3}})")
      << '\n'
      << ask(client, server.address(),
             R"({"name":"ask_lab__guide","arguments":{"text":"what is in there?"}})")
      << '\n';
}
