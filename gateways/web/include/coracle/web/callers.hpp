// The programs and people that use a gateway, and how they prove it: by an API key, by a token, or
// by a certificate of TLS.
// Tests: gateways/web/tests/callers_test.cpp
#pragma once

#include "coracle/http/message.hpp"
#include "coracle/http/tls_files.hpp"
#include "coracle/result.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::web {

// A secret that proves that somebody is the caller of that name.
struct CallerSecret {
  std::string caller;
  std::string secret;  // 16 to 4096 visible ASCII characters
};

// A subject of certificates that proves that somebody is the caller of that name. The authorities
// of the server (http::ServerTls) have to sign no other certificate with that subject.
struct CallerCertificate {
  std::string caller;
  std::string subject;  // as http::Request has it: "CN=ann,O=Lab"
};

// The proofs that a gateway accepts.
struct CallerOptions {
  // Secrets in the header X-API-Key.
  std::vector<CallerSecret> api_keys = {};
  // Secrets in the header Authorization: Bearer SECRET.
  std::vector<CallerSecret> tokens = {};
  // Returns the caller that another token proves; nothing if it proves none.
  std::function<std::optional<std::string>(std::string_view token)> judge = nullptr;
  // Subjects of certificates that the server has verified. Several may be the same caller's. A
  // certificate with another subject proves nothing.
  std::vector<CallerCertificate> certificates = {};
};

// Decides who sends a request. It is used by any number of threads.
class Callers {
 public:
  // The name of every caller where no proof is needed.
  static constexpr std::string_view anyone = "anyone";

  // Nobody needs a proof.
  Callers() = default;
  // Everybody needs a proof, unless the options have none at all. Fails with Errc::bad_options.
  explicit Callers(CallerOptions options);

  // Reads a file that only its owner can read (0600), such as
  //   {"ann": {"apiKey": "..."}, "bob": {"token": "..."}, "eve": {"certificate": "CN=eve"}}
  // Fails with Errc::no_such_file, Errc::not_permitted and Errc::bad_options.
  static CallerOptions from_file(const std::string& path);

  // The name of the caller. If a request has several proofs, all of them have to be valid, and name
  // the same caller. Fails with Errc::not_permitted; the sentence is for the caller, too.
  Result<std::string> caller_of(const http::Request& request) const;
  // The headers of the response to a request that was refused: they say which proofs are accepted.
  http::Headers challenge() const;
  // Fails with Errc::bad_options if callers have certificates for which a server with these files
  // does not ask, or if it asks for certificates that clients need not have and that are nobody's.
  void check(const std::optional<http::ServerTls>& tls) const;

  bool takes_api_keys() const noexcept { return !api_keys_.empty(); }
  bool takes_tokens() const noexcept { return !tokens_.empty() || judge_; }
  bool takes_certificates() const noexcept { return !certificates_.empty(); }
  bool needs_proof() const noexcept {
    return takes_api_keys() || takes_tokens() || takes_certificates();
  }

 private:
  // A secret is kept as its digest only.
  struct Known {
    std::string caller, digest;
  };

  static std::vector<Known> known(std::vector<CallerSecret> secrets);
  static std::map<std::string, std::string, std::less<>> known(
      std::vector<CallerCertificate> certificates);
  static std::optional<std::string> find(const std::vector<Known>& all, std::string_view secret);
  std::optional<std::string> judged(std::string_view token) const;
  std::string ways() const;

  std::vector<Known> api_keys_, tokens_;
  std::map<std::string, std::string, std::less<>> certificates_;  // the callers, by subjects
  std::function<std::optional<std::string>(std::string_view)> judge_;
};

}  // namespace coracle::web
