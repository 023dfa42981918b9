#include "realizations/net/src/endpoint.hpp"

#include "realizations/net/src/shown_setting.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace coracle::net {

namespace {

using Scheme = Endpoint::Scheme;

constexpr std::pair<std::string_view, Scheme> prefixes[] = {
    {"tcp://", Scheme::tcp},
    {"tls://", Scheme::tls},
    {"unix://", Scheme::unix_socket},
    {"sim://", Scheme::sim},
};

// Returns `text` for a sentence: cut, and without characters that a terminal or a log could
// interpret.
std::string shown(std::string_view text) {
  constexpr std::size_t longest = 80;
  const std::string_view place = place_in(text).substr(0, longest);
  std::string result = "\"";
  for (const char c : place) result += c >= ' ' && c < 127 && c != '"' ? c : '?';
  return result + (text.size() > place.size() ? "...\"" : "\"");
}

Error bad(std::string_view text, std::string_view fault) {
  return Error(Errc::bad_endpoint,
               shown(text) + " is not an endpoint: " + std::string(fault) +
                   "; write tcp://host:port, tls://host:port, unix:///path or sim://node:port");
}

bool is_host_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '-' || c == '_';
}

bool is_address_character(char c) {
  return is_host_character(c) || c == ':' || c == '%';  // fe80::1%eth0
}

std::optional<std::uint16_t> port_of(std::string_view digits) {
  std::uint16_t port = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, port);
  if (digits.empty() || stop != end || error != std::errc()) return std::nullopt;
  return port;
}

// Splits `rest`, the text behind the prefix, into host and port.
const char* read_host_and_port(std::string_view rest, Endpoint& endpoint) {
  std::string_view host, after;
  const bool bracket = rest.starts_with('[');
  if (bracket) {
    const auto closing = rest.find(']');
    if (closing == std::string_view::npos) return "its '[' has no ']'";
    host = rest.substr(1, closing - 1);
    after = rest.substr(closing + 1);
    if (!host.empty() && host.find(':') == std::string_view::npos)
      return "there is no IPv6 address between '[' and ']'";
  } else {
    const auto colon = rest.find(':');
    host = rest.substr(0, colon);
    after = rest.substr(host.size());
  }
  if (host.empty()) return "it has no host";
  if (host.size() > Endpoint::max_host) return "its host is longer than 253 bytes";
  if (!std::all_of(host.begin(), host.end(), bracket ? is_address_character : is_host_character))
    return "its host has a character that is not allowed in a host";
  if (!after.starts_with(':')) return "it has no port";
  const auto port = port_of(after.substr(1));
  if (!port) return "its port is not a number from 0 to 65535";
  endpoint.host = host;
  endpoint.port = *port;
  return nullptr;
}

const char* read_path(std::string_view rest, Endpoint& endpoint) {
  if (!rest.starts_with('/')) return "the path of a Unix socket begins with '/'";
  if (rest.size() > Endpoint::max_path) return "its path is longer than 107 bytes";
  if (rest.find('\0') != std::string_view::npos) return "its path holds a zero byte";
  endpoint.path = rest;
  return nullptr;
}

}  // namespace

Result<Endpoint> Endpoint::parse(std::string_view text) {
  for (const auto& [prefix, scheme] : prefixes) {
    if (!text.starts_with(prefix)) continue;
    Endpoint endpoint;
    endpoint.scheme = scheme;
    const std::string_view rest = text.substr(prefix.size());
    const char* fault = scheme == Scheme::unix_socket ? read_path(rest, endpoint)
                                                      : read_host_and_port(rest, endpoint);
    if (fault != nullptr) return bad(text, fault);
    return endpoint;
  }
  return bad(text, "its scheme is unknown");
}

std::string Endpoint::text() const {
  const auto known = std::find_if(std::begin(prefixes), std::end(prefixes),
                                  [this](const auto& each) { return each.second == scheme; });
  std::string result(known->first);
  if (scheme == Scheme::unix_socket) return result + path;
  const bool bracket = host.find(':') != std::string::npos;
  result += bracket ? "[" + host + "]" : host;
  return result + ":" + std::to_string(port);
}

}  // namespace coracle::net
