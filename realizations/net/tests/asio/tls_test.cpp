// The clients that are admitted at a tls:// endpoint, and those that are not.
#include "realizations/net/src/asio/first_words.hpp"
#include "support/asio_bench.hpp"
#include "support/side.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <openssl/ssl.h>
#include <sys/stat.h>

#include <algorithm>

namespace coracle::net::test {
namespace {

using namespace std::chrono_literals;

// A server with a certificate, and the clients that try to connect.
struct Gate {
  Gate() : authority(folder.path()) {
    server = authority.issue({"server", {"DNS:server", "IP:127.0.0.1"}});
  }
  static AsioOptions with(const TlsFiles& files, Duration handshake = 5s,
                          std::size_t handshakes = 256) {
    AsioOptions options;
    options.tls = files;
    options.handshake = handshake;
    options.handshakes = handshakes;
    return options;
  }
  // Lets `client` try, and returns why the server refused it, or why it refused the server.
  std::optional<Error> refused(const TlsFiles& client) {
    AsioBench bench(Endpoint::Scheme::tls, with(server), with(client));
    Host host;
    const auto listener = bench.listening().listen(bench.place(), host).value();
    const Endpoint there[] = {listener->endpoint()};
    Caller caller;
    caller.attempt = bench.connecting().connect(there, 30s, caller);
    bench.until([&] { return caller.told > 0 && (host.guests.size() + host.refused.size()) > 0; });
    if (caller.side) caller.side->keep_reading();
    if (host.guests.empty() && caller.side)
      bench.until([&] { return caller.side->closed.has_value(); });
    if (!host.guests.empty() && !caller.failure) return std::nullopt;
    if (caller.failure) return caller.failure;
    BOOST_TEST((caller.side->closed.value().errc() == Errc::not_permitted));
    return host.refused.at(0);
  }

