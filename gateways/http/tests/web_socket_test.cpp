#include "coracle/http/client.hpp"
#include "message/frames.hpp"
#include "support/echo_server.hpp"
#include "support/scripted_server.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace coracle::http {
namespace {

using namespace std::chrono_literals;
using test::EchoServer;
using test::RawClient;

const std::string upgrade =
    "Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

// A client's WebSocket, opened to the server of a test.
WebSocket open(EchoServer& echo, Client& client, const SocketOptions& options = {}) {
  std::optional<Result<WebSocket>> opened;
  client.connect(echo.url("/socket"), options, {}, 5s,
                 [&](Result<WebSocket> result) { opened = std::move(result); });
  echo.await([&] { return opened.has_value(); });
  return std::move(*opened).value();
}

// What a WebSocket has received, as the thread of the loop has seen it.
struct Received {
  explicit Received(const WebSocket& by) {
    by.on_message([this](SocketMessage message) { messages.push_back(std::move(message)); });
    by.on_close([this] { has_ended = true; });
  }
  std::vector<SocketMessage> messages;
  bool has_ended = false;
};

BOOST_AUTO_TEST_SUITE(web_socket)

BOOST_AUTO_TEST_CASE(the_handshake_is_that_of_the_standard) {
  EchoServer echo;
  echo.socket_options.protocols = {"b", "a"};
  RawClient client = echo.client();
  client.send(EchoServer::get("/socket", upgrade + "Sec-WebSocket-Protocol: a, b\r\n") +
              write_frame(Opcode::text, "early", 7));
  const WebSocket socket = echo.take(echo.sockets);
  const std::string head = client.receive("\r\n\r\n");
  BOOST_TEST(head.starts_with("HTTP/1.1 101 Switching Protocols\r\n"));
  BOOST_TEST(head.find("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n") !=
             std::string::npos);
  BOOST_TEST(head.find("Sec-WebSocket-Protocol: b\r\n") != std::string::npos);
  BOOST_TEST(socket.protocol() == "b");
  std::optional<SocketMessage> first;
  echo.await([&] { return (first = socket.try_receive()).has_value(); });
  BOOST_TEST(first->data == "early");
  socket.send_text("hi");
  BOOST_TEST(client.receive("hi") == write_frame(Opcode::text, "hi"));
}

BOOST_AUTO_TEST_CASE(other_requests_are_told_what_to_do) {
  EchoServer echo;
  const std::pair<std::string, std::string> wrong[] = {
      {"", "426"},
      {"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 8\r\n", "426"},
      {"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
       "Sec-WebSocket-Key: short\r\n",
       "400"},
      {"Connection: Upgrade\r\nUpgrade: h2c\r\n", "426"},
  };
  for (const auto& [headers, status] : wrong) {
    RawClient client = echo.client();
    client.send(EchoServer::get("/socket", headers) + EchoServer::get("/hello"));
    BOOST_TEST(client.receive("hello\n").substr(9, 3) == status);
    BOOST_TEST(!echo.take(echo.sockets).is_open());
  }
}

BOOST_AUTO_TEST_CASE(a_client_and_a_server_talk) {
  EchoServer echo;
  echo.socket_options.protocols = {"chat"};
  Client client(echo.loop);
  SocketOptions options;
  options.protocols = {"other", "chat"};
  const WebSocket mine = open(echo, client, options);
  const WebSocket theirs = echo.take(echo.sockets);
  BOOST_TEST(mine.protocol() == "chat");
  Received at_client(mine), at_server(theirs);
  mine.send_text("hello");
  mine.send_binary(std::string(70'000, '\xff'));
  theirs.send_text("\xc3\xbc");
  echo.await([&] { return at_server.messages.size() == 2 && at_client.messages.size() == 1; });
  BOOST_TEST(at_server.messages[0].data == "hello");
  BOOST_TEST(at_server.messages[0].is_text);
  BOOST_TEST((at_server.messages[1].data == std::string(70'000, '\xff')));
  BOOST_TEST(!at_server.messages[1].is_text);
  BOOST_CHECK_THROW(mine.send_text("\xff"), Error);
  theirs.close(CloseCode::policy, "enough");
  echo.await([&] { return at_client.has_ended && at_server.has_ended; });
  BOOST_TEST((mine.close_code() == CloseCode::policy));
  BOOST_TEST(mine.close_reason() == "enough");
  BOOST_TEST(!mine.send_text("late"));
}

BOOST_AUTO_TEST_CASE(the_last_copy_closes) {
  EchoServer echo;
  Client client(echo.loop);
  WebSocket mine = open(echo, client);
  const WebSocket theirs = echo.take(echo.sockets);
  Received at_server(theirs);
  mine = WebSocket();
  echo.await([&] { return at_server.has_ended; });
  BOOST_TEST((theirs.close_code() == CloseCode::normal));
  echo.await([&] { return echo.server->counts().connections == 0; });
}

BOOST_AUTO_TEST_CASE(a_side_that_vanishes_is_noticed) {
  EchoServer echo;
  RawClient client = echo.client();
  client.send(EchoServer::get("/socket", upgrade));
  const WebSocket socket = echo.take(echo.sockets);
  Received received(socket);
  client.receive("\r\n\r\n");
  client.send(write_frame(Opcode::text, "cut", 7).substr(0, 7));
  client.reset();
  echo.await([&] { return received.has_ended; });
  BOOST_TEST(received.messages.empty());
  BOOST_TEST((socket.close_code() == CloseCode::lost));
}

BOOST_AUTO_TEST_CASE(a_silent_side_is_pinged_and_given_up) {
  EchoServer echo;
  echo.socket_options.ping = 20ms;
  RawClient client = echo.client();
  client.send(EchoServer::get("/socket", upgrade));
  const WebSocket socket = echo.take(echo.sockets);
  Received received(socket);
  client.receive("\r\n\r\n");
  BOOST_TEST(client.receive_all().starts_with(std::string("\x89\0", 2)));
  echo.await([&] { return received.has_ended; });
}

BOOST_AUTO_TEST_CASE(frames_that_break_the_rules_close_the_connection) {
  const std::pair<std::string, unsigned> wrong[] = {
      {write_frame(Opcode::text, "no mask"), 1002},
      {write_frame(Opcode::more, "x", 1), 1002},
      {write_frame(static_cast<Opcode>(3), "x", 1), 1002},
      {write_frame(Opcode::text, "\xff", 1), 1007},
      {std::string("\x82\xff\0\0\0\0\0\x20\0\0", 10) + "mask", 1009},
  };
  for (const auto& [bytes, code] : wrong) {
    EchoServer echo;
    RawClient client = echo.client();
    client.send(EchoServer::get("/socket", upgrade));
    const WebSocket socket = echo.take(echo.sockets);
    client.receive("\r\n\r\n");
    client.send(bytes);
    const std::string end = client.receive_all();
    BOOST_REQUIRE(end.size() > 4);
    BOOST_TEST(static_cast<unsigned char>(end[0]) == 0x88U);
    BOOST_TEST((static_cast<unsigned char>(end[2]) << 8 | static_cast<unsigned char>(end[3])) ==
               static_cast<int>(code));
    BOOST_TEST(!client.was_reset());
  }
}

BOOST_AUTO_TEST_CASE(a_user_that_receives_slowly_makes_the_other_side_wait) {
  EchoServer echo;
  echo.socket_options.received = 10;
  Client client(echo.loop);
  SocketOptions options;
  options.queue = 100'000;
  options.queue_bytes = 64 << 20;
  const WebSocket mine = open(echo, client, options);
  const WebSocket theirs = echo.take(echo.sockets);
  const std::string large(10'000, 'x');
  for (int i = 0; i < 2000; ++i) BOOST_REQUIRE(mine.send_binary(large));
  int received = 0;
  while (received < 2000) {
    std::optional<SocketMessage> message;
    echo.await([&] { return (message = theirs.try_receive()).has_value(); });
    do ++received;
    while (theirs.try_receive());
  }
  BOOST_TEST(received == 2000);
}

BOOST_AUTO_TEST_CASE(a_queue_that_is_full_closes_the_connection) {
  EchoServer echo;
  echo.socket_options.queue_bytes = 100'000;
  RawClient client = echo.client();
  client.take_little();
  client.send(EchoServer::get("/socket", upgrade));
  const WebSocket socket = echo.take(echo.sockets);
  int sent = 0;
  while (sent < 1000 && socket.send_binary(std::string(50'000, 'x'))) ++sent;
  BOOST_TEST(sent < 1000);
  BOOST_TEST(!socket.is_open());
}

BOOST_AUTO_TEST_CASE(a_server_that_stops_goes_away) {
  EchoServer echo;
  Client client(echo.loop);
  const WebSocket mine = open(echo, client);
  const WebSocket theirs = echo.take(echo.sockets);
  Received at_client(mine);
  BOOST_TEST(echo.server->stop() == 0U);
  echo.await([&] { return at_client.has_ended; });
  BOOST_TEST((mine.close_code() == CloseCode::going_away));
}

BOOST_AUTO_TEST_CASE(a_server_that_does_not_accept_is_an_error) {
  const auto outcome = [](const std::string& response) {
    test::ScriptedServer server({{response}});
    Loop loop;
    Client client(loop);
    std::optional<Errc> errc;
    client.connect(server.url(), {}, {}, 5s, [&](const Result<WebSocket>& result) {
      errc = result ? Errc::bad_name : result.error().errc();
    });
    loop.run_until([&] { return errc.has_value(); });
    return *errc;
  };
  const std::string head =
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n";
  BOOST_TEST((outcome("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n") == Errc::refused));
  BOOST_TEST((outcome(head + "\r\n") == Errc::refused));
  BOOST_TEST((outcome(head + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n") ==
              Errc::refused));
  BOOST_TEST((outcome("") == Errc::disconnected));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::http
