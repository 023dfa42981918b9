// The public keys by which signatures are checked: those of tokens, and those of cards. Signatures
// by secrets that both sides have (HMAC), and texts without a signature ("none"), are never valid.
// Tests: gateways/jose/tests/key_set_test.cpp, tests/fuzz/token_fuzz.cpp
#pragma once

#include "coracle/result.hpp"
#include "coracle/web/signature.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::jose {

class PublicKey;

// The algorithms of RFC 7518 that are known here.
bool is_algorithm(std::string_view name) noexcept;

// Keys, which do not change. Copies are the same. They may be used from any thread.
class KeySet {
 public:
  // The result of a check.
  enum class Verdict : std::uint8_t {
    valid,
    unknown_key,  // there is no key of that id, or none for that algorithm
    invalid       // the signature is not that of the key
  };
  // The longest text of a set, in bytes, and the most keys.
  static constexpr std::size_t max_text = std::size_t{256} << 10;
  static constexpr std::size_t max_keys = 100;

  // A set without any key.
  KeySet() = default;

  // Reads a JSON Web Key Set (RFC 7517). A key that cannot be used here is left out: a secret, a
  // key for encryption, of another kind than RSA and EC, of a size that is not 2048 to 8192 bits,
  // or with a member that is missing or wrong. Fails with Errc::bad_encoding, Errc::too_large.
  static Result<KeySet> parse(std::string_view text);
  // Reads a file with such a set, or with one public key in PEM form, whose id is its thumbprint
  // (RFC 7638). Fails with Errc::no_such_file, Errc::bad_options (also if there is no usable key).
  static KeySet from_file(const std::string& path);

  std::size_t size() const noexcept { return keys_.size(); }

  // Checks a text in compact form, whose header names this algorithm and this key. Without the id
  // of a key, the set has to have one key only for the algorithm.
  Verdict check(std::string_view compact, std::string_view algorithm,
                const std::optional<std::string>& key_id) const;
  // Checks a signature of a text that is kept elsewhere, by one of these algorithms.
  bool check(const web::Signature& signature, std::string_view text,
             const std::vector<std::string>& algorithms = {"ES256", "ES384", "ES512", "RS256",
                                                           "PS256"}) const;

 private:
  const PublicKey* find(std::string_view algorithm, const std::optional<std::string>& id) const;

  std::vector<std::shared_ptr<const PublicKey>> keys_;
};

}  // namespace coracle::jose
