// The header of a signed text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace coracle::jose {

// The fields of a header that count here. A key that the header itself names or has (jku, jwk, x5u,
// x5c) is never used.
struct SignedHeader {
  std::string algorithm;
  std::optional<std::string> key_id = {};
  std::string type = {};  // in lower case; empty: it has none
};

// Returns whether the text has the letters of base64url only, and no = at its end.
bool is_base64url(std::string_view text) noexcept;
// Reads a header, which is base64url. Returns its fault, for the log, if it cannot be used.
std::variant<SignedHeader, const char*> read_header(std::string_view encoded);

}  // namespace coracle::jose
