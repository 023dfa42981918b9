// The clients that are admitted at a tls:// endpoint by the society key, and those that are not.
#include "support/asio_bench.hpp"
#include "support/side.hpp"
#include "tests/support/keys.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <openssl/ssl.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace coracle::net::test {
namespace {

using namespace std::chrono_literals;
using coracle::test::another_key;
using coracle::test::society_key;

AsioOptions with_keys(const std::string& keys, const std::string& society = "lab") {
  AsioOptions options;
  options.keys.emplace(keys, society);
  options.look_again = 10ms;
  return options;
}

// A listening node and a connecting node.
struct Door {
  Door(AsioOptions listening, AsioOptions connecting)
      : bench(Endpoint::Scheme::tls, std::move(listening), std::move(connecting)),
        listener(bench.listening().listen(bench.place(), host).value()) {}
  // Returns whether another client is admitted.
  bool knock() {
    const std::size_t guests = host.guests.size(), refused = host.refused.size();
    const Endpoint there[] = {listener->endpoint()};
    callers.push_back(std::make_unique<Caller>());
    Caller& caller = *callers.back();
    caller.attempt = bench.connecting().connect(there, 30s, caller);
    bench.until([&] {
      return caller.told > 0 && host.guests.size() + host.refused.size() > guests + refused;
    });
    if (!caller.side) return false;
    caller.side->keep_reading();
    if (host.guests.size() == guests) return false;
    host.guests.back()->keep_reading();
    return true;
  }

