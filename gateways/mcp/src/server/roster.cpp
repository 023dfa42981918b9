#include "server/roster.hpp"

#include "model/tool_names.hpp"

#include "coracle/support/mutations.hpp"

namespace coracle::mcp {

bool Roster::may_show(const Name& agent) const noexcept {
  return exposed_.shows(agent) || visible_.shows(agent) || mutated(Mutation::any_look);
}

bool Roster::enter(const Name& agent, Properties properties) {
  if (!may_show(agent)) return false;
  const auto known = agents_.find(agent);
  if (known != agents_.end()) {
    if (known->second.properties == properties) return false;
    known->second.properties = std::move(properties);
    return true;
  }
  if (agents_.size() >= most_) return false;
  Agent& entered = agents_[agent];
  entered = {agent, std::move(properties), exposed_.shows(agent)};
  if (const auto tool = ask_tool(agent); tool && entered.may_be_asked) tools_[*tool] = &entered;
  return true;
}

bool Roster::remove(const Name& agent) {
  const auto known = agents_.find(agent);
  if (known == agents_.end()) return false;
  if (const auto tool = ask_tool(agent)) tools_.erase(*tool);
  agents_.erase(known);
  return true;
}

const Roster::Agent* Roster::find(const Name& agent) const noexcept {
  const auto known = agents_.find(agent);
  return known == agents_.end() ? nullptr : &known->second;
}

const Roster::Agent* Roster::find_tool(std::string_view tool) const noexcept {
  const auto known = tools_.find(tool);
  return known == tools_.end() ? nullptr : known->second;
}

Roster::Page Roster::tools(std::string_view after, std::size_t most) const {
  Page page;
  auto each = tools_.upper_bound(after);
  const auto first = each;
  for (; each != tools_.end() && page.agents.size() < most; ++each)
    page.agents.push_back(each->second);
  if (each != tools_.end() && each != first) page.next = std::prev(each)->first;
  return page;
}

}  // namespace coracle::mcp
