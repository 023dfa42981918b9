#include "coracle/errors.hpp"
#include "coracle/http/client.hpp"
#include "realizations/net/src/asio/tls/certificates.hpp"
#include "support/echo_server.hpp"
#include "tests/support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <filesystem>
#include <string>

namespace coracle::http {
namespace {

using namespace std::chrono_literals;
using test::EchoServer;

// An authority, a certificate of this host, and one of a client.
struct Keys {
  ServerOptions server(bool wants_clients = false) const {
    ServerOptions options;
    options.endpoint = "localhost:0";
    options.tls = ServerTls{here + "/node.pem", here + "/node.key",
                            wants_clients ? here + "/authority.pem" : ""};
    return options;
  }
  ClientOptions client(bool has_certificate = false) const {
    ClientOptions options;
    options.tls.authorities = here + "/authority.pem";
    if (has_certificate)
      options.tls.certificate = other + "/node.pem", options.tls.key = other + "/node.key";
    return options;
  }

  coracle::test::TemporaryFolder folder;
  net::Authority authority{folder / "keys", "tests"};
  const std::string here = authority.issue("here", {"localhost"}, 30);
  const std::string other = authority.issue("other", {"elsewhere.example"}, 30);
};

Request get_request(const Url& url) {
  Request request;
  request.url = url;
  return request;
}

// The kind of error that a request ends with; nothing if there is a response.
std::optional<Errc> error_of(Loop& loop, const ClientOptions& options, const Url& url) {
  Client client(loop, options);
  try {
    client.fetch_and_wait(get_request(url));
    return std::nullopt;
  } catch (const Error& error) {
    BOOST_TEST_MESSAGE(error.sentence());
    return error.errc();
  }
}

BOOST_AUTO_TEST_SUITE(tls)

BOOST_AUTO_TEST_CASE(everything_is_as_without_encryption) {
  const Keys keys;
  EchoServer echo(keys.server());
  Client client(echo.loop, keys.client());
  BOOST_TEST(echo.server->url().text().starts_with("https://localhost:"));
  Request request;
  request.method = "POST";
  request.url = echo.url("/echo");
  request.body.assign(3 << 20, 'x');
  for (std::size_t i = 0; i < request.body.size(); i += 7) request.body[i] = static_cast<char>(i);
  for (int i = 0; i < 3; ++i) BOOST_TEST((client.fetch_and_wait(request).body == request.body));
  BOOST_TEST(echo.server->counts().accepted == 1U);

  const EventSource source = client.events(get_request(echo.url("/events")));
  std::string events;
  source.listen(
      nullptr, [&](const Event& event) { events += event.data; }, nullptr);
  const EventStream stream = echo.take(echo.streams);
  for (const char* each : {"a", "b", "c"}) stream.send({each});
  echo.await([&] { return events == "abc"; });

  std::optional<WebSocket> socket;
  std::string got;
  client.connect(echo.url("/socket"), {}, {}, 5s, [&](Result<WebSocket> result) {
    socket = std::move(result).value();
    socket->on_message([&](const SocketMessage& message) { got += message.data; });
  });
  const WebSocket theirs = echo.take(echo.sockets);
  theirs.send_text("hello");
  echo.await([&] { return got == "hello"; });
}

BOOST_AUTO_TEST_CASE(a_server_has_to_prove_its_name) {
  const Keys keys;
  EchoServer echo(keys.server());
  BOOST_TEST(!error_of(echo.loop, keys.client(), echo.url("/hello")).has_value());
  // The authorities of the system do not know it.
  BOOST_TEST((error_of(echo.loop, {}, echo.url("/hello")) == Errc::not_permitted));
  Url by_address = echo.url("/hello");
  by_address.host = "127.0.0.1";
  BOOST_TEST((error_of(echo.loop, keys.client(), by_address) == Errc::not_permitted));
}

BOOST_AUTO_TEST_CASE(a_server_may_want_certificates_of_its_clients) {
  const Keys keys;
  EchoServer echo(keys.server(true));
  BOOST_TEST(!error_of(echo.loop, keys.client(true), echo.url("/hello")).has_value());
  BOOST_TEST(error_of(echo.loop, keys.client(), echo.url("/hello")).has_value());
  BOOST_TEST(echo.server->counts().requests == 1U);
}

BOOST_AUTO_TEST_CASE(a_request_has_the_verified_subject_of_its_clients_certificate) {
  Keys keys;
  const auto subject_of = [&](const ServerOptions& options, const ClientOptions& client) {
    Loop loop;
    std::string subject = "no request";
    Routes routes;
    routes.on("GET", "/", [&](const Request& request, const Responder& to) {
      subject = request.certificate_subject;
      to.send(Response::plain(200));
    });
    const Server server(loop, options, std::move(routes));
    (void)error_of(loop, client, server.url());
    return subject;
  };
  ServerOptions optional = keys.server(true);
  optional.tls->certificate_is_optional = true;
  BOOST_TEST(subject_of(optional, keys.client(true)) == "CN=other");
  BOOST_TEST(subject_of(optional, keys.client()) == "");
  BOOST_TEST(subject_of(keys.server(true), keys.client(true)) == "CN=other");
  BOOST_TEST(subject_of(keys.server(true), keys.client()) == "no request");
  // A server that does not ask learns nothing.
  BOOST_TEST(subject_of(keys.server(), keys.client(true)) == "");
  // A certificate of another authority, and one whose time is over, are refused, also where none is
  // needed.
  const Keys others;
  for (const std::string& place : {others.other, keys.authority.issue("expired", {}, -1)}) {
    ClientOptions bad = keys.client();
    bad.tls.certificate = place + "/node.pem";
    bad.tls.key = place + "/node.key";
    BOOST_TEST(subject_of(optional, bad) == "no request");
    BOOST_TEST(subject_of(keys.server(true), bad) == "no request");
  }
}

BOOST_AUTO_TEST_CASE(plain_text_and_garbage_are_refused) {
  const Keys keys;
  EchoServer echo(keys.server());
  for (const std::string& bytes :
       {EchoServer::get("/hello"), std::string("\x16\x03\x01\xff\xff\x01"),
        std::string(100'000, '\xff'),
        std::string("\x16\x03\x03\x00\x05\x01\x00\x00\x01\x00", 10)}) {
    test::RawClient client = echo.client();
    client.send(bytes);
    client.shut_down();
    BOOST_TEST(client.receive_all().find("HTTP") == std::string::npos);
  }
  echo.await([&] { return echo.server->counts().connections == 0; });
  BOOST_TEST(echo.server->counts().refused >= 3U);
  BOOST_TEST(echo.server->counts().requests == 0U);
  // A client with TLS at a server without gets an error, too.
  EchoServer plain;
  Url url = plain.url("/hello");
  url.is_secure = true;
  BOOST_TEST((error_of(plain.loop, keys.client(), url) == Errc::not_permitted));
}

BOOST_AUTO_TEST_CASE(a_handshake_that_takes_too_long_is_ended) {
  const Keys keys;
  ServerOptions options = keys.server();
  options.limits.header_time = 30ms;
  EchoServer echo(options);
  test::RawClient silent = echo.client(), slow = echo.client();
  slow.send("\x16\x03\x01\x02");
  silent.receive_all();
  slow.receive_all();
  echo.await([&] { return echo.server->counts().connections == 0; });
}

BOOST_AUTO_TEST_CASE(files_that_cannot_be_used_are_refused) {
  const Keys keys;
  Loop loop;
  const auto errc_of = [&](const ServerTls& files) {
    ServerOptions options;
    options.tls = files;
    try {
      const Server server(loop, options, {});
      return Errc::bad_name;
    } catch (const Error& error) {
      return error.errc();
    }
  };
  const std::string certificate = keys.here + "/node.pem", key = keys.here + "/node.key";
  BOOST_TEST((errc_of({certificate + "x", key}) == Errc::bad_options));
  BOOST_TEST((errc_of({key, key}) == Errc::bad_options));
  BOOST_TEST((errc_of({certificate, keys.other + "/node.key"}) == Errc::bad_options));
  BOOST_TEST((errc_of({certificate, key, key}) == Errc::bad_options));
  namespace fs = std::filesystem;
  fs::permissions(key, fs::perms::owner_read | fs::perms::group_read);
  BOOST_TEST((errc_of({certificate, key}) == Errc::not_permitted));
}

BOOST_AUTO_TEST_CASE(a_renewed_certificate_is_used_from_then_on) {
  Keys keys;
  EchoServer echo(keys.server());
  keys.authority.renew("here", {"127.0.0.1"}, 30);
  Url by_address = echo.url("/hello");
  by_address.host = "127.0.0.1";
  BOOST_TEST((error_of(echo.loop, keys.client(), by_address) == Errc::not_permitted));
  echo.server->read_keys_again();
  BOOST_TEST(!error_of(echo.loop, keys.client(), by_address).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::http
