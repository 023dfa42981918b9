// A program that is built on Boost.Asio: its coroutine is a member of a society, and blocks no
// thread.
#include <coracle/asio.hpp>
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <iostream>

namespace asio = boost::asio;
using namespace std::chrono_literals;
using namespace coracle;

struct Sonar : Agent {
  Task<> run() override {
    for (;;) {
      Message question = co_await receive();
      co_await reply(question, "2.4 metres");
    }
  }
};

asio::awaitable<void> patrol() {
  const auto node = co_await async_open(open(), asio::use_awaitable);
  co_await async_create(*node, "lab/sonar", std::make_unique<Sonar>(), asio::use_awaitable);
  {
    const auto port = co_await async_port(*node, "lab/console", asio::use_awaitable);
    const Message answer = co_await async_ask(*port, "lab/sonar", "How far away is the wall?", 10s,
                                              asio::use_awaitable);
    std::cout << "the wall is " << answer.text() << " away\n";
  }
  const StopReport report = co_await async_stop(*node, 10s, asio::use_awaitable);
  std::cout << (report.clean() ? "everything ended and was read\n" : "something was left\n");
}

int main() {
  asio::io_context loop;
  asio::co_spawn(loop, patrol(), [](const std::exception_ptr& error) {
    if (error) std::rethrow_exception(error);
  });
  loop.run();
}
