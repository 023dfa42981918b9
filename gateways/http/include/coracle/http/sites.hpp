// The web pages that may use a server. A browser sends requests of any page to any server that it
// can reach, also to one on this host; a page may also give its own name the address of this host
// (DNS rebinding). A server that checks Host and Origin refuses both.
// Tests: gateways/http/tests/sites_test.cpp
#pragma once

#include "coracle/http/message.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::http {

// The hosts and the origins that a server accepts.
struct Sites {
  // The names and addresses under which clients may reach the server, without ports:
  // "localhost", "127.0.0.1", "::1", "agents.example.org".
  std::vector<std::string> hosts = {"localhost", "127.0.0.1", "::1"};
  // The origins whose pages may use it, beside pages of the server itself: "https://example.org".
  std::vector<std::string> origins = {};

  // Returns why a request is refused; nothing if it is accepted. A request without Origin does not
  // come from a page of another site.
  std::optional<std::string> objection(const Request& request) const;
  // Returns the origin of the request if it is in the list; its pages may read responses then.
  std::optional<std::string_view> shared_with(const Request& request) const;
};

}  // namespace coracle::http
