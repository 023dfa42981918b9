// A society that uses the tools of a server of MCP: mcp-user URL, or mcp-user PROGRAM ARGUMENT...
// It prints a line for each use, which servers.py knows.
#include "coracle/coracle.hpp"
#include "coracle/mcp/foreign_tools.hpp"
#include "coracle/mcp/use.hpp"
#include "coracle/realizations/local.hpp"
#include "coracle/web/talk.hpp"

#include <algorithm>
#include <iostream>
#include <string>

namespace {

using namespace coracle;

struct Numbers {
  static constexpr std::string_view field_names[] = {"a", "b"};
  int a = 0, b = 0;
};

// Uses a tool that asks back, and answers.
class Asker : public Agent {
 public:
  explicit Asker(std::string* result) : result_(result) {}

  Task<> run() override {
    spawn(answer());
    Post post("mcp/other/order", "tea");
    post.header(web::talk_header, "yes");
    const Message reply = co_await ask(post);
    *result_ = reply.text();
  }
  Task<> answer() {
    const Message question = co_await receive();
    std::cout << "asked: " << question.content().as<web::Question>().text << std::endl;
    co_await reply(question, "two");
  }

 private:
  std::string* const result_;
};

}  // namespace

int main(int argc, char** argv) try {
  http::Loop loop;
  loop.start();
  Node node(local::realization());
  mcp::ForeignServer server{"other"};
  const std::string first = argc > 1 ? argv[1] : "";
  if (first.starts_with("http")) server.url = first;
  else server.command.assign(argv + 1, argv + argc);
  mcp::ForeignTools tools(node, loop, server);
  for (const Name& each : tools.agents()) std::cout << "tool: " << each.view() << std::endl;
  Port me(node, "me");
  const int sum = me.act<int>([](Agent& agent) -> Task<int> {
    Numbers numbers{2, 3};
    Task<int> adding = mcp::use<int>(agent, "mcp/other/add", numbers);
    const int result = co_await adding;
    co_return result;
  });
  std::cout << "sum: " << sum << std::endl;
  std::cout << "greeting: " << me.ask("mcp/other/greet", "Ann").text() << std::endl;
  try {
    me.ask("mcp/other/fail", "x");
  } catch (const Error& error) {
    std::cout << "failure: " << error.sentence() << std::endl;
  }
  const std::vector<Name> agents = tools.agents();
  if (std::count(agents.begin(), agents.end(), Name("mcp/other/order")) == 0) return 0;
  std::string order;
  node.create<Asker>("asker", &order);
  (void)me.watch("asker");
  std::cout << "order: " << order << std::endl;
} catch (const coracle::Error& error) {
  std::cout << "error: " << error.sentence() << std::endl;
  return 1;
}
