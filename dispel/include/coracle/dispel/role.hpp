// The common part of all roles of this layer. An agent publishes in the directory which roles it
// plays and which agents it deals with, so that describe() can draw a running society.
#pragma once

#include "coracle/agent.hpp"

#include <string_view>
#include <vector>

namespace coracle::dispel {

// The base of all roles. An agent with several roles has one such base.
class Role : public virtual Agent {
 protected:
  // Publishes that this agent plays `role` and deals with the agents `with`.
  Task<> play(std::string_view role, const std::vector<Name>& with = {});
  // Publishes that this agent does `verb` to the agents `with`, if there are any.
  Task<> deal(std::string_view verb, const std::vector<Name>& with);
  // Publishes one more property.
  Task<> tell(std::string_view key, Operand value);

 private:
  Properties about_;
};

}  // namespace coracle::dispel
