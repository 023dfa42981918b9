#include "realizations/net/src/asio/memory_offer.hpp"
#include "realizations/net/src/asio/sockets.hpp"
#include "support/asio_bench.hpp"
#include "support/side.hpp"

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/test/unit_test.hpp>

#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace coracle::net::test {
namespace {

using namespace std::chrono_literals;
using Scheme = Endpoint::Scheme;

BOOST_AUTO_TEST_SUITE(asio_network)

BOOST_AUTO_TEST_CASE(tcp_keeps_the_contract) {
  prove_all([] { return std::make_unique<AsioBench>(Scheme::tcp); });
}

std::unique_ptr<AsioBench> unix_bench(bool listening_shares, bool connecting_shares) {
  AsioOptions listening, connecting;
  listening.shared_memory = listening_shares;
  connecting.shared_memory = connecting_shares;
  return std::make_unique<AsioBench>(Scheme::unix_socket, listening, connecting);
}

BOOST_AUTO_TEST_CASE(unix_sockets_keep_the_contract) {
  prove_all([] { return unix_bench(false, false); });
}

BOOST_AUTO_TEST_CASE(shared_memory_keeps_the_contract) {
  prove_all([] { return unix_bench(true, true); });
}

BOOST_AUTO_TEST_CASE(where_one_does_not_want_to_share_memory_both_keep_the_contract) {
  prove_all([] { return unix_bench(false, true); });
  prove_all([] { return unix_bench(true, false); });
}

std::ptrdiff_t open_descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

// The message has room for one descriptor, but the system delivers two.
BOOST_AUTO_TEST_CASE(of_two_descriptors_none_is_taken_and_none_stays_open) {
  boost::asio::io_context context;
  int ends[2], offered[2];
  BOOST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  Socket here(context, boost::asio::generic::stream_protocol(AF_UNIX, 0), ends[0]);
  for (int& each : offered) each = SharedMemory::make()->descriptor;
  char word[] = {'\xcc', 'C', 'R', 'C', 'L', 'w', 'd', 'm'};
  iovec words{word, sizeof word};
  alignas(cmsghdr) char room[CMSG_SPACE(sizeof offered)] = {};
  msghdr message{};
  message.msg_iov = &words;
  message.msg_iovlen = 1;
  message.msg_control = room;
  message.msg_controllen = sizeof room;
  cmsghdr* const control = CMSG_FIRSTHDR(&message);
  control->cmsg_level = SOL_SOCKET;
  control->cmsg_type = SCM_RIGHTS;
  control->cmsg_len = CMSG_LEN(sizeof offered);
  std::memcpy(CMSG_DATA(control), offered, sizeof offered);
  BOOST_REQUIRE(::sendmsg(ends[1], &message, 0) == static_cast<ssize_t>(sizeof word));
  const auto before = open_descriptors();
  BOOST_TEST((hear_first_word(here) == FirstWord::offer));
  BOOST_TEST(!take_offer(here, true).has_value());
  BOOST_TEST(open_descriptors() == before);
  char answer = 1;
  BOOST_TEST(::recv(ends[1], &answer, 1, 0) == 1);
  BOOST_TEST(static_cast<int>(answer) == 0);
  for (const int each : {offered[0], offered[1], ends[1]}) ::close(each);
}

BOOST_AUTO_TEST_CASE(connections_that_are_looked_at_keep_the_contract) {
  for (const Scheme scheme : {Scheme::tcp, Scheme::unix_socket}) {
    for (const bool shares : {false, true}) {
      prove_all([scheme, shares] {
        AsioOptions options;
        options.shared_memory = shares;
        auto bench = std::make_unique<AsioBench>(scheme, options, options);
        bench->looks = true;
        return bench;
      });
    }
  }
}

BOOST_AUTO_TEST_CASE(tls_keeps_the_contract) {
  const TemporaryFolder folder;
  Authority authority(folder.path());
  const TlsFiles ann = authority.issue({"ann", {"DNS:ann", "IP:127.0.0.1"}});
  const TlsFiles bob = authority.issue({"bob", {"URI:coracle://bob"}});
  prove_all([&] {
    AsioOptions listening, connecting;
    listening.tls = ann;
    connecting.tls = bob;
    return std::make_unique<AsioBench>(Scheme::tls, listening, connecting);
  });
}

BOOST_AUTO_TEST_CASE(a_host_name_is_tried_at_all_its_addresses) {
  AsioBench bench(Scheme::tcp);
  Host host;
  const auto listener = bench.listening().listen(bench.place(), host).value();
  Endpoint there = listener->endpoint();
  there.host = "localhost";  // may be ::1 first, where nobody listens
  Caller caller;
  caller.attempt = bench.connecting().connect(std::span(&there, 1), 30s, caller);
  BOOST_TEST(bench.until([&] { return caller.told > 0; }));
  BOOST_TEST(caller.side != nullptr);
}

BOOST_AUTO_TEST_CASE(ipv6_works_where_the_machine_has_it) {
  AsioBench bench(Scheme::tcp);
  Host host;
  auto listening = bench.listening().listen(Endpoint::parse("tcp://[::1]:0").value(), host);
  if (!listening) {
    BOOST_TEST_MESSAGE("no IPv6 here: " << listening.error().what());
    return;
  }
  const Endpoint there = (*listening)->endpoint();
  BOOST_TEST(there.host == "::1");
  BOOST_TEST(there.port != 0);
  Caller caller;
  caller.attempt = bench.connecting().connect(std::span(&there, 1), 30s, caller);
  BOOST_TEST(bench.until([&] { return caller.told > 0 && !host.guests.empty(); }));
  BOOST_REQUIRE(caller.side != nullptr);
  BOOST_TEST(host.guests[0]->connection->peer().address.starts_with("tcp://[::1]:"));
}

BOOST_AUTO_TEST_CASE(a_name_that_does_not_exist_is_unreachable) {
  AsioBench bench(Scheme::tcp);
  const Endpoint there = Endpoint::parse("tcp://no-such-host.invalid:1").value();
  Caller caller;
  caller.attempt = bench.connecting().connect(std::span(&there, 1), 60s, caller);
  BOOST_TEST(bench.until([&] { return caller.told > 0; }));
  BOOST_REQUIRE(caller.failure.has_value());
  BOOST_TEST(
      (caller.failure->errc() == Errc::unreachable || caller.failure->errc() == Errc::expired));
}

BOOST_AUTO_TEST_CASE(a_unix_socket_is_private_and_goes_with_its_listener) {
  AsioBench bench(Scheme::unix_socket);
  Host host;
  auto listener = bench.listening().listen(bench.place(), host).value();
  const std::string path = listener->endpoint().path;
  struct stat status {};
  BOOST_REQUIRE(::lstat(path.c_str(), &status) == 0);
  BOOST_TEST(S_ISSOCK(status.st_mode));
  BOOST_TEST((status.st_mode & 0777) == 0600u);
  Caller caller;
  const Endpoint there = listener->endpoint();
  caller.attempt = bench.connecting().connect(std::span(&there, 1), 30s, caller);
  BOOST_REQUIRE(bench.until([&] { return caller.side && !host.guests.empty(); }));
  BOOST_TEST(host.guests[0]->connection->peer().user == ::geteuid());
  BOOST_TEST(caller.side->connection->peer().user == ::geteuid());
  listener.reset();
  BOOST_TEST(::lstat(path.c_str(), &status) != 0);
}

BOOST_AUTO_TEST_CASE(a_socket_that_a_dead_process_left_is_replaced_but_nothing_else_is) {
  AsioBench bench(Scheme::unix_socket);
  Host host;
  const Endpoint left = bench.place();
  {
    boost::asio::local::stream_protocol::acceptor dead(
        bench.context, boost::asio::local::stream_protocol::endpoint(left.path));
  }
  BOOST_TEST(bench.listening().listen(left, host).has_value());
  const Endpoint file = bench.place();
  std::ofstream(file.path) << "precious";
  const auto refused = bench.listening().listen(file, host);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().errc() == Errc::cannot_listen));
  std::string kept;
  std::ifstream(file.path) >> kept;
  BOOST_TEST(kept == "precious");
}

