// SHA-256, for seeds, commitments and chains of records.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace coracle::caf {

using Digest = std::array<std::uint8_t, 32>;

Digest sha256(std::span<const std::byte> data);
Digest sha256(std::string_view text);

// Returns the digest in hexadecimal digits.
std::string hex(const Digest& digest);

}  // namespace coracle::caf
