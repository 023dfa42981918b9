// Addresses of the web, as http://host:port/path?query.
// Tests: gateways/http/tests/url_test.cpp, tests/fuzz/url_fuzz.cpp
#pragma once

#include "coracle/result.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::http {

// The address of something that a server has. Path and query are kept as they are sent, with
// percent signs.
struct Url {
  // The longest text and the longest name of a host, in bytes.
  static constexpr std::size_t max_text = 8192;
  static constexpr std::size_t max_host = 253;

  // Parses http://, https://, ws:// and wss://; the last two mean the same as the first two. An
  // IPv6 address is in brackets. A fragment (#...) is dropped, since it is never sent; a user name
  // is refused. Fails with Errc::bad_endpoint.
  static Result<Url> parse(std::string_view text);

  // The text that parse() accepts.
  std::string text() const;
  // Scheme, host and port, as browsers write an origin: http://localhost:8080
  std::string origin() const;
  // Host and port, as in the header Host; without the port if it is the usual one of the scheme.
  std::string authority() const;
  // Path and query, as a request names what it wants.
  std::string target() const;

  friend bool operator==(const Url&, const Url&) = default;

  bool is_secure = false;   // https
  std::string host;         // in lower case; an IPv6 address is without brackets
  std::uint16_t port = 80;  // never zero
  std::string path = "/";   // begins with a slash
  std::string query = {};   // behind the question mark
};

// A host and a port.
struct Authority {
  std::string host;  // in lower case, and without brackets
  std::optional<std::uint16_t> port;
};

// Parses host, host:port or [IPv6]:port. Fails with Errc::bad_endpoint.
Result<Authority> parse_authority(std::string_view text);

// Replaces %41 by A, and so on. Returns nothing if a percent sign has no two digits behind it.
std::optional<std::string> percent_decoded(std::string_view text);
// Replaces every byte that is not a letter, a digit, or one of -._~ by %XX.
std::string percent_encoded(std::string_view text);
// The fields of a query, a=1&b=2, decoded; `+` means a blank. Returns nothing if one cannot be
// decoded, or if there are more than `most`.
std::optional<std::vector<std::pair<std::string, std::string>>> query_fields(
    std::string_view query, std::size_t most = 256);

}  // namespace coracle::http
