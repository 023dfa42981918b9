#include "endpoints_here.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <array>

namespace coracle::society {

namespace {

// The text of an address that others can use; empty for those that they cannot.
std::string text_of(const sockaddr* address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* bytes = nullptr;
  if (address->sa_family == AF_INET) {
    bytes = &reinterpret_cast<const sockaddr_in*>(address)->sin_addr;
  } else if (address->sa_family == AF_INET6) {
    const in6_addr& six = reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
    if (IN6_IS_ADDR_LINKLOCAL(&six)) return {};
    bytes = &six;
  } else {
    return {};
  }
  return ::inet_ntop(address->sa_family, bytes, text.data(), text.size()) != nullptr ? text.data()
                                                                                     : "";
}

}  // namespace

std::vector<net::Endpoint> told_for(const net::Endpoint& place) {
  const bool every = place.host == "0.0.0.0" || place.host == "::";
  if (place.scheme == net::Endpoint::Scheme::unix_socket || !every) return {place};
  std::vector<net::Endpoint> told;
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return {place};
  for (const ifaddrs* each = all; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || (each->ifa_flags & IFF_UP) == 0 ||
        (each->ifa_flags & IFF_LOOPBACK) != 0)
      continue;
    if (each->ifa_addr->sa_family == AF_INET6 && place.host == "0.0.0.0") continue;
    net::Endpoint endpoint = place;
    endpoint.host = text_of(each->ifa_addr);
    if (!endpoint.host.empty()) told.push_back(endpoint);
  }
  ::freeifaddrs(all);
  return told;
}

}  // namespace coracle::society
