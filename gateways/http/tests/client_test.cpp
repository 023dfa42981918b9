#include "coracle/http/client.hpp"

#include "coracle/errors.hpp"
#include "support/echo_server.hpp"
#include "support/scripted_server.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

namespace coracle::http {
namespace {

using namespace std::chrono_literals;
using test::EchoServer;
using test::ScriptedServer;

Request request_for(Url url, std::string method = "GET", std::string body = "") {
  Request request;
  request.method = std::move(method);
  request.url = std::move(url);
  request.body = std::move(body);
  return request;
}

auto with_errc(Errc errc) {
  return [errc](const Error& error) {
    BOOST_TEST_MESSAGE(error.sentence());
    return error.errc() == errc;
  };
}

const std::string ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

BOOST_AUTO_TEST_SUITE(client)

BOOST_AUTO_TEST_CASE(requests_reuse_their_connection) {
  EchoServer echo;
  Client client(echo.loop);
  for (int i = 0; i < 10; ++i) {
    const Response response = client.fetch_and_wait(request_for(echo.url("/echo"), "POST", "x"));
    BOOST_TEST(response.status == 200);
    BOOST_TEST(response.body == "x");
  }
  BOOST_TEST(client.fetch_and_wait(request_for(echo.url("/none"))).status == 404);
  BOOST_TEST(client.fetch_and_wait(request_for(echo.url("/hello"), "HEAD")).body == "");
  BOOST_TEST(echo.server->counts().accepted == 1U);
}

BOOST_AUTO_TEST_CASE(many_requests_share_a_few_connections) {
  EchoServer echo;
  ClientOptions options;
  options.limits.connections_per_server = 3;
  std::atomic<int> done{0};
  Client client(echo.loop, options);
  for (int i = 0; i < 500; ++i) {
    client.send(request_for(echo.url("/echo"), "POST", std::to_string(i)), {},
                [&done, i](Result<Response> result) {
                  if (result && result->body == std::to_string(i)) ++done;
                });
  }
  echo.await([&] { return done == 500; });
  BOOST_TEST(echo.server->counts().accepted <= 3U);
}

BOOST_AUTO_TEST_CASE(one_connection_may_carry_many_requests_at_once) {
  EchoServer echo;
  ClientOptions options;
  options.limits.connections_per_server = 1;
  options.limits.pipelined = 50;
  std::atomic<int> done{0};
  Client client(echo.loop, options);
  for (int i = 0; i < 50; ++i)
    client.send(request_for(echo.url("/wait")), {}, [&](const Result<Response>& result) {
      if (result) ++done;
    });
  echo.await([&] { return echo.waiting.size() == 50; });
  for (const Responder& each : echo.waiting) each.send(Response::plain(200));
  echo.await([&] { return done == 50; });
  BOOST_TEST(echo.server->counts().accepted == 1U);
}

BOOST_AUTO_TEST_CASE(too_many_requests_are_refused) {
  EchoServer echo;
  ClientOptions options;
  options.limits.connections_per_server = 1;
  options.limits.waiting = 2;
  std::vector<Errc> errors;  // outlives the client
  Client client(echo.loop, options);
  client.send(request_for(echo.url("/wait")), {}, [](const Result<Response>&) {});
  echo.await([&] { return !echo.waiting.empty(); });
  for (int i = 0; i < 4; ++i)
    client.send(request_for(echo.url("/hello")), {}, [&](const Result<Response>& result) {
      if (!result) errors.push_back(result.error().errc());
    });
  echo.await([&] { return errors.size() == 2; });
  BOOST_TEST((errors[0] == Errc::limit_reached));
}

BOOST_AUTO_TEST_CASE(a_response_that_does_not_come_in_time_is_not_waited_for) {
  EchoServer echo;
  Client client(echo.loop);
  RequestOptions options;
  options.deadline = 20ms;
  BOOST_CHECK_EXCEPTION(client.fetch_and_wait(request_for(echo.url("/wait")), options), Error,
                        with_errc(Errc::expired));
  // Its connection cannot be used again.
  BOOST_TEST(client.fetch_and_wait(request_for(echo.url("/hello"))).body == "hello\n");
  BOOST_TEST(echo.server->counts().accepted == 2U);
}

BOOST_AUTO_TEST_CASE(a_server_that_is_not_there_is_reported) {
  Loop loop;
  Client client(loop);
  Url nobody;
  {
    const ScriptedServer gone({});
    nobody = gone.url();
  }
  BOOST_CHECK_EXCEPTION(client.fetch_and_wait(request_for(nobody)), Error,
                        with_errc(Errc::unreachable));
  nobody.host = "nowhere.invalid";
  BOOST_CHECK_EXCEPTION(client.fetch_and_wait(request_for(nobody)), Error,
                        with_errc(Errc::unreachable));
}

BOOST_AUTO_TEST_CASE(a_request_is_repeated_once_if_its_kept_connection_was_closed) {
  // The first connection responds once, and is closed at the second request.
  ScriptedServer server({{ok, ""}, {ok}});
  Loop loop;
  Client client(loop);
  BOOST_TEST(client.fetch_and_wait(request_for(server.url())).body == "ok");
  BOOST_TEST(client.fetch_and_wait(request_for(server.url())).body == "ok");
  BOOST_TEST(server.connections() == 2);
}

BOOST_AUTO_TEST_CASE(a_request_that_is_not_safe_to_repeat_is_not_repeated) {
  ScriptedServer server({{ok, ""}, {ok, "", ok}, {ok}});
  Loop loop;
  Client client(loop);
  const auto post = [&](bool may_repeat) {
    RequestOptions options;
    if (may_repeat) options.may_repeat = true;
    return client.fetch_and_wait(request_for(server.url(), "POST", "x"), options);
  };
  BOOST_TEST(post(false).body == "ok");
  BOOST_CHECK_EXCEPTION(post(false), Error, with_errc(Errc::disconnected));
  BOOST_TEST(post(false).body == "ok");
  BOOST_TEST(post(true).body == "ok");
  BOOST_TEST(server.connections() == 3);
}

BOOST_AUTO_TEST_CASE(requests_that_a_connection_has_lost_are_repeated_in_their_order) {
  ScriptedServer server({{ok, ""}, {ok, ok, ok, ok}});
  Loop loop;
  ClientOptions options;
  options.limits.connections_per_server = 1;
  options.limits.pipelined = 3;
  std::atomic<int> done{0};
  Client client(loop, options);
  RequestOptions how;
  how.may_repeat = true;
  (void)client.fetch_and_wait(request_for(server.url(), "POST", "0"), how);
  // The fourth one waits until there is an answer.
  for (const char* each : {"a", "b", "c", "d"})
    client.send(request_for(server.url(), "POST", each), how, [&](const Result<Response>& result) {
      if (result) ++done;
    });
  BOOST_TEST_REQUIRE(loop.run_until([&] { return done == 4; }, 20s));
  BOOST_TEST(server.bodies() == "0aabcd");
  BOOST_TEST(server.connections() == 2);
}

BOOST_AUTO_TEST_CASE(a_request_that_must_not_follow_waits_for_the_response_before_it) {
  EchoServer echo;
  ClientOptions options;
  options.limits.connections_per_server = 1;
  options.limits.pipelined = 50;
  std::atomic<int> done{0};
  Client client(echo.loop, options);
  RequestOptions alone;
  alone.may_follow = false;
  for (int i = 0; i < 3; ++i)
    client.send(request_for(echo.url("/wait")), alone, [&](const Result<Response>& result) {
      if (result) ++done;
    });
  for (int i = 1; i <= 3; ++i) {
    echo.await([&] { return echo.waiting.size() >= static_cast<std::size_t>(i); });
    BOOST_TEST(echo.waiting.size() == static_cast<std::size_t>(i));
    echo.waiting.back().send(Response::plain(200));
    echo.await([&] { return done == i; });
  }
}

BOOST_AUTO_TEST_CASE(
    a_request_is_not_repeated_when_its_response_has_begun_or_its_connection_was_new) {
  ScriptedServer server({{ok, "HTTP/1.1 200"}, {""}});
  Loop loop;
  Client client(loop);
  BOOST_TEST(client.fetch_and_wait(request_for(server.url())).body == "ok");
  for (int i = 0; i < 2; ++i)
    BOOST_CHECK_EXCEPTION(client.fetch_and_wait(request_for(server.url())), Error,
                          with_errc(Errc::disconnected));
}

BOOST_AUTO_TEST_CASE(a_response_that_is_none_is_refused) {
  ScriptedServer server({{"SSH-2.0-OpenSSH_9.2\r\n"},
                         {"HTTP/1.1 200 OK\r\nContent-Length: 9999999999\r\n\r\n"},
                         {"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"}});
  Loop loop;
  Client client(loop);
  for (const Errc errc : {Errc::bad_encoding, Errc::too_large, Errc::bad_encoding})
    BOOST_CHECK_EXCEPTION(client.fetch_and_wait(request_for(server.url())), Error, with_errc(errc));
}

BOOST_AUTO_TEST_CASE(redirections_are_responses) {
  ScriptedServer server(
      {{"HTTP/1.1 302 Found\r\nLocation: http://elsewhere/\r\nContent-Length: 0\r\n\r\n"}});
  Loop loop;
  Client client(loop);
  const Response response = client.fetch_and_wait(request_for(server.url()));
  BOOST_TEST(response.status == 302);
  BOOST_TEST(response.headers.find("Location").value() == "http://elsewhere/");
}

BOOST_AUTO_TEST_CASE(a_server_of_jade_keeps_its_connection) {
  const std::string of_jade =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nCache-Control: no-cache\r\n"
      "Connection: Keep-Alive\r\n\r\n<html><body><h1>200 OK</h1></body></html>\r\n";
  ScriptedServer server({{of_jade, of_jade, of_jade}});
  Loop loop;
  Client client(loop);
  RequestOptions options;
  options.headers_end_response = true;
  for (int i = 0; i < 3; ++i)
    BOOST_TEST(client.fetch_and_wait(request_for(server.url(), "POST", "x"), options).status ==
               200);
  BOOST_TEST(server.connections() == 1);
}

BOOST_AUTO_TEST_CASE(the_end_of_a_client_ends_its_requests) {
  EchoServer echo;
  std::optional<Errc> errc;
  {
    Client client(echo.loop);
    client.send(request_for(echo.url("/wait")), {},
                [&](const Result<Response>& result) { errc = result.error().errc(); });
    echo.await([&] { return !echo.waiting.empty(); });
  }
  BOOST_TEST((errc == Errc::stopped));
}

BOOST_AUTO_TEST_CASE(idle_connections_are_closed) {
  EchoServer echo;
  ClientOptions options;
  options.limits.idle_time = 20ms;
  Client client(echo.loop, options);
  client.fetch_and_wait(request_for(echo.url("/hello")));
  echo.await([&] { return echo.server->counts().connections == 0; });
}

BOOST_AUTO_TEST_CASE(a_wrong_request_is_refused_before_it_is_sent) {
  Loop loop;
  Client client(loop);
  Url url;
  url.host = "localhost";
  BOOST_CHECK_EXCEPTION(client.fetch_and_wait(request_for(url, "G T")), Error,
                        with_errc(Errc::bad_options));
  url.path = "/a b";
  BOOST_CHECK_EXCEPTION(client.fetch_and_wait(request_for(url)), Error,
                        with_errc(Errc::bad_endpoint));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::http
