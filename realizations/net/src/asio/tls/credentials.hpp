// The means by which a node proves over TLS that it belongs to its society, and the proof that it
// demands of others: certificates, or the society key. Both are files, or come from a file, and
// change while a node runs. New connections use the current files, and connections that these would
// no longer admit are closed.
#pragma once

#include "realizations/net/src/asio/asio_network.hpp"
#include "tls.hpp"

#include "coracle/result.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::net {

struct Shared;

// A TLS connection, for as long as it lives.
class Guarded {
 public:
  // Closes the connection unless its peer would still be admitted.
  virtual void judge() = 0;

 protected:
  ~Guarded() = default;
};

class Credentials {
 public:
  // Uses certificates when there are some, else the key. Throws as asio_network() does.
  explicit Credentials(const AsioOptions& options);

  // Returns the context for the next connection. Each connection keeps its own context alive.
  boost::asio::ssl::context& context() { return *context_; }
  bool is_by_key() const { return files_.certificate.empty(); }

  // Returns whether there are files that may change.
  bool has_files() const { return !states_.empty(); }
  // Returns for how many more whole days the certificate is good; nothing without one.
  std::optional<std::uint64_t> days_left() const;
  // Reads what has changed since the last look; returns false when nothing has. Files that cannot
  // be used change nothing, and are noted in the log. Fails with Errc::bad_options, not_permitted.
  Result<bool> refresh();

  // Called when the handshake of `ssl` is done: notes in `peer` what the handshake proves. Returns
  // the reason when it proves nothing.
  std::optional<std::string> prove(SSL* ssl, Peer& peer) const;
  // Returns the reason why the peer of `ssl` would not be admitted now; nothing when it would be.
  std::optional<std::string> objection(SSL* ssl) const;
  // Returns why the handshake failed, and what to do.
  std::string failure(TlsStream& stream, const error_code& error) const;

 private:
  // The properties of a file that are seen without opening it.
  struct FileState {
    std::uint64_t node = 0, size = 0;
    std::int64_t seconds = 0, nanoseconds = 0;
    friend bool operator==(const FileState&, const FileState&) = default;
  };

  std::vector<FileState> look() const;
  void read();
  void look_at_clock();

  TlsFiles files_;
  std::optional<KeySource> keys_;
  std::function<void(const std::string&)> log_;
  std::vector<FileState> states_;       // the list of revoked certificates comes last
  bool has_list_ = false;               // the credentials in use include that list
  std::int64_t ends_ = 0;               // end of the certificate, in seconds since 1970
  int warned_ = 0;                      // the last warning about that end
  std::optional<Error> unusable_ = {};  // the reason why the newest files are not in use
  std::optional<boost::asio::ssl::context> context_;
};

// Refreshes the credentials of `shared` as long as it lives.
void keep_fresh(const std::shared_ptr<Shared>& shared);
// Reads them now, as Network::read_keys_again() describes.
Result<bool> read_keys_again(const std::shared_ptr<Shared>& shared);

}  // namespace coracle::net
