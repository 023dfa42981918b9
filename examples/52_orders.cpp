// An assistant asks a fleet of robots what they do, and gives one of them an order. The fleet has a
// gateway of MCP; the assistant is a society of its own that uses its tools. With an argument, as
// in 127.0.0.1:7790, the fleet waits for other clients instead.
#include "coracle/coracle.hpp"
#include "coracle/mcp/foreign_tools.hpp"
#include "coracle/mcp/http_server.hpp"
#include "coracle/realizations/local.hpp"
#include "coracle/rpc.hpp"
#include "coracle/signals.hpp"
#include "coracle/web/json.hpp"

#include <iostream>

using namespace coracle;

template <class Side>
struct Orders {
  rpc::Function<Side, "bring", std::string(std::string, std::string)> bring;
};

class Robot : public Agent {
 public:
  explicit Robot(std::string doing) : doing_(std::move(doing)) {}

 private:
  std::string bring(const std::string& thing, const std::string& place) {
    doing_ = "brings " + thing + " to " + place;
    return "at once";
  }
  Task<> run() override {
    show_state([this] { return doing_; });
    rpc::Service<Orders, Robot> service(*this, *this, {.bring = &Robot::bring});
    co_await service.run();
  }
  std::string doing_;
};

// Uses a tool of the fleet.
web::Json use(Port& assistant, const std::string& tool, const std::string& arguments) {
  const Content content = Content::bytes(std::as_bytes(std::span(arguments)), "application/json");
  return web::parse_json(assistant.ask("mcp/fleet/" + tool, content).text()).value();
}

void look_around(Port& assistant) {
  const web::Json found = use(assistant, "society_agents", "{}");
  for (const web::Json& each : *found.find("agents")->if_array()) {
    const std::string name = *each.find("name")->if_text();
    const web::Json robot = use(assistant, "society_inspect", R"({"agent":")" + name + R"("})");
    std::cout << name << ' ' << *robot.find("state")->if_text() << '\n';
  }
}

int main(int argc, char** argv) {
  http::Loop loop;
  loop.start();
  Node node(local::realization());
  mcp::HttpServerOptions at;
  if (argc > 1) at.http.endpoint = argv[1];
  mcp::Gateway gateway(node, {.visible = {"fleet/*"}});
  for (const auto& [name, doing] : {std::pair{"fleet/carrier", "waits at the dock"},
                                    std::pair{"fleet/sweeper", "sweeps hall 2"}}) {
    node.create<Robot>(name, doing);
    gateway.add(mcp::remote_calls<Orders>(name).function("bring", "Brings a thing to a place",
                                                         {"thing", "place"}));
  }
  const mcp::HttpServer server(gateway, loop, at);
  if (argc > 1) {
    std::cout << "the fleet is at " << server.address() << std::endl;
    wait_until_signal(node);
    return 0;
  }
  Node office(local::realization());
  mcp::ForeignServer fleet{"fleet"};
  fleet.url = server.address();
  const mcp::ForeignTools tools(office, loop, fleet);
  Port assistant(office, "assistant");
  look_around(assistant);
  const web::Json answer =
      use(assistant, "call_fleet__carrier__bring", R"({"thing":"crate 7","place":"bay 2"})");
  std::cout << "the carrier says: " << *answer.if_text() << '\n';
  look_around(assistant);
}
