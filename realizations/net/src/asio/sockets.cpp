#include "realizations/net/src/asio/sockets.hpp"

#include "coracle/support/loopback.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/socket_base.hpp>

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cstring>

namespace coracle::net {

void prepare(Socket& socket, const AsioOptions& options) {
  error_code ignored;
  const auto address = socket.local_endpoint(ignored);
  const int family = address.protocol().family();
  if (ignored || (family != AF_INET && family != AF_INET6)) return;
  using boost::asio::detail::socket_option::integer;
  const auto timeout =
      std::chrono::duration_cast<std::chrono::milliseconds>(options.user_timeout).count();
  socket.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
  socket.set_option(boost::asio::socket_base::keep_alive(true), ignored);
  socket.set_option(integer<IPPROTO_TCP, TCP_USER_TIMEOUT>(static_cast<int>(timeout)), ignored);
}

std::string address_text(const SocketAddress& address, Endpoint::Scheme scheme) {
  Endpoint endpoint;
  endpoint.scheme = scheme;
  if (scheme == Endpoint::Scheme::unix_socket) {
    boost::asio::local::stream_protocol::endpoint local;
    std::memcpy(local.data(), address.data(), std::min(local.capacity(), address.size()));
    local.resize(address.size());
    endpoint.path = local.path();
  } else {
    boost::asio::ip::tcp::endpoint ip;
    if (address.size() > ip.capacity()) return endpoint.text();
    std::memcpy(ip.data(), address.data(), address.size());
    endpoint.host = ip.address().to_string();
    endpoint.port = ip.port();
  }
  return endpoint.text();
}

bool stays_on_this_host(const SocketAddress& address) {
  const int family = address.protocol().family();
  if (family != AF_INET && family != AF_INET6) return true;
  boost::asio::ip::tcp::endpoint ip;
  if (address.size() > ip.capacity()) return false;
  std::memcpy(ip.data(), address.data(), address.size());
  return detail::is_loopback(ip.address().to_string());
}

std::string plain_text_is_refused(const Endpoint& there) {
  return there.text() +
         " leaves this host, where others can read and change what is sent; give a society key "
         "(coracle keys --society-key, then CORACLE_KEY or key=...), or certificates (coracle "
         "keys, then CORACLE_TLS or tls=FOLDER), or set insecure=yes (for a server, --insecure)";
}

Peer peer_of(const Socket& socket, Endpoint::Scheme scheme) {
  Peer peer;
  error_code error;
  if (scheme == Endpoint::Scheme::unix_socket) {
    ucred who{};
    socklen_t size = sizeof who;
    // NOLINTNEXTLINE: Asio has no name for this option
    const int handle = const_cast<Socket&>(socket).native_handle();
    if (::getsockopt(handle, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0) {
      peer.proof = Peer::Proof::user;
      peer.user = who.uid;
    }
    const auto local = socket.local_endpoint(error);
    if (!error) peer.address = address_text(local, scheme);
    if (peer.address == "unix://")
      peer.address = address_text(socket.remote_endpoint(error), scheme);
    return peer;
  }
  const auto remote = socket.remote_endpoint(error);
  Endpoint unknown;
  unknown.scheme = scheme;
  unknown.host = "unknown";
  peer.address = error ? unknown.text() : address_text(remote, scheme);
  peer.is_on_this_host = !error && stays_on_this_host(remote);
  return peer;
}

}  // namespace coracle::net
