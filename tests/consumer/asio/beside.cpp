// A program that is built on Asio and also has nodes: its timers, sockets, signals and coroutines
// go on as before, on every realization. It is compiled with many settings of Asio and fmt.
#include <boost/asio.hpp>
#include <boost/asio/steady_timer.hpp>
#include <coracle/asio.hpp>
#include <coracle/coracle.hpp>
#include <coracle/realizations/central.hpp>
#include <coracle/realizations/distributed.hpp>
#include <coracle/realizations/open.hpp>
#ifdef WITH_FMT
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ostream.h>
#endif

#include <chrono>
#include <csignal>
#include <iostream>
#include <memory>
#include <string>

namespace asio = boost::asio;
using namespace std::chrono_literals;
using asio::ip::tcp;

namespace {

struct Sonar : coracle::Agent {
  coracle::Task<> run() override {
    for (;;) {
      coracle::Message question = co_await receive();
      co_await reply(question, "2.4 metres");
    }
  }
};

coracle::Task<std::string> ask_the_sonar(coracle::Agent& me) {
  coracle::Message answer = co_await me.ask("lab/sonar", "How far away is the wall?");
  co_return std::string(answer.text());
}

asio::awaitable<void> echo_once(tcp::acceptor& door) {
  tcp::socket guest = co_await door.async_accept(asio::use_awaitable);
  char byte = 0;
  co_await asio::async_read(guest, asio::buffer(&byte, 1), asio::use_awaitable);
  co_await asio::async_write(guest, asio::buffer(&byte, 1), asio::use_awaitable);
}

asio::awaitable<void> work(asio::io_context& loop, coracle::Node& node, int& done) {
  asio::steady_timer timer(loop);
  for (int turn = 0; turn < 10; ++turn) {
    timer.expires_after(1ms);
    co_await timer.async_wait(asio::use_awaitable);
  }
  ++done;

  tcp::acceptor door(loop, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
  asio::co_spawn(loop, echo_once(door), asio::detached);
  tcp::socket socket(loop);
  co_await socket.async_connect(door.local_endpoint(), asio::use_awaitable);
  char byte = 'x';
  co_await asio::async_write(socket, asio::buffer(&byte, 1), asio::use_awaitable);
  byte = 0;
  co_await asio::async_read(socket, asio::buffer(&byte, 1), asio::use_awaitable);
  done += byte == 'x' ? 1 : 0;

  for (int question = 0; question < 10; ++question) {
    coracle::AgentSpec console("lab/console");
    const std::string distance =
        co_await coracle::async_act(node, std::move(console), ask_the_sonar, asio::use_awaitable);
    done += distance == "2.4 metres" ? 1 : 0;
  }
}

// As a member of the society: 10 requests, one request that is cancelled, and one message.
asio::awaitable<void> talk(asio::io_context& loop, coracle::Node& node, int& done) {
  const auto port = co_await coracle::async_port(node, "lab/desk", asio::use_awaitable);
  for (int question = 0; question < 10; ++question) {
    const coracle::Message answer =
        co_await coracle::async_ask(*port, "lab/sonar", "How far?", 30s, asio::use_awaitable);
    done += answer.text() == "2.4 metres" ? 1 : 0;
  }
  asio::cancellation_signal cancel;
  asio::post(loop, [&cancel] { cancel.emit(asio::cancellation_type::terminal); });
  try {
    co_await coracle::async_ask(*port, "lab/nobody", "Is anybody there?",
                                asio::bind_cancellation_slot(cancel.slot(), asio::use_awaitable));
  } catch (const boost::system::system_error& error) {
    done += error.code() == asio::error::operation_aborted ? 1 : 0;
  }
  co_await coracle::async_send(*port, "lab/desk", "a note", asio::use_awaitable);
  const coracle::Message note = co_await coracle::async_receive(*port, asio::use_awaitable);
  done += note.text() == "a note" ? 1 : 0;
}

// A node that is opened, used and stopped without waiting: 1 operation.
asio::awaitable<void> visit(std::string realization, int& done) {
  const auto node = co_await coracle::async_open(coracle::open(realization), asio::use_awaitable);
  co_await coracle::async_create(*node, "lab/visitor", std::make_unique<Sonar>(),
                                 asio::use_awaitable);
  const auto port = co_await coracle::async_port(*node, "lab/guide", asio::use_awaitable);
  {
    const coracle::Message answer =
        co_await coracle::async_ask(*port, "lab/visitor", "How far?", 30s, asio::use_awaitable);
    done += answer.text() == "2.4 metres" ? 1 : 0;
  }
  co_await coracle::async_stop(*node, 10s, asio::use_awaitable);
}

// Three nodes there, and a loop that performs 1 + 1 + 10 + 12 + 1 + 1 operations.
bool goes_well(const std::string& realization) {
  coracle::Node sonar(coracle::open(realization));
  sonar.create<Sonar>("lab/sonar");
  const bool is_local = realization == "local:";
  coracle::Node node(coracle::open(realization));
  if (is_local) node.create<Sonar>("lab/sonar");

  asio::io_context loop;
  int done = 0;
  std::string fault;
  asio::signal_set signals(loop, SIGUSR1);
  signals.async_wait([&done](const boost::system::error_code& error, int) { done += !error; });
  const auto at_end = [&fault](const std::exception_ptr& error) {
    try {
      if (error) std::rethrow_exception(error);
    } catch (const std::exception& what) {
      fault += what.what();
    }
  };
  asio::co_spawn(loop, work(loop, node, done), at_end);
  asio::co_spawn(loop, talk(loop, node, done), at_end);
  asio::co_spawn(loop, visit(realization, done), at_end);
  asio::post(loop, [] { std::raise(SIGUSR1); });
  loop.run();
  std::cout << realization << " " << done << " of 26 " << fault << '\n';
  return done == 26;
}

}  // namespace

int main() {
  coracle::central::ServerOptions clearinghouse;
  clearinghouse.listen = {"127.0.0.1:0"};
  coracle::central::Server server(clearinghouse);
  coracle::distributed::DirectoryOptions lists;
  lists.listen = {"127.0.0.1:0"};
  coracle::distributed::DirectoryServer directory(lists);
  const std::string at = server.endpoints().front().substr(6);  // behind tcp://
  bool well = goes_well("local:") && goes_well("central://" + at) &&
              goes_well("distributed:directory=" + directory.endpoints().front());
#ifdef WITH_FMT
  well = well && fmt::format("{:>6.2f} {:%H}", 2.5, std::chrono::seconds(3600)) == "  2.50 01";
#endif
  return well ? 0 : 1;
}
