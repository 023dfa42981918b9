#include "coracle/support/loopback.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

namespace coracle::detail {

namespace {

constexpr unsigned char loopback_network = 127;

}  // namespace

bool is_loopback(const std::string& address) noexcept {
  in_addr v4{};
  if (::inet_pton(AF_INET, address.c_str(), &v4) == 1)
    return (ntohl(v4.s_addr) >> 24U) == loopback_network;
  in6_addr v6{};
  if (::inet_pton(AF_INET6, address.c_str(), &v6) != 1) return false;
  if (IN6_IS_ADDR_V4MAPPED(&v6)) return v6.s6_addr[12] == loopback_network;
  return IN6_IS_ADDR_LOOPBACK(&v6) != 0;
}

bool is_this_host(const std::string& host) noexcept {
  return host == "localhost" || is_loopback(host);
}

}  // namespace coracle::detail
