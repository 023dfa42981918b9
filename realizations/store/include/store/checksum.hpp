// CRC-32C (Castagnoli), by the processor's own instruction where it has one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace coracle::store {

// The checksum of `bytes`, which continues the checksum `before` of the preceding bytes.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before = 0) noexcept;

namespace detail {
// The same without the processor's help.
std::uint32_t crc32c_portable(std::span<const std::byte> bytes, std::uint32_t before) noexcept;
}  // namespace detail

}  // namespace coracle::store
