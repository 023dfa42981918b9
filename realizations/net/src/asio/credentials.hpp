// By what a node proves over TLS that it belongs to its society, and what it asks of others:
// certificates, or the society's key. Both are files, or come from one, that change while a node
// runs; new connections go by what there is now, and those that would not be let in any more end.
#pragma once

#include "realizations/net/src/asio/network.hpp"
#include "realizations/net/src/asio/tls.hpp"

#include "coracle/result.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::net {

struct Shared;

// A connection by TLS, as long as it lives.
class Guarded {
 public:
  // Ends unless its peer would still be let in.
  virtual void judge() = 0;

 protected:
  ~Guarded() = default;
};

class Credentials {
 public:
  // With certificates when there are some, else with the key. Throws as asio_network() says.
  explicit Credentials(const AsioOptions& options);

  // For the next connection. Each keeps its own alive.
  boost::asio::ssl::context& context() { return *context_; }
  bool is_by_key() const { return files_.certificate.empty(); }

  // Whether there is something that may change.
  bool has_files() const { return !marks_.empty(); }
  // Reads what has changed since; false when nothing has. What cannot be used changes nothing, and
  // is noted in the log. Fails with Errc::bad_options, not_permitted.
  Result<bool> refresh();

  // The handshake of `ssl` is done: notes in `peer` what it proves. Returns why it proves nothing.
  std::optional<std::string> prove(SSL* ssl, Peer& peer) const;
  // Why its peer would not be let in now; nothing when it would be.
  std::optional<std::string> objection(SSL* ssl) const;
  // Why the handshake failed, and what to do.
  std::string failure(TlsStream& stream, const error_code& error) const;

 private:
  // What is seen of a file without opening it.
  struct Mark {
    std::uint64_t node = 0, size = 0;
    std::int64_t seconds = 0, nanoseconds = 0;
    friend bool operator==(const Mark&, const Mark&) = default;
  };

  std::vector<Mark> look() const;
  void read();
  void look_at_clock();

  TlsFiles files_;
  std::optional<KeySource> keys_;
  std::function<void(const std::string&)> log_;
  std::vector<Mark> marks_;             // the list of revoked certificates comes last
  bool has_list_ = false;               // of them, in what is used now
  std::int64_t ends_ = 0;               // of the certificate, in seconds since 1970
  int warned_ = 0;                      // how much has been said of that
  std::optional<Error> unusable_ = {};  // why what is there now is not what is used
  std::optional<boost::asio::ssl::context> context_;
};

// Looks after the credentials of `shared` as long as it lives.
void keep_fresh(const std::shared_ptr<Shared>& shared);
// Looks at them now, as Network::read_keys_again() says.
Result<bool> read_keys_again(const std::shared_ptr<Shared>& shared);

}  // namespace coracle::net
