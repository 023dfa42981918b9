// The address at which a node can be reached, as text: tcp://host:port, tls://host:port,
// unix:///path/to/socket, sim://node3:7 (inside the simulator).
#pragma once

#include "coracle/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace coracle::net {

// One address of a node. Two are equal when their texts are.
struct Endpoint {
  // The way in which bytes reach the node.
  enum class Scheme : std::uint8_t { tcp, tls, unix_socket, sim };

  // The longest path of a Unix socket that the system accepts, in bytes.
  static constexpr std::size_t max_path = 107;
  // The longest host name, in bytes.
  static constexpr std::size_t max_host = 253;

  // Parses the text of an endpoint. An IPv6 address is written in brackets: tcp://[::1]:80. Fails
  // with Errc::bad_endpoint.
  static Result<Endpoint> parse(std::string_view text);

  // Returns the text that parse() accepts.
  std::string text() const;

  friend bool operator==(const Endpoint&, const Endpoint&) = default;

  Scheme scheme = Scheme::tcp;
  std::string host;        // a name or an address; empty for a Unix socket
  std::uint16_t port = 0;  // zero when listening: any free one; zero for a Unix socket
  std::string path;        // the path of a Unix socket; else empty
};

}  // namespace coracle::net