  TemporaryFolder folder;
  Authority authority;
  TlsFiles server;
};

BOOST_AUTO_TEST_SUITE(tls)

BOOST_AUTO_TEST_CASE(who_has_a_certificate_of_our_authority_is_let_in_by_name) {
  Gate gate;
  const TlsFiles files = gate.authority.issue(
      {"ann", {"DNS:ann.lab", "URI:coracle://lab/ann", "IP:10.0.0.1", "email:a@b.example"}});
  AsioBench bench(Endpoint::Scheme::tls, Gate::with(gate.server), Gate::with(files));
  Host host;
  const auto listener = bench.listening().listen(bench.place(), host).value();
  const Endpoint there[] = {listener->endpoint()};
  Caller caller;
  caller.attempt = bench.connecting().connect(there, 30s, caller);
  BOOST_REQUIRE(bench.until([&] { return caller.side && !host.guests.empty(); }));
  const Peer& ann = host.guests[0]->connection->peer();
  BOOST_TEST((ann.names == std::vector<std::string>{"ann.lab", "coracle://lab/ann"}));
  BOOST_TEST((caller.side->connection->peer().names == std::vector<std::string>{"server"}));
}

BOOST_AUTO_TEST_CASE(whoever_else_is_refused_with_the_reason) {
  Gate gate;
  Authority stranger(gate.folder.path(), "stranger");
  TlsFiles foreign = stranger.issue({"foreign", {"DNS:foreign"}});
  foreign.authorities = gate.authority.file();
  const std::pair<TlsFiles, std::string> wrong[] = {
      {foreign, "unable to get local issuer certificate"},
      {gate.authority.issue({"old", {"DNS:old"}, -7000, -3600}), "expired"},
      {gate.authority.issue({"early", {"DNS:early"}, 3600, 7000}), "not yet valid"},
      {gate.authority.issue({"misused", {"DNS:misused"}, -3600, 3600, "serverAuth"}), "purpose"},
  };
  for (const auto& [client, reason] : wrong) {
    const auto why = gate.refused(client);
    BOOST_REQUIRE_MESSAGE(why.has_value(), reason);
    BOOST_TEST((why->errc() == Errc::not_permitted));
    BOOST_TEST(why->sentence().find(reason) != std::string::npos, why->sentence());
  }
  BOOST_TEST(!gate.refused(gate.authority.issue({"good", {"DNS:good"}})));
}

BOOST_AUTO_TEST_CASE(a_revoked_certificate_is_refused_and_the_others_are_not) {
  Gate gate;
  const TlsFiles lost = gate.authority.issue({"lost", {"DNS:lost"}});
  const TlsFiles good = gate.authority.issue({"good", {"DNS:good"}});
  gate.server.revoked = gate.authority.list_revoked({lost});
  BOOST_TEST(!gate.refused(good));
  const auto why = gate.refused(lost);
  BOOST_REQUIRE(why.has_value());
  BOOST_TEST((why->errc() == Errc::not_permitted));
  BOOST_TEST(why->sentence().find("revoked") != std::string::npos, why->sentence());
}

BOOST_AUTO_TEST_CASE(a_server_that_is_not_who_was_called_is_refused) {
  Gate gate;
  const TlsFiles client = gate.authority.issue({"client", {"DNS:client"}});
  gate.server = gate.authority.issue({"elsewhere", {"DNS:elsewhere", "IP:192.0.2.1"}});
  auto why = gate.refused(client);
  BOOST_REQUIRE(why.has_value());
  BOOST_TEST((why->errc() == Errc::not_permitted));
  BOOST_TEST(why->sentence().find("IP address mismatch") != std::string::npos, why->sentence());

  Authority stranger(gate.folder.path(), "stranger");
  gate.server = stranger.issue({"impostor", {"IP:127.0.0.1"}});
  gate.server.authorities = gate.authority.file();
  why = gate.refused(client);
  BOOST_REQUIRE(why.has_value());
  BOOST_TEST((why->errc() == Errc::not_permitted));
}

// Runs a client that is not a Coracle node: sends `knock`, then awaits everything.
std::vector<Error> refused_after(const Gate& gate, const std::string& knock,
                                 Duration handshake = 60s) {
  AsioBench bench(Endpoint::Scheme::tls, Gate::with(gate.server, handshake));
  Host host;
  const auto listener = bench.listening().listen(bench.place(), host).value();
  boost::asio::ip::tcp::socket socket(bench.context);
  socket.connect({boost::asio::ip::make_address("127.0.0.1"), listener->endpoint().port});
  boost::asio::write(socket, boost::asio::buffer(knock));
  bench.until([&] { return !host.refused.empty() || !host.guests.empty(); });
  BOOST_TEST(host.guests.empty());
  return host.refused;
}

BOOST_AUTO_TEST_CASE(garbage_and_plain_text_are_turned_away) {
  Gate gate;
  for (const std::string& knock :
       {std::string("GET / HTTP/1.1\r\n\r\n"), std::string(5000, '\xff'),
        std::string("\x16\x03\x01\xff\xff", 5) + std::string(70'000, 'x')}) {
    const auto refused = refused_after(gate, knock);
    BOOST_REQUIRE(refused.size() == 1);
    BOOST_TEST((refused[0].errc() != Errc::expired));
  }
}

BOOST_AUTO_TEST_CASE(who_says_nothing_is_sent_away_in_time) {
  Gate gate;
  const auto refused = refused_after(gate, "", 300ms);
  BOOST_REQUIRE(refused.size() == 1);
  BOOST_TEST((refused[0].errc() == Errc::expired));
}

BOOST_AUTO_TEST_CASE(many_who_say_nothing_do_not_keep_an_honest_one_out) {
  Gate gate;
  const TlsFiles client = gate.authority.issue({"client", {"DNS:client"}});
  AsioBench bench(Endpoint::Scheme::tls, Gate::with(gate.server, 3600s, 10), Gate::with(client));
  Host host;
  const auto listener = bench.listening().listen(bench.place(), host).value();
  std::vector<boost::asio::ip::tcp::socket> idle;
  for (int i = 0; i < 50; ++i) {
    idle.emplace_back(bench.context);
    idle.back().connect({boost::asio::ip::make_address("127.0.0.1"), listener->endpoint().port});
  }
  const Endpoint there[] = {listener->endpoint()};
  Caller caller;
  caller.attempt = bench.connecting().connect(there, 30s, caller);
  BOOST_TEST(bench.until([&] { return caller.side && !host.guests.empty(); }));
  BOOST_TEST(host.refused.size() >= 40u);
  BOOST_TEST(std::all_of(host.refused.begin(), host.refused.end(),
                         [](const Error& each) { return each.errc() == Errc::limit_reached; }));
}

// Returns the first greeting of a client that supports no TLS newer than `version`.
std::string client_hello(int version) {
  SSL_CTX* context = SSL_CTX_new(TLS_client_method());
  SSL_CTX_set_max_proto_version(context, version);
  SSL* client = SSL_new(context);
  BIO* out = BIO_new(BIO_s_mem());
  SSL_set_bio(client, BIO_new(BIO_s_mem()), out);
  SSL_connect(client);
  std::string hello(100'000, '\0');
  hello.resize(static_cast<std::size_t>(std::max(0, BIO_read(out, hello.data(), 100'000))));
  SSL_free(client);
  SSL_CTX_free(context);
  return hello;
}

// A client that connects and sends anything.
struct Knocking {
  explicit Knocking(const Gate& gate)
      : bench(Endpoint::Scheme::tls, Gate::with(gate.server)),
        listener(bench.listening().listen(bench.place(), host).value()),
        socket(bench.context) {
    socket.connect({boost::asio::ip::make_address("127.0.0.1"), listener->endpoint().port});
    socket.set_option(boost::asio::ip::tcp::no_delay(true));
  }
  void say(std::string_view text) { boost::asio::write(socket, boost::asio::buffer(text)); }
  std::string refused() {
    BOOST_TEST(bench.until([&] { return !host.refused.empty(); }));
    return host.refused.at(0).sentence();
  }

  AsioBench bench;
  Host host;
  std::unique_ptr<Listener> listener;
  boost::asio::ip::tcp::socket socket;
};

BOOST_AUTO_TEST_CASE(an_older_tls_is_refused) {
  Gate gate;
  Knocking old(gate);
  old.say(client_hello(TLS1_2_VERSION));
  const std::string why = old.refused();
  BOOST_TEST(why.find("protocol") != std::string::npos, why);
}

BOOST_AUTO_TEST_CASE(a_greeting_that_comes_byte_by_byte_is_understood) {
  Gate gate;
  Knocking slow(gate);
  for (const char byte : client_hello(TLS1_2_VERSION)) {
    slow.say({&byte, 1});
    slow.bench.context.poll();
  }
  const std::string why = slow.refused();
  BOOST_TEST(why.find("protocol") != std::string::npos, why);
}

BOOST_AUTO_TEST_CASE(who_begins_a_greeting_and_goes_is_told_of) {
  Gate gate;
  Knocking gone(gate);
  gone.say(client_hello(TLS1_3_VERSION).substr(0, 100));
  gone.socket.close();
  const std::string why = gone.refused();
  BOOST_TEST(why.find("does not speak TLS") != std::string::npos, why);
}

BOOST_AUTO_TEST_CASE(what_does_not_begin_as_tls_does_is_not_taken_for_it) {
  const std::string hello = client_hello(TLS1_3_VERSION);
  const auto greeting = [](const std::string& text) {
    return FirstWords::greeting(std::as_bytes(std::span(text)));
  };
  BOOST_TEST(greeting(hello) == hello.size());
  const auto with = [&hello](std::size_t place, char byte) {
    std::string changed = hello;
    changed[place] = byte;
    return changed;
  };
  BOOST_TEST(greeting(with(0, 23)) == 0u);      // another kind of record
  BOOST_TEST(greeting(with(1, 2)) == 0u);       // another version
  BOOST_TEST(greeting(with(3, '\x41')) == 0u);  // longer than a record can be
  BOOST_TEST(greeting(with(5, 2)) == 0u);       // another message
  BOOST_TEST(greeting(with(6, 1)) == 0u);       // a message that is longer than its record
  BOOST_TEST(greeting("GET / HTTP/1.1\r\n\r\n") == 0u);
}

BOOST_AUTO_TEST_CASE(files_that_cannot_be_used_are_named) {
  Gate gate;
  const TlsFiles good = gate.authority.issue({"good", {"DNS:good"}});
  const TlsFiles other = gate.authority.issue({"other", {"DNS:other"}});
  boost::asio::io_context context;
  const auto fails = [&](TlsFiles files, Errc errc, const std::string& named) {
    BOOST_CHECK_EXCEPTION(
        asio_network(context, steady_clock(), Gate::with(files)), Error, [&](const Error& e) {
          BOOST_TEST_MESSAGE(e.what());
          return e.errc() == errc && e.sentence().find(named) != e.sentence().npos;
        });
  };
  TlsFiles files = good;
  files.certificate += "x";
  fails(files, Errc::bad_options, files.certificate);
  files = good;
  files.key += "x";
  fails(files, Errc::bad_options, files.key);
  files = good;
  files.authorities += "x";
  fails(files, Errc::bad_options, files.authorities);
  files = good;
  files.revoked = good.key;
  fails(files, Errc::bad_options, files.revoked);
  files = good;
  files.key = other.key;
  fails(files, Errc::bad_options, "");
  BOOST_REQUIRE(::chmod(good.key.c_str(), 0640) == 0);
  fails(good, Errc::not_permitted, good.key);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
