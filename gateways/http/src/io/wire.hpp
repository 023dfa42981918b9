// The bytes of one connection, plain or with TLS. Nothing here blocks.
#pragma once

#include "io/output.hpp"
#include "io/tls.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string>

namespace coracle::http {

class Wire {
 public:
  using Socket = boost::asio::ip::tcp::socket;

  explicit Wire(Socket socket);
  ~Wire();
  Wire(const Wire&) = delete;

  // From now on all bytes are encrypted; `host` is that of the server, for a client.
  void encrypt(ssl_ctx_st* context, const std::string* host = nullptr);
  bool is_encrypted() const noexcept { return tls_.has_value(); }

  // Reads some bytes.
  Moved read(std::span<char> into);
  // Writes as much as is possible; done when the output is empty. The bytes that were written are
  // dropped from it, and their number is the result's.
  Moved write(Output& output);
  // Goes on with the handshake of TLS; done when it is over.
  Moved handshake();
  // Tells the peer that nothing more is sent.
  void shut_down() noexcept;
  // Closes; waits end.
  void close() noexcept;
  bool is_open() const noexcept { return socket_.is_open(); }
  // Returns whether bytes of the peer are here, of which the socket does not tell.
  bool has_pending() const noexcept { return tls_ && tls_->has_pending(); }
  // The subject of the peer's certificate, if it was verified; else empty. Fails with
  // Errc::too_large.
  std::string peer_subject() const { return tls_ ? tls_->peer_subject() : std::string(); }
  // The reason why something failed.
  std::string failure() const;
  Socket& socket() noexcept { return socket_; }

 private:
  Moved write_some(const Output& output);

  Socket socket_;
  std::optional<Tls> tls_;
  boost::system::error_code error_;
};

}  // namespace coracle::http
