// A guard of requests to addresses that strangers have chosen, such as those of webhooks: without
// it, a stranger could let a gateway send requests to servers that only the gateway can reach.
// Tests: gateways/web/tests/outgoing_test.cpp
#pragma once

#include "coracle/http/client.hpp"
#include "coracle/http/url.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::web {

// The addresses that a gateway may send to. Public addresses of the internet are permitted with
// https and the port 443; all others, such as those of this host, of private networks and of
// services of a cloud, only if they are in the list.
struct OutgoingOptions {
  // True permits http beside https in the networks of the list.
  bool plain_http = false;
  // The ports that are permitted in these networks; none: all of them.
  std::vector<std::uint16_t> ports = {443};
  // Networks that are permitted all the same, as in "10.1.0.0/16", "127.0.0.1" or "fd00::/8".
  std::vector<std::string> networks = {};
};

class Outgoing {
 public:
  // Fails with Errc::bad_options if a network is none.
  explicit Outgoing(const OutgoingOptions& options = {});

  // Returns why nothing is sent to this URL; nothing if it is permitted as far as its text shows.
  // The sentence is for the stranger.
  std::optional<std::string> objection(const http::Url& url) const;
  // Returns whether a connection may be made to this address, an IPv4 or IPv6 address as text, for
  // that URL, whose scheme and port count.
  bool permits(const http::Url& url, std::string_view address) const noexcept;
  // Options of a client that connects to permitted addresses only: the address of a name is judged
  // when it is connected to, since names can change their address.
  http::ClientOptions guarded(http::ClientOptions options) const;

 private:
  struct Network {
    std::array<std::uint8_t, 16> address;  // an IPv4 address as ::ffff:a.b.c.d
    unsigned bits;

    bool contains(const std::array<std::uint8_t, 16>& other) const noexcept;
  };
  bool fits_networks(const http::Url& url) const noexcept;
  bool is_listed(const std::array<std::uint8_t, 16>& address) const noexcept;
  static std::optional<Network> network_in(std::string_view text) noexcept;
  static bool is_public(const std::array<std::uint8_t, 16>& address) noexcept;

  bool plain_http_;
  std::vector<std::uint16_t> ports_;
  std::vector<Network> networks_;
};

}  // namespace coracle::web
