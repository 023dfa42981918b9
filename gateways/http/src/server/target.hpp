// The target of a request: where it leads, by its first line and its header Host. Pure.
// Tests: gateways/http/tests/session_test.cpp
#pragma once

#include "coracle/http/url.hpp"
#include "message/reading.hpp"

#include <optional>
#include <string>

namespace coracle::http {

struct Target {
  Url url;
  bool is_server = false;  // OPTIONS * is about the whole server
};

// Finds the target of a request to the server at `own`; returns a fault if there is none.
std::optional<Fault> find_target(const Head& head, const Url& own, Target& into);

}  // namespace coracle::http
