#include "coracle/web/digest.hpp"

#include "coracle/errors.hpp"

#include <openssl/evp.h>

#include <array>

namespace coracle::web {

std::string sha256_bytes_of(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1)
    throw Error(Errc::unsupported, "OpenSSL here has no SHA-256; install its default provider");
  return {reinterpret_cast<const char*>(digest.data()), size};
}

std::string sha256_of(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char each : sha256_bytes_of(bytes)) {
    const auto byte = static_cast<unsigned char>(each);
    text += digits[byte >> 4U];
    text += digits[byte & 15U];
  }
  return text;
}

}  // namespace coracle::web
