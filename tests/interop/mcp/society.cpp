// A society with a gateway of MCP, for clients that others wrote: mcp-society [--stdio]. By HTTP,
// it prints its address, and ends when its standard input does. --conformance adds the tools that
// the conformance suite uses.
#include "coracle/coracle.hpp"
#include "coracle/mcp/http_server.hpp"
#include "coracle/mcp/stdio.hpp"
#include "coracle/realizations/local.hpp"
#include "coracle/rpc.hpp"
#include "coracle/traceparent.hpp"
#include "coracle/web/talk.hpp"

#include <unistd.h>

#include <chrono>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace coracle;
using namespace std::chrono_literals;
using web::Json;

// Answers as it is told, else with the same.
class Clerk : public Agent {
  Task<> run() override {
    co_await describe(Properties().set("description", "Answers everything").set("desk", 3));
    for (;;) {
      Message message = co_await receive();
      spawn(answer(std::move(message)));
    }
  }

  Task<> answer(Message message) {
    const std::string text(message.text());
    if (text == "refuse") {
      co_await refuse(message, "closed today");
    } else if (text == "slow") {
      co_await pause(1h);
    } else if (text == "progress") {
      for (int i = 1; i <= 3; ++i)
        co_await web::report_progress(*this, message, "step " + std::to_string(i), i, 3);
      co_await reply(message, "worked");
    } else if (text == "question") {
      const auto answer = co_await web::put_question(*this, message, "How many?");
      const std::string said = answer ? "you said " + std::string(answer->text()) : "no answer";
      co_await reply(message, said);
    } else if (text == "trace") {
      const TraceContext trace = message.trace();
      const std::string hex = trace.span == 0 ? "none" : to_traceparent(trace);
      co_await reply(message, hex);
    } else {
      co_await reply(message, message.content());
    }
  }
};

struct Spot {
  static constexpr std::string_view field_names[] = {"x", "y"};
  double x = 0, y = 0;
};

template <class Side>
struct Robot {
  rpc::Function<Side, "go", Spot(Spot, int)> go;
  rpc::Function<Side, "say", std::string(std::string)> say;
};

class Machine : public Agent {
  Spot go(Spot place, int) { return place; }
  std::string say(const std::string& text) {
    if (text.empty()) throw Error(Errc::bad_options, "there is nothing to say");
    return text;
  }
  Task<> run() override {
    rpc::Service<Robot, Machine> service(*this, *this, {.go = &Machine::go, .say = &Machine::say});
    co_await service.run();
  }
};

void add_tools(Node& node, mcp::Gateway& gateway) {
  node.create<Clerk>("lab/clerk");
  node.create<Clerk>("secret");
  node.create<Machine>("lab/robot");
  gateway.add(mcp::remote_calls<Robot>("lab/robot")
                  .function("go", "Drives to a place", {"place", "speed"})
                  .function("say", "Says a text", {"text"}));
}

}  // namespace

void add_conformance_tools(coracle::mcp::Gateway& gateway);

int main(int argc, char** argv) {
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  const auto has = [&](std::string_view word) {
    return std::find(arguments.begin(), arguments.end(), word) != arguments.end();
  };
  Node node(local::realization());
  mcp::Gateway gateway(node, {.exposed = {"lab/**"}});
  add_tools(node, gateway);
  if (has("--conformance")) add_conformance_tools(gateway);
  if (has("--stdio")) {
    mcp::serve_stdio(gateway);
    return 0;
  }
  http::Loop loop;
  loop.start();
  const mcp::HttpServer server(gateway, loop);
  std::cout << server.address() << std::endl;
  char byte = 0;
  while (::read(0, &byte, 1) > 0) continue;
}
