#include "coracle/web/digest.hpp"

#include "coracle/errors.hpp"

#include <openssl/evp.h>

#include <array>

namespace coracle::web {

std::string sha256_of(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1)
    throw Error(Errc::unsupported, "OpenSSL here has no SHA-256; install its default provider");
  std::string text;
  for (unsigned i = 0; i < size; ++i) {
    text += digits[digest[i] >> 4U];
    text += digits[digest[i] & 15U];
  }
  return text;
}

}  // namespace coracle::web
