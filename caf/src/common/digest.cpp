#include "digest.hpp"

#include "coracle/errors.hpp"

#include <openssl/evp.h>

namespace coracle::caf {

Digest sha256(std::span<const std::byte> data) {
  Digest digest{};
  unsigned size = 0;
  if (EVP_Digest(data.data(), data.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    throw Error(Errc::unsupported,
                "the system's cryptographic library cannot make a SHA-256; install OpenSSL 3");
  }
  return digest;
}

Digest sha256(std::string_view text) {
  return sha256(std::as_bytes(std::span(text.data(), text.size())));
}

std::string hex(const Digest& digest) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t each : digest) {
    text += digits[each >> 4];
    text += digits[each & 15];
  }
  return text;
}

}  // namespace coracle::caf
