#include "keys.hpp"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace coracle::jose {

namespace {

struct FreePem {
  void operator()(BIO* bio) const noexcept { BIO_free(bio); }
  void operator()(EVP_PKEY* key) const noexcept { EVP_PKEY_free(key); }
  void operator()(BIGNUM* number) const noexcept { BN_clear_free(number); }
};

// A number of a key, padded to so many bytes; empty if the key does not have it.
std::string number_of(const EVP_PKEY* key, const char* name, std::size_t bytes = 0) {
  BIGNUM* found = nullptr;
  if (EVP_PKEY_get_bn_param(key, name, &found) != 1) return {};
  const std::unique_ptr<BIGNUM, FreePem> number(found);
  const auto size = static_cast<std::size_t>(BN_num_bytes(found));
  std::string text(std::max(bytes, size), '\0');
  if (BN_bn2binpad(found, reinterpret_cast<unsigned char*>(text.data()),
                   static_cast<int>(text.size())) < 0)
    return {};
  return text;
}

// No PEM file here is encrypted; without this, OpenSSL asks for a password on the terminal.
int no_password(char*, int, int, void*) { return -1; }

struct NamedCurve {
  std::string_view of_openssl, name;
  std::size_t bytes;
};
constexpr std::array<NamedCurve, 3> named_curves{
    {{"prime256v1", "P-256", 32}, {"secp384r1", "P-384", 48}, {"secp521r1", "P-521", 66}}};

}  // namespace

std::optional<KeyParts> parts_in_pem(const std::string& text, bool is_secret) {
  const std::unique_ptr<BIO, FreePem> bio(
      BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  if (!bio) return std::nullopt;
  const std::unique_ptr<EVP_PKEY, FreePem> key(
      is_secret ? PEM_read_bio_PrivateKey(bio.get(), nullptr, no_password, nullptr)
                : PEM_read_bio_PUBKEY(bio.get(), nullptr, no_password, nullptr));
  ERR_clear_error();
  if (!key) return std::nullopt;
  KeyParts parts;
  if (EVP_PKEY_get_base_id(key.get()) == EVP_PKEY_RSA) {
    parts.n = number_of(key.get(), OSSL_PKEY_PARAM_RSA_N);
    parts.e = number_of(key.get(), OSSL_PKEY_PARAM_RSA_E);
    if (!is_secret) return parts;
    parts.secret = number_of(key.get(), OSSL_PKEY_PARAM_RSA_D);
    parts.p = number_of(key.get(), OSSL_PKEY_PARAM_RSA_FACTOR1);
    parts.q = number_of(key.get(), OSSL_PKEY_PARAM_RSA_FACTOR2);
    return parts;
  }
  if (EVP_PKEY_get_base_id(key.get()) != EVP_PKEY_EC) return std::nullopt;
  std::array<char, 32> group{};
  std::size_t size = 0;
  if (EVP_PKEY_get_group_name(key.get(), group.data(), group.size(), &size) != 1)
    return std::nullopt;
  for (const NamedCurve& each : named_curves) {
    if (each.of_openssl != std::string_view(group.data(), size)) continue;
    parts.curve = each.name;
    parts.x = number_of(key.get(), OSSL_PKEY_PARAM_EC_PUB_X, each.bytes);
    parts.y = number_of(key.get(), OSSL_PKEY_PARAM_EC_PUB_Y, each.bytes);
    if (is_secret) parts.secret = number_of(key.get(), OSSL_PKEY_PARAM_PRIV_KEY, each.bytes);
    return parts;
  }
  return std::nullopt;
}

}  // namespace coracle::jose
