// Clients that want to harm a server, with true sockets.
#include "support/echo_server.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/resource.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace coracle::http {
namespace {

using namespace std::chrono_literals;
using test::EchoServer;
using test::RawClient;

// As many connections as the system permits, up to `most`.
std::size_t some_connections(std::size_t most) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  return std::min<std::size_t>(most, limit.rlim_cur / 2 - 100);  // two ends each
}

BOOST_AUTO_TEST_SUITE(hostile)

BOOST_AUTO_TEST_CASE(a_request_that_hides_in_another_is_never_handled) {
  const std::string hidden = "GET /hello HTTP/1.1\r\nHost: h\r\n\r\n";
  const std::string chunks = "0\r\n\r\n" + hidden;
  const auto post = [&](const std::string& headers, const std::string& rest) {
    return "POST /echo HTTP/1.1\r\nHost: h\r\n" + headers + "\r\n" + rest;
  };
  const std::string attempts[] = {
      post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", chunks),
      post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", chunks),
      post("Content-Length: 0\r\nContent-Length: 44\r\n", hidden),
      post("Content-Length: 0, 44\r\n", hidden),
      post("Content-Length : 0\r\n", hidden),
      post("Content-Length:\t+0\r\n", hidden),
      post("Transfer-Encoding: chunked, identity\r\n", chunks),
      post("Transfer-Encoding: identity\r\n", hidden),
      post("Transfer-Encoding:\x0b"
           "chunked\r\n",
           chunks),
      post("Transfer-Encoding\r\n : chunked\r\n", chunks),
      post("X: y\r\n Transfer-Encoding: chunked\r\n", chunks),
      post("X: y\nTransfer-Encoding: chunked\r\n", chunks),
      post("X: y\rTransfer-Encoding: chunked\r\n", chunks),
      post("Transfer-Encoding: chunked\r\n", "0\n\n" + hidden),
      post("Transfer-Encoding: chunked\r\n", "0\r\nX: y\r\n\r\n" + hidden),
      post("Transfer-Encoding: chunked\r\n", "1\r\nab\r\n0\r\n\r\n" + hidden),
      post("Transfer-Encoding: chunked\r\n", "0x0\r\n\r\n" + hidden),
      "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks,
      "GET /none HTTP/1.1\r\nHost: h\r\nContent-Length: 44\r\n\r\n" + hidden,
  };
  for (const std::string& attempt : attempts) {
    EchoServer echo;
    RawClient client = echo.client();
    client.send(attempt);
    const std::string response = client.receive_all();
    BOOST_TEST(response.substr(0, 9) == "HTTP/1.1 ", attempt);
    BOOST_TEST((response.size() > 9 && (response[9] == '4' || response[9] == '5')), attempt);
    BOOST_TEST(response.find("HTTP/1.1 ", 1) == response.npos, attempt);
    BOOST_TEST(echo.server->counts().requests == 0U, attempt);
  }
}

BOOST_AUTO_TEST_CASE(absurd_lengths_cost_nothing) {
  EchoServer echo;
  for (const std::string length : {"99999999999999999999999", "18446744073709551615", "17000000"}) {
    RawClient client = echo.client();
    client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: " + length + "\r\n\r\n");
    const std::string status = client.receive_all().substr(9, 3);
    BOOST_TEST((status == "400" || status == "413"));
  }
  RawClient chunked = echo.client();
  chunked.send(
      "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n");
  BOOST_TEST(chunked.receive_all().substr(9, 3) == "413");
}

BOOST_AUTO_TEST_CASE(many_slow_connections_hold_little_and_slow_nobody_down) {
  const std::size_t many = some_connections(2000);
  ServerOptions options;
  options.limits.connections = many + 10;
  options.limits.connections_per_peer = many + 10;
  EchoServer echo(options);
  std::vector<RawClient> slow;
  for (std::size_t i = 0; i < many; ++i) {
    slow.push_back(echo.client());
    const char* const begin[] = {
        "", "G", "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 9999999\r\n\r\nx",
        "GET /hello HTTP/1.1\r\nX: "};
    slow.back().send(begin[i % 4]);
  }
  echo.await([&] { return echo.server->counts().accepted == many; });
  RawClient honest = echo.client();
  for (int i = 0; i < 1000; ++i) {
    honest.send(EchoServer::get("/hello"));
    BOOST_REQUIRE(honest.receive("hello\n").ends_with("hello\n"));
  }
  BOOST_TEST(echo.server->counts().buffered_bytes < many * 100);
}

BOOST_AUTO_TEST_CASE(a_flood_of_requests_without_reading_is_held_back) {
  EchoServer echo;
  RawClient flood = echo.client();
  flood.take_little();
  std::string requests;
  for (int i = 0; i < 100; ++i) requests += EchoServer::post(std::string(1000, 'x'));
  std::thread sender([&] {
    for (int i = 0; i < 1000 && flood.send(requests); ++i) {
    }
  });
  RawClient honest = echo.client();
  for (int i = 0; i < 1000; ++i) {
    honest.send(EchoServer::get("/hello"));
    BOOST_REQUIRE(honest.receive("hello\n").ends_with("hello\n"));
  }
  BOOST_TEST(echo.server->counts().buffered_bytes < 2U << 20);
  echo.server.reset();
  sender.join();
}

BOOST_AUTO_TEST_CASE(garbage_is_refused_at_its_first_byte) {
  EchoServer echo;
  std::string random;
  std::uint64_t state = 1;
  for (int i = 0; i < 100'000; ++i)
    random +=
        static_cast<char>((state = state * 6364136223846793005U + 1442695040888963407U) >> 56);
  for (int i = 0; i < 50; ++i) {
    RawClient client = echo.client();
    client.send(random.substr(static_cast<std::size_t>(i) * 100));
    client.shut_down();
    const std::string response = client.receive_all();
    BOOST_TEST((response.empty() || response[9] == '4' || response[9] == '5'));
  }
  echo.await([&] { return echo.server->counts().connections == 0; });
  BOOST_TEST(echo.server->counts().buffered_bytes == 0U);
}

BOOST_AUTO_TEST_CASE(a_client_that_never_closes_after_an_error_is_not_waited_for) {
  ServerOptions options;
  options.limits.linger_time = 20ms;
  EchoServer echo(options);
  RawClient client = echo.client();
  client.send("BREW / HTTP/1.1\r\n\r\n");
  client.receive("known\r\n");
  echo.await([&] { return echo.server->counts().connections == 0; });
}

BOOST_AUTO_TEST_CASE(connections_that_come_and_go_leave_nothing) {
  EchoServer echo;
  for (int i = 0; i < 500; ++i) {
    RawClient client = echo.client();
    if (i % 3 == 0) client.send(EchoServer::get("/hello"));
    if (i % 3 == 1) client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nx");
    if (i % 2 == 0) client.reset();
  }
  // Those that came before are accepted before.
  RawClient last = echo.client();
  last.send(EchoServer::get("/hello", "Connection: close\r\n"));
  BOOST_TEST(last.receive_all().ends_with("hello\n"));
  echo.await([&] { return echo.server->counts().connections == 0; });
  BOOST_TEST(echo.server->counts().buffered_bytes == 0U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::http
