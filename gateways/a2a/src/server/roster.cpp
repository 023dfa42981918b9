#include "server/roster.hpp"

namespace coracle::a2a {

void Roster::enter(const Name& agent, Properties properties) {
  if (!may_show(agent)) return;
  const auto known = agents_.find(agent);
  if (known != agents_.end()) known->second = std::move(properties);
  else if (agents_.size() < most_) agents_.emplace(agent, std::move(properties));
}

const Properties* Roster::find(const Name& agent) const noexcept {
  const auto known = agents_.find(agent);
  return known == agents_.end() ? nullptr : &known->second;
}

std::vector<Name> Roster::names() const {
  std::vector<Name> all;
  all.reserve(agents_.size());
  for (const auto& each : agents_) all.push_back(each.first);
  return all;
}

Roster::Page Roster::page(std::string_view after, std::size_t most) const {
  Page page;
  auto each = agents_.begin();
  if (!after.empty()) {
    const auto name = Name::parse(after);
    each = name ? agents_.upper_bound(*name) : agents_.end();
  }
  for (; each != agents_.end() && page.names.size() < most; ++each)
    page.names.push_back(each->first);
  if (each != agents_.end() && !page.names.empty()) page.next = page.names.back().str();
  return page;
}

}  // namespace coracle::a2a
