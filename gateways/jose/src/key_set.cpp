#include "coracle/jose/key_set.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/mutations.hpp"
#include "coracle/support/quote.hpp"
#include "coracle/web/base64.hpp"
#include "header.hpp"
#include "keys.hpp"

#include <openssl/err.h>

#include <algorithm>

namespace coracle::jose {

namespace {

constexpr std::size_t longest_signature = 2048;

// Returns whether a key of a set may check signatures.
bool is_for_signatures(const web::JsonReader& in) {
  const std::string use = in.text_or_empty("use");
  const auto operations = in.texts_or_none("key_ops");
  return (use.empty() || use == "sig") &&
         (operations.empty() ||
          std::find(operations.begin(), operations.end(), "verify") != operations.end());
}

// Returns nothing if the key cannot be used here, or is none.
std::shared_ptr<const PublicKey> key_in(const web::JsonReader& in) {
  try {
    if (!is_for_signatures(in)) return nullptr;
    const auto parts = parts_in(in);
    if (!parts) return nullptr;
    return PublicKey::make(*parts, in.text_or_empty("kid"), in.text_or_empty("alg"));
  } catch (const web::JsonError&) {
    return nullptr;  // RFC 7517, section 5: the other keys are used
  }
}

bool is_signed_by(const PublicKey& key, std::string_view compact) {
  const JoseText text(cjose_jws_import(compact.data(), compact.size(), nullptr));
  const bool is_valid = text && cjose_jws_verify(text.get(), key.native(), nullptr);
  ERR_clear_error();
  return is_valid || (text && mutated(Mutation::any_signature));
}

}  // namespace

Result<KeySet> KeySet::parse(std::string_view text) {
  KeySet set;
  try {
    web::JsonLimits limits;
    limits.bytes = max_text, limits.depth = 8;
    const web::Json whole = web::parse_json(text, limits).value();
    for (const web::JsonReader& each : web::JsonReader(whole).at("keys").items(max_keys)) {
      if (auto key = key_in(each)) set.keys_.push_back(std::move(key));
    }
  } catch (const Error& error) {
    return error;
  }
  return set;
}

KeySet KeySet::from_file(const std::string& path) {
  const std::string text = read_key_file(path, false);
  KeySet set;
  if (text.starts_with("-----BEGIN")) {
    if (const auto parts = parts_in_pem(text, false)) {
      if (auto key = PublicKey::make(*parts, thumbprint(*parts), {}))
        set.keys_.push_back(std::move(key));
    }
  } else {
    auto parsed = parse(text);
    if (!parsed)
      throw Error(Errc::bad_options, "the file of keys " + detail::quoted(path, 200) +
                                         " cannot be used: " + parsed.error().sentence());
    set = *std::move(parsed);
  }
  if (set.size() != 0) return set;
  throw Error(Errc::bad_options, "the file " + detail::quoted(path, 200) +
                                     " has no public key that can be used; give a JSON Web Key Set "
                                     "or a PEM file with RSA of 2048 to 8192 bits or EC");
}

const PublicKey* KeySet::find(std::string_view algorithm,
                              const std::optional<std::string>& id) const {
  const PublicKey* found = nullptr;
  for (const auto& each : keys_) {
    const bool is_named = !id || each->id() == *id || mutated(Mutation::any_key);
    if (!is_named || !each->fits(algorithm)) continue;
    if (id) return each.get();
    if (found != nullptr) return nullptr;  // it could be either
    found = each.get();
  }
  return found;
}

KeySet::Verdict KeySet::check(std::string_view compact, std::string_view algorithm,
                              const std::optional<std::string>& key_id) const {
  const PublicKey* const key = find(algorithm, key_id);
  if (key == nullptr) return Verdict::unknown_key;
  return is_signed_by(*key, compact) ? Verdict::valid : Verdict::invalid;
}

bool KeySet::check(const web::Signature& signature, std::string_view text,
                   const std::vector<std::string>& algorithms) const {
  if (signature.signature.size() > longest_signature || !is_base64url(signature.signature))
    return false;
  const auto read = read_header(signature.protected_header);
  const auto* const header = std::get_if<SignedHeader>(&read);
  if (header == nullptr ||
      std::find(algorithms.begin(), algorithms.end(), header->algorithm) == algorithms.end())
    return false;
  const std::string compact =
      signature.protected_header + '.' + web::to_base64url(text) + '.' + signature.signature;
  return check(compact, header->algorithm, header->key_id) == Verdict::valid;
}

}  // namespace coracle::jose
