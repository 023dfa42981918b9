// Inspections of agents, and an operator's acts on them, by the node of the viewer's agent.
#pragma once

#include "server/json.hpp"

#include "coracle/agent.hpp"
#include "coracle/inspection.hpp"

#include <string_view>

namespace coracle::view {

class Inspections {
 public:
  // The times of the feed outlive this object.
  explicit Inspections(const Times& times) noexcept : times_(times) {}

  // The state of an agent, and the chain of agents that it waits for.
  Task<json::value> agent(Agent& me, Name name);
  Task<json::value> why(Agent& me, Name name);
  // Ends, restarts or records the agent that the request names.
  Task<> act(Agent& me, std::string_view what, const json::object& request);

 private:
  Task<Inspection> look(Agent& me, Name name);
  json::object json_of(const Inspection& found, Time now) const;
  json::object wait_of(const Wait& wait, Time now) const;

  const Times& times_;
  Time next_{};  // inspections before it are later than their pace
};

}  // namespace coracle::view
