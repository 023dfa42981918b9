// The card of a foreign agent: the place where it is reached, and its properties in the society.
// Tests: gateways/a2a/tests/client/foreign_card_test.cpp, tests/fuzz/a2a_answer_fuzz.cpp
#pragma once

#include "coracle/a2a/card.hpp"
#include "coracle/http/url.hpp"
#include "coracle/query.hpp"

#include <string>
#include <vector>

namespace coracle::a2a {

// The place of an agent, and the way of talking with it.
struct ForeignPlace {
  http::Url url;
  std::string tenant = {};
  bool is_rpc = false;   // JSON-RPC, else HTTP+JSON
  bool streams = false;  // it has streams
  bool resumes = false;  // and those that are lost go on, by the extension

  friend bool operator==(const ForeignPlace&, const ForeignPlace&) = default;
};

// The address of the card of an agent. Fails with Errc::bad_options.
http::Url card_url_of(const std::string& address);

// The first place of the card that a client here can use, and that has one of these origins. Fails
// with Errc::unsupported.
ForeignPlace place_in(const AgentCard& card, const std::vector<std::string>& origins);

// The properties of the agent. Long texts are cut, and only the first skills are there.
Properties properties_in(const AgentCard& card);

}  // namespace coracle::a2a
