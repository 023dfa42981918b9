// The agents of the society that clients may ask or look at, as far as the gateway knows them.
// Tests: gateways/mcp/tests/gateway_test.cpp
#pragma once

#include "coracle/name.hpp"
#include "coracle/query.hpp"
#include "coracle/web/exposure.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::mcp {

class Roster {
 public:
  // An agent, with its properties.
  struct Agent {
    Name name;
    Properties properties;
    bool may_be_asked = false;
  };
  // Part of the agents, sorted by the names of their tools.
  struct Page {
    std::vector<const Agent*> agents;
    std::string next;  // the tool after which the next page begins; empty: this is the last one
  };

  // Keeps at most that many agents.
  Roster(web::Exposure exposed, web::Exposure visible, std::size_t most)
      : exposed_(std::move(exposed)), visible_(std::move(visible)), most_(most) {}

  // Enters an agent, or its new properties; leaves out those that clients may not know. Returns
  // whether that changes anything for clients.
  bool enter(const Name& agent, Properties properties);
  // Removes an agent; returns whether it was there.
  bool remove(const Name& agent);
  void clear() noexcept { agents_.clear(), tools_.clear(); }

  // Returns whether clients may look at an agent of that name.
  bool may_show(const Name& agent) const noexcept;
  // The agent of that name, or that is asked by that tool; nullptr if clients know none.
  const Agent* find(const Name& agent) const noexcept;
  const Agent* find_tool(std::string_view tool) const noexcept;
  // The agents that may be asked, whose tools are after `after`, at most so many.
  Page tools(std::string_view after, std::size_t most) const;
  // All agents that clients know, sorted by name.
  const std::map<Name, Agent>& all() const noexcept { return agents_; }
  std::size_t size() const noexcept { return agents_.size(); }
  // The number of agents that may be asked.
  std::size_t tool_count() const noexcept { return tools_.size(); }

 private:
  web::Exposure exposed_, visible_;
  std::size_t most_;
  std::map<Name, Agent> agents_;
  std::map<std::string, const Agent*, std::less<>> tools_;
};

}  // namespace coracle::mcp
