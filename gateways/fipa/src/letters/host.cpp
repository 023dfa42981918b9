#include "coracle/fipa/detail/host.hpp"

#include <boost/asio/ip/address.hpp>

#include <algorithm>

namespace coracle::fipa::detail {

std::string host_of_peer(std::string_view peer) {
  namespace ip = boost::asio::ip;
  constexpr std::size_t bytes_of_network = 8;
  std::string_view host = peer.substr(0, peer.rfind(':'));
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  boost::system::error_code error;
  const ip::address address = ip::make_address(std::string(host), error);
  if (error || address.is_v4()) return std::string(host);
  const ip::address_v6 whole = address.to_v6();
  if (whole.is_v4_mapped()) return ip::make_address_v4(ip::v4_mapped, whole).to_string();
  ip::address_v6::bytes_type bytes = whole.to_bytes();
  std::fill(bytes.begin() + bytes_of_network, bytes.end(), std::uint8_t{0});
  return ip::address_v6(bytes).to_string() + "/64";
}

}  // namespace coracle::fipa::detail
