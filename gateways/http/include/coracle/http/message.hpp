// Requests and responses.
#pragma once

#include "coracle/http/headers.hpp"
#include "coracle/http/url.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::http {

// A request, of a client that sends it or of a server that has received it.
struct Request {
  std::string method = "GET";
  // A server fills in the scheme of the connection and the host that the client has named.
  Url url = {};
  Headers headers = {};
  std::string body = {};

  // The rest is filled in by a server.
  // The address of the peer: "192.0.2.7:4711" or "[::1]:4711".
  std::string peer = {};
  // The subject of the client's certificate, as RFC 2253 writes it: "CN=ann,O=Lab". Bytes that are
  // not ASCII are escaped. Empty: the client has shown none, or the server does not ask for one.
  std::string certificate_subject = {};
  // The values of {name} in the pattern of the route, decoded.
  std::vector<std::pair<std::string, std::string>> parameters = {};

  // The value of {name} in the pattern of the route; empty if there is none.
  std::string_view parameter(std::string_view name) const noexcept;
};

// A response. A server adds Content-Length and Connection itself.
struct Response {
  int status = 200;
  Headers headers = {};
  std::string body = {};

  // A response with a body of that type.
  static Response with(std::string body, std::string_view type, int status = 200);
  // A line of text, for people: the status and, if it is not empty, `why`.
  static Response plain(int status, std::string_view why = {});
};

// The usual words for a status: "Not Found" for 404; empty for an unknown one.
std::string_view reason_of(int status) noexcept;
// Returns whether the method is safe to repeat: GET, HEAD, OPTIONS, TRACE, PUT, DELETE.
bool is_idempotent(std::string_view method) noexcept;

}  // namespace coracle::http
