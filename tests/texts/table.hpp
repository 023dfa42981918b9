// The sentences of all kinds of failure, each with its situation. A row is a promise to people: the
// sentence describes what happened, to what, and what to do, and is true in that situation.
#pragma once

#include "coracle/errors.hpp"
#include "support/societies/test_society.hpp"

#include <functional>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace coracle::test {

// One situation, and its sentence.
struct Row {
  const char* situation;
  Errc errc;
  // Makes the situation happen, through the functions that users call; returns nothing when there
  // was no error.
  std::function<std::optional<Error>()> happens;
  // The exact sentence, except that <n> stands for a number, and <...> for any text.
  const char* sentence;
};
using Rows = std::vector<Row>;

Rows rows_of_values();     // names, options, patterns, content
Rows rows_of_settings();   // patterns, options, texts of realizations, policies
Rows rows_of_agents();     // failed operations of an agent
Rows rows_of_requests();   // the ends of requests and calls
Rows rows_of_societies();  // several nodes, servers, the simulator, networks
Rows rows_of_disks();      // files, recordings, tuple spaces
Rows rows_of_decisions();  // votes, contracts, negotiations, markets
Rows rows_of_control();    // pipelines, masters, behaviours
Rows rows_of_keys();       // society keys, certificates
Rows rows_of_outside();    // Asio's handlers and tests of agents
Rows rows_of_acl();        // messages of FIPA; none without CORACLE_HAS_ACL
Rows rows_of_fipa();       // contents and protocols of FIPA, likewise
Rows rows_of_contract_nets();  // contracts across a gateway; none without CORACLE_HAS_FIPA

// All rows.
Rows all_rows();
// The rows of all parts, one part after the other.
Rows joined(std::initializer_list<Rows> parts);

// Returns whether a sentence matches that of a row.
bool fits(std::string_view sentence, std::string_view wanted);

// The error that leaves `body`, run by the agent "main" of a local society.
std::optional<Error> error_of_agent(Body body, NodeOptions options = quick());

// The error of a function.
template <class Action>
std::function<std::optional<Error>()> by(Action action) {
  return [action] { return error_from(action); };
}

// The error of a call that returns a Result.
template <class T>
std::optional<Error> error_in(const Result<T>& result) {
  if (result) return std::nullopt;
  return result.error();
}

}  // namespace coracle::test
