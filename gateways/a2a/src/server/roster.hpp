// The society's agents that clients may know, with what they have said of themselves.
// Tests: gateways/a2a/tests/cards_test.cpp
#pragma once

#include "coracle/name.hpp"
#include "coracle/query.hpp"
#include "coracle/web/exposure.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::a2a {

// A picture of the directory, which its owner keeps up to date.
class Roster {
 public:
  explicit Roster(web::Exposure exposure, std::size_t most = 100'000)
      : exposure_(std::move(exposure)), most_(most) {}

  // Returns whether the agent of that name may be known, if there is one.
  bool may_show(const Name& agent) const noexcept { return exposure_.shows(agent); }
  // Enters an agent that may be known, with its present properties.
  void enter(const Name& agent, Properties properties);
  void remove(const Name& agent) { agents_.erase(agent); }

  // The properties of an agent; nullptr if no such agent is known.
  const Properties* find(const Name& agent) const noexcept;
  std::vector<Name> names() const;
  std::size_t size() const noexcept { return agents_.size(); }

  // A part of the list of agents, in the order of their names.
  struct Page {
    std::vector<Name> names;
    std::string next;  // begins the next page; empty: this is the last one
  };
  // The agents whose names come after `after`.
  Page page(std::string_view after, std::size_t most) const;

 private:
  const web::Exposure exposure_;
  const std::size_t most_;
  std::map<Name, Properties> agents_;
};

}  // namespace coracle::a2a
