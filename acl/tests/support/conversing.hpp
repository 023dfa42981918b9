// Agents, identifiers and times for the tests of protocols.
#pragma once

#include "coracle/acl/protocols/initiation.hpp"
#include "coracle/acl/protocols/participations.hpp"

#include <chrono>
#include <ostream>
#include <string>
#include <vector>

namespace coracle::acl {

inline std::ostream& operator<<(std::ostream& out, Outcome outcome) {
  return out << to_string(outcome);
}
inline std::ostream& operator<<(std::ostream& out, Heard heard) {
  return out << static_cast<int>(heard);
}
inline std::ostream& operator<<(std::ostream& out, State state) {
  return out << static_cast<int>(state);
}
inline std::ostream& operator<<(std::ostream& out, Performative act) { return out << to_text(act); }

}  // namespace coracle::acl

namespace coracle::acl::test {

using namespace std::chrono_literals;

inline AgentId agent(std::string name) { return {std::move(name), {}, {}, {}}; }

// "1", "2", …
inline MessageIds counter(std::string prefix = "") {
  return [count = 0, prefix]() mutable { return prefix + std::to_string(++count); };
}

inline Time at(Duration span) { return Time() + span; }

inline Message message(Performative act, std::string sender, std::vector<std::string> receivers) {
  Message made;
  made.performative = act;
  made.sender = agent(std::move(sender));
  for (std::string& each : receivers) made.receivers.push_back(agent(std::move(each)));
  made.language = "fipa-sl0";
  made.content = std::string("(p)");
  return made;
}

inline Speech say(Performative act, std::optional<Duration> reply_within = {},
                  std::string content = "(p)") {
  return {act, std::move(content), reply_within};
}

}  // namespace coracle::acl::test
