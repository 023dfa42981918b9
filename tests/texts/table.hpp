// The sentences of all kinds of failure: in which situation each is said, and how it reads. A row
// is a promise to people: the sentence says what happened, to what, and what to do, and is true in
// that situation.
#pragma once

#include "coracle/errors.hpp"
#include "support/society.hpp"

#include <functional>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace coracle::test {

// One situation, and how it is reported.
struct Row {
  const char* situation;
  Errc errc;
  // Makes the situation happen, through what users call; nothing when it went well.
  std::function<std::optional<Error>()> happens;
  // Exactly, but that <n> stands for a number, and <...> for any text.
  const char* sentence;
};
using Rows = std::vector<Row>;

Rows rows_of_values();     // names, options, patterns, content
Rows rows_of_agents();     // what an agent's operations report
Rows rows_of_requests();   // how requests and calls end
Rows rows_of_societies();  // several nodes, servers, the simulator, networks
Rows rows_of_disks();      // files, recordings, tuple spaces
Rows rows_of_decisions();  // votes, contracts, negotiations, markets
Rows rows_of_control();    // pipelines, masters, behaviours
Rows rows_of_keys();       // society keys, certificates
Rows rows_of_outside();    // what Asio's handlers and tests of agents are told

// All of them.
Rows all_rows();
// One behind the other.
Rows joined(std::initializer_list<Rows> parts);

// Whether a sentence is what a row says.
bool fits(std::string_view sentence, std::string_view wanted);

// What leaves `body`, run by the agent "main" of a local society.
std::optional<Error> error_of_agent(Body body, NodeOptions options = quick());

// The same of a call that gives a Result.
template <class T>
std::optional<Error> error_in(const Result<T>& result) {
  if (result) return std::nullopt;
  return result.error();
}

}  // namespace coracle::test
