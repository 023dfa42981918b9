// Addresses of IIOP: whatever is read can be written, and is read again as the same.
#include "address.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace coracle::fipa;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto address = parse_iiop_address(text);
  if (!address) return 0;
  if (!is_iiop_address(text)) std::abort();
  if (parse_iiop_address(ior_of(*address)).value() != *address) std::abort();
  IiopAddress plain = *address;
  plain.minor = 0;
  plain.narrow = plain.wide = {};
  if (parse_iiop_address(corbaloc_of(plain)).value() != plain) std::abort();
  return 0;
}
