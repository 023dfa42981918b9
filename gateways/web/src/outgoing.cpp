#include "coracle/web/outgoing.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

namespace coracle::web {

namespace {

using AddressBytes = std::array<std::uint8_t, 16>;

// The bytes of an address; nothing if it is none, or has a scope.
std::optional<AddressBytes> bytes_of_address(std::string_view text) noexcept {
  boost::system::error_code error;
  constexpr std::size_t longest = 60;
  if (text.size() > longest || text.find('%') != text.npos) return std::nullopt;
  const auto address = boost::asio::ip::make_address(std::string(text), error);
  if (error) return std::nullopt;
  AddressBytes bytes{};
  if (address.is_v6()) {
    const auto own = address.to_v6().to_bytes();
    std::copy(own.begin(), own.end(), bytes.begin());
    return bytes;
  }
  bytes[10] = bytes[11] = 0xff;
  const auto own = address.to_v4().to_bytes();
  std::copy(own.begin(), own.end(), bytes.begin() + 12);
  return bytes;
}

bool has_prefix(const AddressBytes& address, const AddressBytes& prefix, unsigned bits) noexcept {
  for (unsigned i = 0; i < 16 && bits > 0; ++i) {
    const unsigned here = std::min(bits, 8U);
    const auto mask = static_cast<std::uint8_t>(0xff00U >> here);
    if ((address[i] & mask) != (prefix[i] & mask)) return false;
    bits -= here;
  }
  return true;
}

// The networks that IANA has given another purpose than public servers.
constexpr const char* special_networks[] = {
    "0.0.0.0/8",      "10.0.0.0/8",     "100.64.0.0/10",     "127.0.0.0/8",     "169.254.0.0/16",
    "172.16.0.0/12",  "192.0.0.0/24",   "192.0.2.0/24",      "192.31.196.0/24", "192.52.193.0/24",
    "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",   "198.18.0.0/15",   "198.51.100.0/24",
    "203.0.113.0/24", "224.0.0.0/4",    "240.0.0.0/4",       "2001::/23",       "2001:db8::/32",
    "2002::/16",      "3fff::/20",      "2620:4f:8000::/48",
};

// Returns whether public addresses are permitted for such a URL.
bool fits_public(const http::Url& url) noexcept {
  constexpr std::uint16_t port_of_https = 443;
  return url.is_secure && url.port == port_of_https;
}

}  // namespace

bool Outgoing::Network::contains(const AddressBytes& other) const noexcept {
  return has_prefix(other, address, bits);
}

std::optional<Outgoing::Network> Outgoing::network_in(std::string_view text) noexcept {
  const std::size_t slash = text.find('/');
  const auto address = bytes_of_address(text.substr(0, slash));
  if (!address) return std::nullopt;
  const unsigned own_bits = text.find(':') == text.npos ? 32 : 128;
  unsigned bits = own_bits;
  if (slash != text.npos) {
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + slash + 1, end, bits);
    if (read.ec != std::errc() || read.ptr != end || bits > own_bits) return std::nullopt;
  }
  return Network{*address, bits + 128 - own_bits};
}

Outgoing::Outgoing(const OutgoingOptions& options)
    : plain_http_(options.plain_http), ports_(options.ports) {
  for (const std::string& each : options.networks) {
    const auto network = network_in(each);
    if (!network)
      throw Error(
          Errc::bad_options,
          detail::quoted(each) + " is no network; write for example 10.1.0.0/16 or fd00::/8");
    networks_.push_back(*network);
  }
}

bool Outgoing::is_public(const AddressBytes& address) noexcept {
  static const std::vector<Network> special = [] {
    std::vector<Network> all;
    for (const char* const each : special_networks) all.push_back(network_in(each).value());
    return all;
  }();
  const bool is_v4 =
      has_prefix(address, AddressBytes{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, 96);
  const bool is_global_v6 = (address[0] & 0xe0U) == 0x20;  // 2000::/3
  if (!is_v4 && !is_global_v6) return false;
  return std::none_of(special.begin(), special.end(),
                      [&](const Network& each) { return each.contains(address); });
}

// Returns whether the scheme and the port are permitted in the networks of the list.
bool Outgoing::fits_networks(const http::Url& url) const noexcept {
  const bool fits_port =
      ports_.empty() || std::find(ports_.begin(), ports_.end(), url.port) != ports_.end();
  return !networks_.empty() && fits_port && (url.is_secure || plain_http_);
}

bool Outgoing::is_listed(const AddressBytes& address) const noexcept {
  return std::any_of(networks_.begin(), networks_.end(),
                     [&](const Network& each) { return each.contains(address); });
}

bool Outgoing::permits(const http::Url& url, std::string_view text) const noexcept {
  const auto address = bytes_of_address(text);
  if (!address) return false;
  return (is_listed(*address) && fits_networks(url)) || (is_public(*address) && fits_public(url));
}

std::optional<std::string> Outgoing::objection(const http::Url& url) const {
  // The address of a name is not known yet.
  const auto address = bytes_of_address(url.host);
  if (address ? permits(url, url.host) : fits_public(url) || fits_networks(url))
    return std::nullopt;
  if (address && !is_public(*address) && !is_listed(*address))
    return "its address is not a public one";
  if (!url.is_secure) return "it has to begin with https://";
  return "its port is not permitted";
}

http::ClientOptions Outgoing::guarded(http::ClientOptions options) const {
  options.permits = [own = *this](const http::Url& url, std::string_view address) {
    return own.permits(url, address);
  };
  return options;
}

}  // namespace coracle::web
