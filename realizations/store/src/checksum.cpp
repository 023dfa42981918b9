#include "store/checksum.hpp"

#include <boost/crc.hpp>

#include <cstring>

namespace coracle::store {

namespace {

// Boost inverts its result at the end, so a continuation begins by inverting it back.
using Castagnoli = boost::crc_optimal<32, 0x1EDC6F41, 0, 0, true, true>;

std::uint32_t reversed(std::uint32_t bits) noexcept {
  std::uint32_t result = 0;
  for (int i = 0; i < 32; ++i) result |= (bits >> i & 1u) << (31 - i);
  return result;
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("sse4.2"))) std::uint32_t by_instruction(std::span<const std::byte> bytes,
                                                               std::uint32_t before) noexcept {
  std::uint64_t crc = ~before;
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; at += 8, left -= 8) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    crc = __builtin_ia32_crc32di(crc, word);
  }
  auto low = static_cast<std::uint32_t>(crc);
  for (; left > 0; ++at, --left) low = __builtin_ia32_crc32qi(low, static_cast<unsigned char>(*at));
  return ~low;
}

bool has_instruction() noexcept {
  static const bool has = __builtin_cpu_supports("sse4.2") != 0;
  return has;
}
#endif

}  // namespace

namespace detail {

std::uint32_t crc32c_portable(std::span<const std::byte> bytes, std::uint32_t before) noexcept {
  Castagnoli crc(reversed(~before));
  crc.process_bytes(bytes.data(), bytes.size());
  return ~crc.checksum();
}

}  // namespace detail

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before) noexcept {
#if defined(__x86_64__) && defined(__GNUC__)
  if (has_instruction()) return by_instruction(bytes, before);
#endif
  return detail::crc32c_portable(bytes, before);
}

}  // namespace coracle::store
