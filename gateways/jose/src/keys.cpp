#include "keys.hpp"

#include "coracle/errors.hpp"
#include "coracle/jose/key_set.hpp"
#include "coracle/support/quote.hpp"
#include "coracle/web/base64.hpp"
#include "coracle/web/digest.hpp"
#include "coracle/web/json.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace coracle::jose {

namespace {

constexpr std::size_t least_rsa_bytes = 256, most_rsa_bytes = 1024, most_exponent_bytes = 4;

struct Curve {
  std::string_view name, algorithm;
  cjose_jwk_ec_curve native;
  std::size_t bytes;
};
constexpr std::array<Curve, 3> curves{{{"P-256", "ES256", CJOSE_JWK_EC_P_256, 32},
                                       {"P-384", "ES384", CJOSE_JWK_EC_P_384, 48},
                                       {"P-521", "ES512", CJOSE_JWK_EC_P_521, 66}}};
constexpr std::array<std::string_view, 6> rsa_algorithms{"RS256", "RS384", "RS512",
                                                         "PS256", "PS384", "PS512"};

const Curve* curve_named(std::string_view name) noexcept {
  const auto* const found =
      std::find_if(curves.begin(), curves.end(), [&](const Curve& c) { return c.name == name; });
  return found == curves.end() ? nullptr : &*found;
}

std::uint8_t* bytes_of(const std::string& text) noexcept {
  return text.empty() ? nullptr : reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
}

JoseKey make_curve_key(const KeyParts& parts) {
  const Curve* const curve = curve_named(parts.curve);
  if (curve == nullptr || parts.x.size() != curve->bytes || parts.y.size() != curve->bytes)
    return nullptr;
  cjose_jwk_ec_keyspec spec{};
  spec.crv = curve->native;
  spec.d = bytes_of(parts.secret), spec.dlen = parts.secret.size();
  spec.x = bytes_of(parts.x), spec.xlen = parts.x.size();
  spec.y = bytes_of(parts.y), spec.ylen = parts.y.size();
  return JoseKey(cjose_jwk_create_EC_spec(&spec, nullptr));
}

// The sizes are limited, since the time for a check grows with them.
JoseKey make_rsa_key(const KeyParts& parts) {
  const std::string_view n = parts.n, e = parts.e;
  const bool is_sound = n.size() >= least_rsa_bytes && n.size() <= most_rsa_bytes && n[0] != 0 &&
                        !e.empty() && e.size() <= most_exponent_bytes && (e.back() & 1) != 0 &&
                        e != std::string_view("\x01", 1);
  if (!is_sound) return nullptr;
  cjose_jwk_rsa_keyspec spec{};
  spec.n = bytes_of(parts.n), spec.nlen = parts.n.size();
  spec.e = bytes_of(parts.e), spec.elen = parts.e.size();
  spec.d = bytes_of(parts.secret), spec.dlen = parts.secret.size();
  spec.p = bytes_of(parts.p), spec.plen = parts.p.size();
  spec.q = bytes_of(parts.q), spec.qlen = parts.q.size();
  return JoseKey(cjose_jwk_create_RSA_spec(&spec, nullptr));
}

std::string number_in(const web::JsonReader& in, std::string_view name, std::size_t bytes = 0) {
  const web::JsonReader member = in.at(name);
  auto number = web::from_base64(member.text());
  if (!number) member.fail("has to be base64url");
  if (bytes == 0) {  // RSA: some write zeros before it
    while (number->size() > 1 && number->front() == 0) number->erase(0, 1);
  }
  return *std::move(number);
}

}  // namespace

bool is_algorithm(std::string_view name) noexcept {
  return std::find(rsa_algorithms.begin(), rsa_algorithms.end(), name) != rsa_algorithms.end() ||
         std::any_of(curves.begin(), curves.end(),
                     [&](const Curve& each) { return each.algorithm == name; });
}

JoseKey make_key(const KeyParts& parts) {
  return parts.curve.empty() ? make_rsa_key(parts) : make_curve_key(parts);
}

std::shared_ptr<const PublicKey> PublicKey::make(const KeyParts& parts, std::string id,
                                                 std::string algorithm) {
  JoseKey key = make_key(parts);
  if (!key) return nullptr;
  std::shared_ptr<PublicKey> made(new PublicKey);
  made->key_ = std::move(key);
  made->id_ = std::move(id);
  made->algorithm_ = std::move(algorithm);
  made->curve_ = parts.curve;
  return made;
}

bool PublicKey::fits(std::string_view algorithm) const noexcept {
  if (!algorithm_.empty() && algorithm_ != algorithm) return false;
  if (const Curve* const curve = curve_named(curve_)) return curve->algorithm == algorithm;
  return std::find(rsa_algorithms.begin(), rsa_algorithms.end(), algorithm) != rsa_algorithms.end();
}

std::optional<KeyParts> parts_in(const web::JsonReader& in) {
  const std::string kind = in.at("kty").text();
  KeyParts parts;
  if (kind == "RSA") {
    parts.n = number_in(in, "n");
    parts.e = number_in(in, "e");
    return parts;
  }
  if (kind != "EC") return std::nullopt;
  parts.curve = in.at("crv").text();
  const Curve* const curve = curve_named(parts.curve);
  if (curve == nullptr) return std::nullopt;
  parts.x = number_in(in, "x", curve->bytes);
  parts.y = number_in(in, "y", curve->bytes);
  return parts;
}

std::string thumbprint(const KeyParts& parts) {
  web::Json key;
  if (parts.curve.empty()) {
    key.set("e", web::to_base64url(parts.e)).set("kty", "RSA").set("n", web::to_base64url(parts.n));
  } else {
    key.set("crv", parts.curve).set("kty", "EC");
    key.set("x", web::to_base64url(parts.x)).set("y", web::to_base64url(parts.y));
  }
  return web::to_base64url(web::sha256_bytes_of(web::to_text(key)));
}

std::string own_algorithm(const KeyParts& parts) {
  const Curve* const curve = curve_named(parts.curve);
  return curve == nullptr ? "PS256" : std::string(curve->algorithm);
}

std::string read_key_file(const std::string& path, bool is_secret) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::is_regular_file(status))
    throw Error(Errc::no_such_file,
                "there is no file of keys " + detail::quoted(path, 200) + "; correct its path");
  if (is_secret &&
      (status.permissions() & (fs::perms::group_all | fs::perms::others_all)) != fs::perms::none)
    throw Error(Errc::not_permitted, "others may use the private key in " +
                                         detail::quoted(path, 200) + "; run chmod 600");
  std::ifstream in(path, std::ios::binary);
  std::string text(KeySet::max_text + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (in.bad() || (!in.eof() && text.size() <= KeySet::max_text) || !in.is_open())
    throw Error(Errc::bad_options, "the file of keys " + detail::quoted(path, 200) +
                                       " cannot be read; let this user read it");
  return text;
}

}  // namespace coracle::jose