BOOST_AUTO_TEST_CASE(a_tcp_connection_waits_neither_for_more_bytes_nor_for_ever) {
  boost::asio::io_context context;
  using boost::asio::ip::tcp;
  tcp::acceptor acceptor(context, {boost::asio::ip::make_address("127.0.0.1"), 0});
  Socket socket(context);
  socket.connect(acceptor.local_endpoint());
  prepare(socket, AsioOptions{});
  tcp::no_delay no_delay;
  boost::asio::detail::socket_option::integer<IPPROTO_TCP, TCP_USER_TIMEOUT> user_timeout;
  socket.get_option(no_delay);
  socket.get_option(user_timeout);
  BOOST_TEST(no_delay.value());
  BOOST_TEST(user_timeout.value() == 10'000);
}

BOOST_AUTO_TEST_CASE(where_nobody_can_listen_is_said) {
  AsioOptions anywhere;
  anywhere.insecure = true;
  AsioBench bench(Scheme::tcp, anywhere);
  Host host;
  for (const char* text : {"tcp://192.0.2.1:1", "unix:///no/such/folder/socket"}) {
    const auto refused = bench.listening().listen(Endpoint::parse(text).value(), host);
    BOOST_REQUIRE(!refused);
    BOOST_TEST((refused.error().errc() == Errc::cannot_listen));
  }
  const auto refused = bench.listening().listen(Endpoint::parse("tls://127.0.0.1:0").value(), host);
  BOOST_TEST((refused.error().errc() == Errc::unsupported));
}

// The older node closes on bytes that it does not understand; then no offer is sent.
BOOST_AUTO_TEST_CASE(an_older_node_is_connected_to_as_it_wants_it) {
  AsioBench bench(Scheme::unix_socket);
  const Endpoint there = bench.place();
  using boost::asio::local::stream_protocol;
  stream_protocol::acceptor older(bench.context, stream_protocol::endpoint(there.path));
  stream_protocol::socket first(bench.context), second(bench.context);
  std::array<char, 100> words{};
  older.async_accept(first, [&](const error_code&) {
    first.async_read_some(boost::asio::buffer(words), [&](const error_code&, std::size_t) {
      first.close();
      older.async_accept(second, [](const error_code&) {});
    });
  });
  Caller caller;
  caller.attempt = bench.connecting().connect(std::span(&there, 1), 30s, caller);
  BOOST_TEST_REQUIRE(bench.until([&] { return caller.side != nullptr && second.is_open(); }));
  caller.side->write("HELLO");
  BOOST_TEST(bench.until([&] { return caller.side->written == 1; }));
  const std::size_t bytes = second.read_some(boost::asio::buffer(words));
  BOOST_TEST(std::string_view(words.data(), bytes) == "HELLO");
}

// Connects to a listener on `bench` and sends `words`; returns the side that is accepted then.
Side& stranger_saying(std::string_view words, AsioBench& bench, Host& host,
                      boost::asio::local::stream_protocol::socket& stranger, Listener& listener) {
  stranger.connect(boost::asio::local::stream_protocol::endpoint(listener.endpoint().path));
  stranger.write_some(boost::asio::buffer(words));
  BOOST_TEST_REQUIRE(bench.until([&] { return !host.guests.empty(); }));
  return *host.guests[0];
}

BOOST_AUTO_TEST_CASE(what_an_older_node_says_first_is_no_offer) {
  AsioBench bench(Scheme::unix_socket);
  Host host;
  const auto listener = bench.listening().listen(bench.place(), host).value();
  boost::asio::local::stream_protocol::socket older(bench.context);
  Side& guest = stranger_saying("HELLO there", bench, host, older, *listener);
  guest.keep_reading();
  BOOST_TEST(bench.until([&] { return guest.received == "HELLO there"; }));
}

BOOST_AUTO_TEST_CASE(an_offer_without_memory_is_declined) {
  AsioBench bench(Scheme::unix_socket);
  Host host;
  const auto listener = bench.listening().listen(bench.place(), host).value();
  boost::asio::local::stream_protocol::socket stranger(bench.context);
  Side& guest = stranger_saying(
      "\xcc"
      "CRCLwdm",
      bench, host, stranger, *listener);
  char answer = 7;
  stranger.read_some(boost::asio::buffer(&answer, 1));
  BOOST_TEST(answer == 0);
  stranger.write_some(boost::asio::buffer("go on", 5));
  guest.keep_reading();
  BOOST_TEST(bench.until([&] { return guest.received == "go on"; }));
}

BOOST_AUTO_TEST_CASE(who_says_nothing_at_a_unix_socket_is_sent_away) {
  AsioOptions options;
  options.handshake = 20ms;
  AsioBench bench(Scheme::unix_socket, options);
  Host host;
  const auto listener = bench.listening().listen(bench.place(), host).value();
  boost::asio::local::stream_protocol::socket stranger(bench.context);
  stranger.connect(boost::asio::local::stream_protocol::endpoint(listener->endpoint().path));
  BOOST_TEST(bench.until([&] { return !host.refused.empty(); }));
  BOOST_TEST((host.refused.at(0).errc() == Errc::expired));
  BOOST_TEST(host.guests.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
