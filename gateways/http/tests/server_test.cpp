#include "coracle/http/server.hpp"

#include "coracle/errors.hpp"
#include "support/echo_server.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace coracle::http {
namespace {

using namespace std::chrono_literals;
using test::EchoServer;
using test::RawClient;

std::string status_in(const std::string& response) {
  return response.size() < 12 ? "none" : response.substr(9, 3);
}

BOOST_AUTO_TEST_SUITE(server)

BOOST_AUTO_TEST_CASE(a_request_gets_its_response) {
  EchoServer echo;
  RawClient client = echo.client();
  client.send(EchoServer::get("/hello"));
  BOOST_TEST(client.receive("hello\n") ==
             "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\nhello\n");
  client.send(EchoServer::post("again", "Connection: close\r\n"));
  BOOST_TEST(client.receive_all().ends_with("Connection: close\r\n\r\nagain"));
  BOOST_TEST(!client.was_reset());
  BOOST_TEST(echo.server->counts().requests == 2U);
  BOOST_TEST(echo.server->counts().responses == 2U);
}

BOOST_AUTO_TEST_CASE(large_bodies_pass_in_both_directions) {
  EchoServer echo;
  std::string body(3 << 20, 'x');
  for (std::size_t i = 0; i < body.size(); i += 7) body[i] = static_cast<char>(i);
  RawClient client = echo.client();
  std::thread sender([&] { client.send(EchoServer::post(body, "Connection: close\r\n")); });
  const std::string response = client.receive_all();
  sender.join();
  BOOST_TEST((response.substr(response.find("\r\n\r\n") + 4) == body));
}

BOOST_AUTO_TEST_CASE(pipelined_requests_are_all_responded_to) {
  EchoServer echo;
  RawClient client = echo.client();
  std::string all, expected;
  for (int i = 0; i < 1000; ++i) all += EchoServer::post(std::to_string(i));
  all += EchoServer::get("/hello", "Connection: close\r\n");
  std::thread sender([&] { client.send(all); });
  const std::string responses = client.receive_all();
  sender.join();
  std::size_t at = 0;
  for (int i = 0; i < 1000 && at != responses.npos; ++i)
    at = responses.find("\r\n\r\n" + std::to_string(i) + "HTTP/1.1", at);
  BOOST_TEST(at != responses.npos);
  BOOST_TEST(responses.ends_with("hello\n"));
}

BOOST_AUTO_TEST_CASE(a_response_may_come_later_and_from_any_thread) {
  EchoServer echo;
  RawClient client = echo.client();
  client.send(EchoServer::get("/wait") + EchoServer::get("/hello"));
  const Responder responder = echo.take(echo.waiting);
  BOOST_TEST(responder.is_wanted());
  std::thread([&] { responder.send(Response::plain(202)); }).join();
  BOOST_TEST(status_in(client.receive("hello\n")) == "202");
  BOOST_TEST(!responder.send(Response::plain(200)));
}

BOOST_AUTO_TEST_CASE(a_handler_that_fails_or_forgets_gives_an_error) {
  EchoServer echo;
  RawClient client = echo.client();
  client.send(EchoServer::get("/fail"));
  BOOST_TEST(status_in(client.receive("Error\r\n")) == "500");
  client.send(EchoServer::get("/drop"));
  BOOST_TEST(client.receive("no response\r\n").find("500") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_client_that_has_left_is_noticed) {
  EchoServer echo;
  RawClient client = echo.client();
  client.send(EchoServer::get("/wait"));
  const Responder responder = echo.take(echo.waiting);
  client.reset();
  echo.await([&] { return !responder.is_wanted(); });
  BOOST_TEST(responder.send(Response::plain(200)));  // nobody gets it
}

BOOST_AUTO_TEST_CASE(a_half_closed_client_gets_its_response) {
  EchoServer echo;
  RawClient client = echo.client();
  client.send(EchoServer::get("/wait"));
  client.shut_down();
  echo.take(echo.waiting).send(Response::with("late", "text/plain"));
  BOOST_TEST(client.receive_all().ends_with("late"));
}

BOOST_AUTO_TEST_CASE(slow_senders_are_told_and_disconnected) {
  ServerOptions options;
  options.limits.header_time = 30ms;
  options.limits.body_time = 30ms;
  options.limits.idle_time = 30ms;
  EchoServer echo(options);
  RawClient head = echo.client(), body = echo.client(), idle = echo.client(),
            silent = echo.client();
  head.send("GET /hel");
  body.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhel");
  idle.send(EchoServer::get("/hello"));
  BOOST_TEST(status_in(head.receive_all()) == "408");
  BOOST_TEST(status_in(body.receive_all()) == "408");
  BOOST_TEST(idle.receive_all().ends_with("hello\n"));
  BOOST_TEST(silent.receive_all() == "");
  echo.await([&] { return echo.server->counts().connections == 0; });
  BOOST_TEST(echo.server->counts().refused == 2U);
}

BOOST_AUTO_TEST_CASE(a_client_that_takes_nothing_is_cut_off) {
  ServerOptions options;
  options.limits.write_time = 30ms;
  EchoServer echo(options);
  RawClient client = echo.client();
  client.take_little();
  const std::string request = EchoServer::post(std::string(1 << 20, 'x'));
  for (int i = 0; i < 100 && client.send(request); ++i) {
  }
  client.receive_all();
  echo.await([&] { return echo.server->counts().connections == 0; });
  BOOST_TEST(echo.server->counts().buffered_bytes == 0U);
}

BOOST_AUTO_TEST_CASE(an_idle_connection_gives_way_and_a_busy_one_does_not) {
  ServerOptions options;
  options.limits.connections = 2;
  EchoServer echo(options);
  RawClient busy = echo.client();
  busy.send(EchoServer::get("/wait"));
  const Responder responder = echo.take(echo.waiting);
  RawClient idle = echo.client();
  idle.send(EchoServer::get("/hello"));
  BOOST_TEST(status_in(idle.receive("hello\n")) == "200");
  RawClient third = echo.client();
  third.send(EchoServer::get("/wait"));
  const Responder other = echo.take(echo.waiting);
  BOOST_TEST(idle.receive_all() == "");
  BOOST_TEST(status_in(echo.client().receive_all()) == "503");
  responder.send(Response::plain(200));
  BOOST_TEST(status_in(busy.receive("\r\n200 OK\r\n")) == "200");
}

BOOST_AUTO_TEST_CASE(one_address_has_a_limit_of_its_own) {
  ServerOptions options;
  options.limits.connections_per_peer = 1;
  EchoServer echo(options);
  RawClient first = echo.client();
  first.send("GET /");
  echo.await([&] { return echo.server->counts().buffered_bytes != 0; });
  BOOST_TEST(status_in(echo.client().receive_all()) == "503");
  first.reset();
  echo.await([&] { return echo.server->counts().connections == 0; });
  RawClient second = echo.client();
  second.send(EchoServer::get("/hello", "Connection: close\r\n"));
  BOOST_TEST(status_in(second.receive_all()) == "200");
}

BOOST_AUTO_TEST_CASE(all_connections_together_hold_no_more_than_they_may) {
  ServerOptions options;
  options.limits.buffered_bytes = 1 << 20;
  options.limits.buffered_bytes_per_peer = 512 << 10;
  EchoServer echo(options);
  std::vector<RawClient> clients;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(echo.client());
    clients.back().send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n" +
                        std::string(100'000, 'x'));
  }
  echo.await([&] { return echo.server->counts().refused >= 14; });
  BOOST_TEST(echo.server->counts().buffered_bytes < 700U << 10);
}

BOOST_AUTO_TEST_CASE(endpoints_beyond_this_host_need_encryption_or_a_word) {
  Loop loop;
  ServerOptions options;
  options.endpoint = "0.0.0.0:0";
  const auto fails_with = [](Errc errc) {
    return [errc](const Error& error) { return error.errc() == errc; };
  };
  BOOST_CHECK_EXCEPTION(Server(loop, options, {}), Error, fails_with(Errc::not_permitted));
  options.insecure = true;
  BOOST_TEST(Server(loop, options, {}).url().port != 0);
  options.endpoint = "[::1]:0";
  options.insecure = false;
  BOOST_TEST(Server(loop, options, {}).url().text().starts_with("http://[::1]:"));
  options.endpoint = "localhost:0";
  const Server first(loop, options, {});
  options.endpoint = "localhost:" + std::to_string(first.url().port);
  BOOST_CHECK_EXCEPTION(Server(loop, options, {}), Error, fails_with(Errc::cannot_listen));
  options.endpoint = "127.0.0.1:http";
  BOOST_CHECK_EXCEPTION(Server(loop, options, {}), Error, fails_with(Errc::bad_endpoint));
  options.endpoint = "nowhere.invalid:0";
  BOOST_CHECK_EXCEPTION(Server(loop, options, {}), Error, fails_with(Errc::cannot_listen));
}

BOOST_AUTO_TEST_CASE(a_stop_lets_requests_end_and_closes_the_others_at_the_deadline) {
  EchoServer echo;
  RawClient idle = echo.client(), quick = echo.client(), slow = echo.client();
  idle.send(EchoServer::get("/hello"));
  idle.receive("hello\n");
  quick.send(EchoServer::get("/wait"));
  const Responder soon = echo.take(echo.waiting);
  slow.send(EchoServer::get("/wait"));
  const Responder never = echo.take(echo.waiting);
  std::size_t left = 0;
  std::thread stop([&] { left = echo.server->stop(100ms); });
  BOOST_TEST(idle.receive_all() == "");
  soon.send(Response::with("soon", "text/plain"));
  const std::string response = quick.receive_all();
  BOOST_TEST(response.find("Connection: close") != std::string::npos);
  BOOST_TEST(response.ends_with("soon"));
  BOOST_TEST(slow.receive_all() == "");
  stop.join();
  BOOST_TEST(left == 1U);
  BOOST_TEST(!never.is_wanted());
  BOOST_CHECK_THROW(echo.client(), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(a_stop_on_the_thread_of_the_loop_is_refused) {
  EchoServer echo;
  std::optional<Errc> errc;
  echo.loop.post([&] {
    try {
      echo.server->stop();
    } catch (const Error& error) {
      errc = error.errc();
    }
  });
  echo.await([&] { return errc.has_value(); });
  BOOST_TEST((*errc == Errc::wrong_thread));
}

BOOST_AUTO_TEST_CASE(responders_outlive_their_server) {
  Responder responder;
  EventStream stream;
  {
    EchoServer echo;
    RawClient client = echo.client(), other = echo.client();
    client.send(EchoServer::get("/wait"));
    responder = echo.take(echo.waiting);
    other.send(EchoServer::get("/events"));
    stream = echo.take(echo.streams);
  }
  BOOST_TEST(!responder.is_wanted());
  BOOST_TEST(responder.send(Response::plain(200)));
  BOOST_TEST(!stream.send({"x"}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::http
