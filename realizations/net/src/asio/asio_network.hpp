// Bytes over the machine's sockets: tcp://, tls:// and unix:// endpoints, in an Asio context that
// the caller runs.
#pragma once

#include "realizations/net/src/byte_network.hpp"
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

// The PEM files of a node's identity. Both sides of a tls:// connection show a certificate.
struct TlsFiles {
  std::string certificate;  // the node's own, then those between it and the authority
  std::string key;          // only its owner may read this file (0600)
  std::string authorities;  // the only signers of certificates that are trusted
  // The signers' lists of revoked certificates; an empty path, or a missing file, means none.
  std::string revoked;
};

// Returns the files that `coracle keys` makes, in that folder: node.pem, node.key, authority.pem,
// and crl.pem once something has been revoked.
TlsFiles tls_files_in(const std::string& folder);
// Returns the name that a certificate has for a node of that society: N of its URI
// coracle://society/N. Throws Errc::bad_options when it has none, cannot be read, is not yet valid
// or has expired.
std::string certified_node(const TlsFiles& files, const std::string& society);
// Returns when that certificate expires, in seconds since 1970. Throws Errc::bad_options.
std::int64_t certificate_end(const TlsFiles& files);
// Returns seconds since 1970 as a date: "2026-11-26".
std::string date_text(std::int64_t seconds);

// Settings of the sockets.
struct AsioOptions {
  // tls:// endpoints need one of these two; without both, they are Errc::unsupported. With both,
  // the certificates are used as the proof.
  std::optional<TlsFiles> tls;
  std::optional<KeySource> keys;
  // The interval at which the files are checked for changes, and the receiver of log lines, for
  // example when files cannot be used.
  Duration look_again = std::chrono::seconds(2);
  std::function<void(const std::string&)> log;
  // True if tcp:// endpoints may lead beyond this host, where others can read and change what is
  // sent.
  bool insecure = false;
  // The time for which written bytes may stay unacknowledged before the system closes the
  // connection.
  Duration user_timeout = std::chrono::seconds(10);
  // The time that a client may take to prove its identity, and the number of clients that may be
  // doing so at once; when one more comes, the one that has taken longest is disconnected. The same
  // number may have sent nothing yet.
  Duration handshake = std::chrono::seconds(4);
  std::size_t handshakes = 256;
  // The time for which a closed connection waits for its peer to take the rest, and the number of
  // connections that may wait so at once; any further connection is closed as the system does it.
  Duration linger = std::chrono::seconds(2);
  std::size_t lingering = 1024;
  // The pause before accepting again when the system has no descriptors left.
  Duration accept_pause = std::chrono::milliseconds(100);
  // True if processes of other users may connect to a Unix socket.
  bool other_users = false;
  // True if processes that meet at a Unix socket may continue through shared memory, if both want
  // that.
  bool shared_memory = true;
};

// Returns why nothing is sent to `there` in plain text, and what to do.
std::string plain_text_is_refused(const Endpoint& there);

// Creates a network whose events come on the thread that runs `context`. Both references outlive
// it. Throws Errc::bad_options when a TLS file or a key cannot be used, Errc::not_permitted when
// others may read a file of secrets.
std::unique_ptr<Network> asio_network(boost::asio::io_context& context, const Clock& clock,
                                      AsioOptions options = {});

// Returns the descriptor at which an Asio context waits for its sockets and timers; negative where
// Asio does not wait at one descriptor. A program's own loop may wait there instead; it is not told
// of what other threads post to the context.
int descriptor_of(boost::asio::io_context& context) noexcept;

}  // namespace coracle::net
