// Digests of texts. Tests: gateways/web/tests/digest_test.cpp
#pragma once

#include <string>
#include <string_view>

namespace coracle::web {

// The SHA-256 of bytes, as 64 hexadecimal digits in lower case, and as 32 bytes. Both fail with
// Errc::unsupported if OpenSSL here does not have it.
std::string sha256_of(std::string_view bytes);
std::string sha256_bytes_of(std::string_view bytes);

}  // namespace coracle::web
