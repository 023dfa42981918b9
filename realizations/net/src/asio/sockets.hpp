// Shared by the files of the Asio network: its kinds of sockets, and how they are set up and named.
#pragma once

#include "asio_network.hpp"
#include "realizations/net/src/asio/busy_connections.hpp"
#include "realizations/net/src/asio/tls/credentials.hpp"
#include "realizations/net/src/shared_memory/shared_memory.hpp"

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace coracle::net {

using SocketAddress = Protocol::endpoint;
using Timer = boost::asio::basic_waitable_timer<
    std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>, Executor>;

// The state that one network's listeners, attempts and connections share; lives as long as any of
// them.
struct Shared {
  boost::asio::io_context& context;
  const Clock& clock;
  AsioOptions options;
  BusyConnections busy_connections = {};
  std::size_t lingering = 0;  // closed connections whose peers have not taken the rest
  std::optional<Credentials> credentials = {};  // tls:// endpoints need them
  std::set<Guarded*> guarded = {};              // the TLS connections
  std::optional<Timer> look_again = {};         // at the files of the credentials
};
using SharedPtr = std::shared_ptr<Shared>;

// Sets the options that every TCP connection has: no waiting for more bytes, and a limit to waiting
// for acknowledgements. A socket of another kind is left as it is.
void prepare(Socket& socket, const AsioOptions& options);
// The text of an address: tcp://192.0.2.7:80, unix:///run/node.
std::string address_text(const SocketAddress& address, Endpoint::Scheme scheme);
// Returns whether everything that is sent to `address` stays on this host.
bool stays_on_this_host(const SocketAddress& address);
// Returns the peer at the other end of a socket, with its user if the socket is a Unix one.
Peer peer_of(const Socket& socket, Endpoint::Scheme scheme);

std::unique_ptr<Connection> plain_connection(SharedPtr shared, Socket socket, Peer peer);
// Takes over from `stream`, whose handshake is done; `stream` cannot be used any more.
std::unique_ptr<Connection> tls_connection(SharedPtr shared, TlsStream& stream, Peer peer);
// Makes a connection through `memory`, which this process has created or been given; `socket`
// connects the two processes.
std::unique_ptr<Connection> shared_connection(SharedPtr shared, Socket socket, SharedMemory memory,
                                              bool is_maker, Peer peer);
// Returns the error that informs a connection's user of its end.
Error ended(const Peer& peer, const error_code& error);
Result<std::unique_ptr<Listener>> make_listener(SharedPtr shared, const Endpoint& at,
                                                ListenEvents& events);
std::unique_ptr<Attempt> make_attempt(SharedPtr shared, std::vector<Endpoint> endpoints, Time until,
                                      ConnectEvents& events);

}  // namespace coracle::net
