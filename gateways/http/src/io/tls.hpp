// TLS by OpenSSL: contexts of servers and clients, and one connection, whose bytes go directly to a
// socket that does not block.
#pragma once

#include "coracle/errors.hpp"
#include "coracle/http/tls_files.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

struct ssl_ctx_st;
struct ssl_st;

namespace coracle::http {

struct FreeTls {
  void operator()(ssl_ctx_st* context) const noexcept;
  void operator()(ssl_st* connection) const noexcept;
};
using TlsContext = std::shared_ptr<ssl_ctx_st>;

// Makes the context of a server. Fails with Errc::bad_options, Errc::not_permitted (others may read
// the file of the key).
TlsContext server_context(const ServerTls& files);
// Makes the context of a client, which accepts certificates of the authorities in the file, or of
// those that the system trusts. Fails likewise.
TlsContext client_context(const ClientTls& files);

// The result of a step on a connection.
struct Moved {
  enum class Status : unsigned char {
    done,
    wait_read,   // nothing is possible before the socket can be read
    wait_write,  // … or written
    ended,       // the peer sends nothing more
    failed
  };
  Status status;
  std::size_t bytes = 0;
};

// One TLS connection.
class Tls {
 public:
  // A server's side.
  Tls(ssl_ctx_st* context, int socket);
  // A client's side: the certificate of the server must name `host`.
  Tls(ssl_ctx_st* context, int socket, const std::string& host);
  ~Tls();

  Moved read(std::span<char> into);
  Moved write(std::string_view bytes);
  // Goes on with the handshake; done when it is over.
  Moved handshake();
  // Tells the peer that nothing more is sent.
  void shut_down() noexcept;
  // Returns whether bytes of the peer are held here, of which the socket does not tell.
  bool has_pending() const noexcept;
  // The subject of the peer's certificate, if it was verified; else empty. Fails with
  // Errc::too_large if it is longer than 1000 bytes.
  std::string peer_subject() const;
  // The reason why something failed.
  std::string failure() const;

 private:
  Moved moved(int result);

  std::unique_ptr<ssl_st, FreeTls> ssl_;
  unsigned long error_ = 0;
};

}  // namespace coracle::http
