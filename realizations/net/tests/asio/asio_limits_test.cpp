// The sockets' behaviour when the system or another user gets in the way.
#include "support/asio_bench.hpp"
#include "support/side.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/test/unit_test.hpp>

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <vector>

namespace coracle::net::test {
namespace {

using Scheme = Endpoint::Scheme;

// Connects to a Unix socket as another user, in a process of its own; returns its id.
pid_t connect_as_nobody(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::copy(path.begin(), path.end(), address.sun_path);
  const pid_t child = ::fork();
  if (child != 0) return child;
  const int file = ::socket(AF_UNIX, SOCK_STREAM, 0);
  char byte = 0;
  const bool connected =
      ::setgid(65534) == 0 && ::setuid(65534) == 0 &&
      ::connect(file, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::_exit(connected && ::read(file, &byte, 1) <= 0 ? 0 : 1);  // waits until the server disconnects
}

BOOST_AUTO_TEST_SUITE(asio_limits)

BOOST_AUTO_TEST_CASE(another_user_is_not_let_in_at_a_unix_socket) {
  if (::geteuid() != 0) {
    BOOST_TEST_MESSAGE("only root can become another user");
    return;
  }
  AsioBench bench(Scheme::unix_socket);
  Host host;
  const auto listener = bench.listening().listen(bench.place(), host).value();
  const std::string path = listener->endpoint().path;
  BOOST_REQUIRE(::chmod(bench.folder.path().c_str(), 0755) == 0);
  BOOST_REQUIRE(::chmod(path.c_str(), 0666) == 0);  // the mode is one lock; here is the other
  const pid_t child = connect_as_nobody(path);
  BOOST_TEST(bench.until([&] { return !host.refused.empty() || !host.guests.empty(); }));
  BOOST_TEST(host.guests.empty());
  host.guests.clear();
  int status = -1;
  BOOST_TEST(::waitpid(child, &status, 0) == child);
  BOOST_TEST(status == 0);
  BOOST_REQUIRE(host.refused.size() == 1);
  BOOST_TEST((host.refused[0].errc() == Errc::not_permitted));
  BOOST_TEST(host.refused[0].sentence().find("65534") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(without_descriptors_accepting_waits_and_goes_on_later) {
  AsioBench bench(Scheme::tcp);
  Host host;
  const auto listener = bench.listening().listen(bench.place(), host).value();
  boost::asio::ip::tcp::socket socket(bench.context, boost::asio::ip::tcp::v4());
  rlimit before{};
  BOOST_REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  const int next = ::dup(socket.native_handle());
  ::close(next);
  rlimit none = before;
  none.rlim_cur = static_cast<rlim_t>(next);
  BOOST_REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);
  socket.connect({boost::asio::ip::make_address("127.0.0.1"), listener->endpoint().port});
  const bool refused = bench.until([&] { return !host.refused.empty(); });
  bench.context.poll();
  const std::size_t refusals = host.refused.size();
  BOOST_REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
  BOOST_REQUIRE(refused);
  BOOST_TEST(refusals == 1u, "it tries again and again");
  BOOST_TEST((host.refused[0].errc() == Errc::limit_reached));
  BOOST_TEST(bench.until([&] { return !host.guests.empty(); }));
}

BOOST_AUTO_TEST_CASE(only_so_many_closed_connections_wait_for_their_peers) {
  AsioOptions options;
  options.lingering = 1;
  AsioBench bench(Scheme::tcp, options);
  Host host;
  const auto listener = bench.listening().listen(bench.place(), host).value();
  std::vector<boost::asio::ip::tcp::socket> peers;
  for (int i = 0; i < 3; ++i) {
    peers.emplace_back(bench.context);
    peers.back().connect({boost::asio::ip::make_address("127.0.0.1"), listener->endpoint().port});
  }
  BOOST_REQUIRE(bench.until([&] { return host.guests.size() == 3; }));
  const auto open_files = [] {
    const auto all = std::filesystem::directory_iterator("/proc/self/fd");
    return std::distance(begin(all), end(all));
  };
  const auto before = open_files();
  for (const auto& guest : host.guests) guest->connection->close();
  BOOST_TEST(before - open_files() == 2);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
