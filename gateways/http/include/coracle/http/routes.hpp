// The table by which a server finds the handler of a request.
// Tests: gateways/http/tests/routes_test.cpp
#pragma once

#include "coracle/http/message.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::http {

class Responder;

// Handles a request: it responds, now or later, by the responder. It is called on the thread of the
// server's loop and must not wait.
using Handler = std::function<void(Request, Responder)>;

// Handlers by method and by pattern of the path.
class Routes {
 public:
  // The result of a search.
  struct Found {
    // The handler, and the values of its pattern; nullptr if there is none.
    const Handler* handler = nullptr;
    std::vector<std::pair<std::string, std::string>> parameters = {};
    // The methods that the path has handlers for: "GET, HEAD, OPTIONS"; empty for an unknown path.
    std::string allowed = {};
  };

  // Adds a handler. A pattern consists of segments: "/agents/{name}/card". {name} stands for any
  // one segment, and {rest...} at the end for all that follow, perhaps none. A text in a pattern is
  // preferred to {name}, and {name} to {rest...}. A handler for GET is one for HEAD, too. Fails
  // with Errc::bad_options.
  Routes& on(std::string_view method, std::string_view pattern, Handler handler);

  // Finds the handler for a path as it came in a request. A path that cannot be decoded, or that
  // has a segment "." or "..", is unknown. A server responds itself to OPTIONS without a handler.
  Found find(std::string_view method, std::string_view path) const;
  // Returns whether a handler for that method exists at any path.
  bool knows(std::string_view method) const noexcept;

 private:
  struct Segment {
    enum class Kind : unsigned char { text, one, rest };
    Kind kind;
    std::string text;
  };
  struct Route {
    std::string method;
    std::vector<Segment> segments;
    Handler handler;
  };

  static bool fits(const Route& route, const std::vector<std::string>& path);
  static bool comes_before(const Route& a, const Route& b);

  std::vector<Route> routes_;  // the preferred ones first
};

}  // namespace coracle::http
