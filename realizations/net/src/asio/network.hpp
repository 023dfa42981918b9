// Bytes over the machine's sockets: tcp://, tls:// and unix:// endpoints, in an Asio context that
// somebody else runs.
#pragma once

#include "realizations/net/src/network.hpp"
#include "realizations/net/src/society_key.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace boost::asio {
class io_context;
}

namespace coracle::net {

// Where a node's proof of identity is, as PEM files. Both sides of a tls:// connection show one.
struct TlsFiles {
  std::string certificate;  // its own, then those between it and the authority
  std::string key;          // nobody but its owner may read this file (0600)
  std::string authorities;  // who signs the certificates that are believed; nobody else is asked
  // Their lists of certificates that are not good any more; empty, or no such file: none.
  std::string revoked;
};

// The files that `coracle keys` makes, in that folder: node.pem, node.key, authority.pem, and
// crl.pem once something has been revoked.
TlsFiles tls_files_in(const std::string& folder);
// The name that a certificate has for a node of that society: N of its URI coracle://society/N.
// Throws Errc::bad_options when it has none, cannot be read, is not good yet or not any more.
std::string certified_node(const TlsFiles& files, const std::string& society);
// When that certificate expires, in seconds since 1970. Throws Errc::bad_options.
std::int64_t certificate_end(const TlsFiles& files);
// "2026-11-26", of seconds since 1970.
std::string date_text(std::int64_t seconds);

// Settings of the sockets.
struct AsioOptions {
  // What tls:// endpoints need, one of the two; without, they are Errc::unsupported. With both, it
  // is the certificates that prove.
  std::optional<TlsFiles> tls;
  std::optional<KeySource> keys;
  // How long a change of their files may go unseen, and who is told when it cannot be used.
  Duration look_again = std::chrono::seconds(2);
  std::function<void(const std::string&)> log;
  // Whether tcp:// endpoints may lead beyond this host, where others can read and change what is
  // sent.
  bool insecure = false;
  // How long written bytes may stay unacknowledged before the system gives the connection up.
  Duration user_timeout = std::chrono::seconds(10);
  // How long a stranger may take to prove who it is, and how many may be at it at once; one more,
  // and the one that has taken longest is sent away. As many may have said nothing yet.
  Duration handshake = std::chrono::seconds(4);
  std::size_t handshakes = 256;
  // How long a closed connection waits for its peer to take the rest, and how many may do so at
  // once; one more is closed as the system does it.
  Duration linger = std::chrono::seconds(2);
  std::size_t lingering = 1024;
  // How long to wait before accepting again when the system has no descriptors left.
  Duration accept_pause = std::chrono::milliseconds(100);
  // Whether processes of other users may come in by a Unix socket.
  bool other_users = false;
  // Whether processes that meet at a Unix socket go on through memory that they share, if both want
  // that.
  bool shared_memory = true;
};

// Why nothing goes there in plain text, and what to do.
std::string plain_text_is_refused(const Endpoint& there);

// Makes one whose events come from whoever runs `context`. Both references outlive it. Throws
// Errc::bad_options when a TLS file or a key cannot be used, Errc::not_permitted when others may
// read a file of secrets.
std::unique_ptr<Network> asio_network(boost::asio::io_context& context, const Clock& clock,
                                      AsioOptions options = {});

}  // namespace coracle::net
