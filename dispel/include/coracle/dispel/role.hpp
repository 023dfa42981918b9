// What all roles of this layer have in common: they say in the directory what they are and whom
// they deal with, so that describe() can draw the architecture of a society that runs.
#pragma once

#include "coracle/agent.hpp"

#include <string_view>
#include <vector>

namespace coracle::dispel {

// The base of all roles. An agent that has several has one of these.
class Role : public virtual Agent {
 protected:
  // Says that this agent is that, and deals with those.
  Task<> play(std::string_view role, const std::vector<Name>& with = {});
  // Says that it does that to those, if there are any.
  Task<> deal(std::string_view verb, const std::vector<Name>& with);
  // Says something more.
  Task<> tell(std::string_view key, Operand value);

 private:
  Properties about_;
};

}  // namespace coracle::dispel
