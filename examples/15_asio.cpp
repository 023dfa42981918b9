// A program that is built on Boost.Asio: its coroutine asks an agent and does not block its loop.
#include <coracle/asio.hpp>
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <iostream>
#include <string>

namespace asio = boost::asio;

struct Sonar : coracle::Agent {
  coracle::Task<> run() override {
    coracle::Message question = co_await receive();
    co_await reply(question, "2.4 metres");
  }
};

// An agent's part of the work. It gives a text, not the message, which belongs to the society.
coracle::Task<std::string> ask_the_sonar(coracle::Agent& me) {
  coracle::Message answer = co_await me.ask("lab/sonar", "How far away is the wall?");
  co_return std::string(answer.text());
}

asio::awaitable<void> patrol(coracle::Node& node) {
  coracle::AgentSpec console("lab/console");
  const std::string distance =
      co_await coracle::async_act(node, std::move(console), ask_the_sonar, asio::use_awaitable);
  std::cout << "the wall is " << distance << " away\n";
}

int main() {
  coracle::Node node(coracle::open());
  node.create<Sonar>("lab/sonar");
  asio::io_context loop;
  asio::co_spawn(loop, patrol(node), asio::detached);
  loop.run();
}
