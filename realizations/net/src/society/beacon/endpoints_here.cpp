#include "endpoints_here.hpp"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <string_view>

namespace coracle::society {

namespace {

// Returns the text of an address that others can use; empty for an address that they cannot use.
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

constexpr std::string_view host_prefix = "host=";

std::string make_host() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  std::getline(file, boot);
  std::array<char, 64> network{};
  const auto size = ::readlink("/proc/self/ns/net", network.data(), network.size());
  if (boot.empty() || size <= 0) return {};
  boot.append(network.data(), static_cast<std::size_t>(size));
  std::uint32_t hash = 2166136261;  // FNV-1a: it only has to differ
  for (const char each : boot) hash = (hash ^ static_cast<unsigned char>(each)) * 16777619;
  return fmt::format("{:08x}", hash);
}

}  // namespace

const std::string& this_host() {
  static const std::string made = make_host();
  return made;
}

std::string host_text() { return std::string(host_prefix) + this_host(); }

std::vector<net::Endpoint> endpoints_from(const std::vector<std::string>& texts) {
  const bool is_elsewhere = std::any_of(texts.begin(), texts.end(), [](const std::string& text) {
    return text.starts_with(host_prefix) && text != host_text();
  });
  std::vector<net::Endpoint> endpoints;
  for (const std::string& text : texts) {
    auto endpoint = net::Endpoint::parse(text);
    if (!endpoint || text.starts_with(host_prefix)) continue;
    if (is_elsewhere && endpoint->scheme == net::Endpoint::Scheme::unix_socket) continue;
    endpoints.push_back(*std::move(endpoint));
  }
  return endpoints;
}

std::vector<net::Endpoint> announced_endpoints(const net::Endpoint& place) {
  const bool every = place.host == "0.0.0.0" || place.host == "::";
  if (place.scheme == net::Endpoint::Scheme::unix_socket || !every) return {place};
  std::vector<net::Endpoint> announced;
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return {place};
  for (const ifaddrs* each = all; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || (each->ifa_flags & IFF_UP) == 0 ||
        (each->ifa_flags & IFF_LOOPBACK) != 0)
      continue;
    if (each->ifa_addr->sa_family == AF_INET6 && place.host == "0.0.0.0") continue;
    net::Endpoint endpoint = place;
    endpoint.host = text_of(each->ifa_addr);
    if (!endpoint.host.empty()) announced.push_back(endpoint);
  }
  ::freeifaddrs(all);
  return announced;
}

}  // namespace coracle::society
