// Keys of cjose, made from the parts that JSON Web Keys and PEM files have.
#pragma once

#include "coracle/result.hpp"
#include "coracle/web/json_reader.hpp"

#include <cjose/cjose.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace coracle::jose {

struct FreeJose {
  void operator()(cjose_jwk_t* key) const noexcept { cjose_jwk_release(key); }
  void operator()(cjose_jws_t* text) const noexcept { cjose_jws_release(text); }
  void operator()(cjose_header_t* header) const noexcept { cjose_header_release(header); }
};
using JoseKey = std::unique_ptr<cjose_jwk_t, FreeJose>;
using JoseText = std::unique_ptr<cjose_jws_t, FreeJose>;
using JoseHeader = std::unique_ptr<cjose_header_t, FreeJose>;

// The numbers of a key, as bytes with the most significant one first.
struct KeyParts {
  std::string curve = {};      // "P-256"; empty: RSA
  std::string n = {}, e = {};  // of RSA
  std::string x = {}, y = {};  // of a curve, as long as its field
  std::string secret = {};     // of a curve: d; empty: the key is public
  std::string p = {}, q = {};  // of a secret key of RSA, whose d is `secret`
};

// A public key, with what its set says of it.
class PublicKey {
 public:
  // Returns nothing if the parts are no key that may be used.
  static std::shared_ptr<const PublicKey> make(const KeyParts& parts, std::string id,
                                               std::string algorithm);

  const std::string& id() const noexcept { return id_; }
  bool fits(std::string_view algorithm) const noexcept;
  cjose_jwk_t* native() const noexcept { return key_.get(); }

 private:
  PublicKey() = default;

  JoseKey key_;
  std::string id_, algorithm_, curve_;
};

// Makes a key, with its secret if the parts have one; nothing if they are none that may be used.
JoseKey make_key(const KeyParts& parts);
// The parts of a JSON Web Key; nothing if it is of another kind. Fails with web::JsonError.
std::optional<KeyParts> parts_in(const web::JsonReader& in);
// The parts of a key in PEM form; nothing if it is none.
std::optional<KeyParts> parts_in_pem(const std::string& text, bool is_secret);
// The thumbprint of the public parts (RFC 7638), as base64url.
std::string thumbprint(const KeyParts& parts);
// The algorithm by which a key signs.
std::string own_algorithm(const KeyParts& parts);

// The bytes of a file of keys. Fails with Errc::no_such_file, Errc::bad_options,
// Errc::not_permitted.
std::string read_key_file(const std::string& path, bool is_secret);

}  // namespace coracle::jose
