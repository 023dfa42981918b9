// Addresses of platforms that are reached by IIOP: an object reference as "IOR:<hex>", or
// "corbaloc:iiop:1.2@host:port/key". Pure.
// Tests: gateways/iiop/tests/address_test.cpp, tests/fuzz/iiop_address_fuzz.cpp
#pragma once

#include "coracle/result.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::fipa {

// The character sets of an ORB: the numbers of its own and of those that it converts.
struct CodeSets {
  std::uint32_t own = 0;
  std::vector<std::uint32_t> others = {};

  bool operator==(const CodeSets&) const = default;
};
inline constexpr std::uint32_t latin_1 = 0x00010001, utf_8 = 0x05010001, utf_16 = 0x00010109;

// The address of one object.
struct IiopAddress {
  static constexpr std::size_t max_text = 16 * 1024;
  static constexpr std::size_t max_host = 253;
  static constexpr std::size_t max_key = 1024;
  static constexpr std::size_t max_profiles = 16, max_components = 32, max_code_sets = 32;
  static constexpr std::uint16_t usual_port = 2809;

  std::string host;  // in lower case; an IPv6 address is without brackets
  std::uint16_t port = usual_port;
  std::string key;         // bytes
  std::uint8_t minor = 0;  // the version of IIOP is 1.minor
  // The character sets of texts, and of wide texts. Version 1.0 has no such fields.
  std::optional<CodeSets> narrow = std::nullopt, wide = std::nullopt;

  bool operator==(const IiopAddress&) const = default;
};

// Returns whether the text begins as such an address does, "corbaname:" included.
bool is_iiop_address(std::string_view text) noexcept;
// Reads an address. Of several profiles, or several hosts, the first that is usable counts;
// components that name other transports or hosts are passed over. Fails with Errc::bad_endpoint,
// also for "corbaname:", since no naming service is asked.
Result<IiopAddress> parse_iiop_address(std::string_view text);

// The address as a reference to an object of the type FIPA::MTS, in big-endian order.
std::string ior_of(const IiopAddress& address);
// "corbaloc::host:port/key", as JADE writes it; such an address has the version 1.0. Bytes of the
// key but letters, digits and ;/:?@&=+$,-_.!~*'() are %41.
std::string corbaloc_of(const IiopAddress& address);

// "host:port", with brackets around an IPv6 address.
std::string place_of(const std::string& host, std::uint16_t port);

}  // namespace coracle::fipa