  AsioBench bench;
  Host host;
  std::unique_ptr<Listener> listener;
  std::vector<std::unique_ptr<Caller>> callers;
};

BOOST_AUTO_TEST_SUITE(tls_key)

BOOST_AUTO_TEST_CASE(who_has_the_key_is_let_in_and_nothing_says_who_it_is) {
  Door door(with_keys(society_key), with_keys(society_key));
  BOOST_TEST_REQUIRE(door.knock());
  for (const Peer* peer :
       {&door.host.guests[0]->connection->peer(), &door.callers[0]->side->connection->peer()}) {
    BOOST_TEST((peer->proof == Peer::Proof::key));
    BOOST_TEST(peer->names.empty());
  }
}

BOOST_AUTO_TEST_CASE(who_has_another_key_or_society_is_refused_on_both_sides) {
  for (const AsioOptions& other : {with_keys(another_key), with_keys(society_key, "attic")}) {
    Door door(with_keys(society_key), other);
    BOOST_TEST(!door.knock());
    BOOST_TEST_REQUIRE((door.callers[0]->failure && !door.host.refused.empty()));
    for (const Error& why : {*door.callers[0]->failure, door.host.refused[0]}) {
      BOOST_TEST((why.errc() == Errc::not_permitted));
      BOOST_TEST(why.sentence().find("society key") != std::string::npos, why.sentence());
    }
  }
}

BOOST_AUTO_TEST_CASE(who_has_a_certificate_and_not_the_key_is_refused) {
  const TemporaryFolder folder;
  Authority authority(folder.path());
  AsioOptions certified;
  certified.tls = authority.issue({"ann", {"DNS:ann", "IP:127.0.0.1"}});
  Door called(with_keys(society_key), certified), calling(certified, with_keys(society_key));
  BOOST_TEST(!called.knock());
  BOOST_TEST(!calling.knock());
}

BOOST_AUTO_TEST_CASE(a_key_is_changed_while_the_society_runs) {
  const std::string both = std::string(another_key) + "," + society_key;
  Door old_to_new(with_keys(both), with_keys(society_key));
  BOOST_TEST(old_to_new.knock());
  Door new_to_old(with_keys(std::string(society_key) + "," + another_key), with_keys(both));
  BOOST_TEST(new_to_old.knock());
  Door too_early(with_keys(society_key), with_keys(both));
  BOOST_TEST(!too_early.knock());
}

void write_keys(const std::string& file, const std::string& text) {
  const std::string fresh = file + ".new";
  std::ofstream(fresh) << text;
  BOOST_TEST_REQUIRE(::chmod(fresh.c_str(), 0600) == 0);
  std::filesystem::rename(fresh, file);
}

BOOST_AUTO_TEST_CASE(a_key_file_is_read_again_and_who_has_a_removed_key_is_sent_away) {
  const TemporaryFolder folder;
  const std::string file = folder / "key";
  write_keys(file, society_key);
  std::vector<std::string> log;
  AsioOptions listening = with_keys(file);
  listening.log = [&log](const std::string& line) { log.push_back(line); };
  Door door(listening, with_keys(society_key));
  BOOST_TEST_REQUIRE(door.knock());

  // Keys that cannot be used change nothing.
  write_keys(file, "what we know");
  BOOST_TEST(door.bench.until([&] { return !log.empty(); }));
  BOOST_TEST(log.at(0).find("coracle keys --society-key") != std::string::npos, log.at(0));
  BOOST_TEST(log.at(0).find("what we know") == std::string::npos, log.at(0));
  BOOST_TEST(door.knock());
  BOOST_TEST(log.size() == 1u);

  // Both keys are valid; then the old one is not, and connections that were made with it end.
  write_keys(file, std::string(another_key) + "\n" + society_key);
  Door other(listening, with_keys(another_key));
  BOOST_TEST(other.knock());
  BOOST_TEST(door.knock());
  write_keys(file, another_key);
  const auto& guests = door.host.guests;
  BOOST_TEST(door.bench.until([&] {
    return std::all_of(guests.begin(), guests.end(), [](const auto& g) { return !!g->closed; });
  }));
  BOOST_TEST((guests[0]->closed->errc() == Errc::not_permitted));
  BOOST_TEST(!door.knock());
  BOOST_TEST(!other.host.guests[0]->closed.has_value());
}

// The part of a connection that others can see: the first bytes that a client sends.
std::vector<std::string> first_words(unsigned count) {
  boost::asio::io_context context;
  boost::asio::ip::tcp::acceptor acceptor(context, {boost::asio::ip::make_address("127.0.0.1"), 0});
  AsioBench bench(Endpoint::Scheme::tls, {}, with_keys(society_key));
  Endpoint there = bench.place();
  there.port = acceptor.local_endpoint().port();
  std::vector<std::string> all;
  for (unsigned i = 0; i < count; ++i) {
    Caller caller;
    const Endpoint places[] = {there};
    caller.attempt = bench.connecting().connect(places, 30s, caller);
    boost::asio::ip::tcp::socket socket(context);
    acceptor.non_blocking(true);
    boost::system::error_code error;
    bench.until([&] {
      (void)acceptor.accept(socket, error);
      return !error;
    });
    bench.until([&] { return socket.available() > 100; });
    std::string said(socket.available(), '\0');
    boost::asio::read(socket, boost::asio::buffer(said));
    all.push_back(said);
  }
  return all;
}

BOOST_AUTO_TEST_CASE(what_says_which_key_it_is_differs_each_time_and_tells_nothing) {
  const auto words = first_words(2);
  // 64 digits of which none are the same: they are not a name of the key.
  const auto name_in = [](const std::string& text) {
    for (std::size_t at = 0; at + 64 <= text.size(); ++at) {
      const std::string part = text.substr(at, 64);
      if (part.find_first_not_of("0123456789abcdef") == part.npos) return part;
    }
    return std::string();
  };
  BOOST_TEST_REQUIRE(name_in(words[0]).size() == 64u);
  BOOST_TEST(name_in(words[0]).substr(0, 32) != name_in(words[1]).substr(0, 32));
  BOOST_TEST(name_in(words[0]).substr(32) != name_in(words[1]).substr(32));
  BOOST_TEST(words[0].find(society_key) == std::string::npos);
  // Of the ways to use a key (an extension of kind 45, of two bytes: one way), the one with
  // Diffie-Hellman is offered.
  BOOST_TEST(words[0].find(std::string("\0\x2d\0\2\1\1", 6)) != std::string::npos);
}

// This holds even with a client that would do without: an attacker that learns the key later must
// not be able to read earlier traffic.
BOOST_AUTO_TEST_CASE(diffie_hellman_is_always_done) {
  Door door(with_keys(society_key), with_keys(society_key));
  namespace ssl = boost::asio::ssl;
  // The name of a key that was shown can be shown again: only the secret is proof.
  static std::string name;
  static SocietyKey::Derived secret, tag;
  const SocietyKey key = SocietyKey::parse(society_key).value();
  secret = key.derive("coracle tls", "lab");
  tag = key.derive("coracle tls name", "lab");
  const std::string salt(32, '7');
  name = salt;
  const SocietyKey::Derived proof = keyed_hash(tag, salt);
  for (const std::byte each : std::span(proof).first(16)) {
    char two[3];
    std::snprintf(two, sizeof two, "%02x", std::to_integer<unsigned>(each));
    name += two;
  }
  for (const bool with_it : {true, false}) {
    ssl::context context(ssl::context::tls_client);
    SSL_CTX* native = context.native_handle();
    SSL_CTX_set_min_proto_version(native, TLS1_3_VERSION);
    SSL_CTX_set_ciphersuites(native, "TLS_AES_128_GCM_SHA256");
    if (!with_it) SSL_CTX_set_options(native, SSL_OP_ALLOW_NO_DHE_KEX);
    SSL_CTX_set_psk_use_session_callback(
        native, [](SSL* client, const EVP_MD*, const unsigned char** id, std::size_t* size,
                   SSL_SESSION** session) {
          constexpr unsigned char cipher[] = {0x13, 0x01};
          *session = SSL_SESSION_new();
          SSL_SESSION_set1_master_key(*session,
                                      reinterpret_cast<const unsigned char*>(secret.data()), 32);
          SSL_SESSION_set_cipher(*session, SSL_CIPHER_find(client, cipher));
          SSL_SESSION_set_protocol_version(*session, TLS1_3_VERSION);
          *id = reinterpret_cast<const unsigned char*>(name.data());
          *size = name.size();
          return 1;
        });
    boost::asio::ip::tcp::socket socket(door.bench.context);
    socket.connect({boost::asio::ip::make_address("127.0.0.1"), door.listener->endpoint().port});
    ssl::stream<boost::asio::ip::tcp::socket&> stream(socket, context);
    std::optional<boost::system::error_code> done;
    stream.async_handshake(ssl::stream_base::client, [&](const auto& error) { done = error; });
    BOOST_TEST(door.bench.until([&] { return done.has_value(); }));
    BOOST_TEST(!*done);
    // Diffie-Hellman is done even if the client would do without.
    BOOST_TEST(SSL_get_negotiated_group(stream.native_handle()) != 0);
    SSL_SESSION* const session = SSL_get0_session(stream.native_handle());
    BOOST_TEST(session != nullptr);
  }
}

BOOST_AUTO_TEST_CASE(a_key_that_was_not_generated_is_refused) {
  boost::asio::io_context context;
  BOOST_CHECK_EXCEPTION(asio_network(context, steady_clock(), with_keys("what we know")), Error,
                        [](const Error& error) {
                          return error.errc() == Errc::bad_options &&
                                 error.sentence().find("--society-key") != std::string::npos;
                        });
}

BOOST_AUTO_TEST_CASE(plain_text_stays_on_this_host_unless_it_is_said_to_be_insecure) {
  AsioBench bench(Endpoint::Scheme::tcp);
  Host host;
  const Endpoint everywhere = Endpoint::parse("tcp://0.0.0.0:0").value();
  const auto refused = bench.listening().listen(everywhere, host);
  BOOST_TEST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().errc() == Errc::not_permitted));
  const Endpoint far[] = {Endpoint::parse("tcp://192.0.2.1:1").value()};
  Caller caller;
  caller.attempt = bench.connecting().connect(far, 30s, caller);
  BOOST_TEST(bench.until([&] { return caller.told > 0; }));
  BOOST_TEST_REQUIRE(caller.failure.has_value());
  BOOST_TEST((caller.failure->errc() == Errc::not_permitted));
  for (const char* choice : {"coracle keys --society-key", "tls=FOLDER", "insecure=yes"}) {
    BOOST_TEST(refused.error().sentence().find(choice) != std::string::npos, choice);
    BOOST_TEST(caller.failure->sentence().find(choice) != std::string::npos, choice);
  }
  AsioOptions insecure;
  insecure.insecure = true;
  AsioBench open(Endpoint::Scheme::tcp, insecure);
  BOOST_TEST(open.listening().listen(everywhere, host).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
