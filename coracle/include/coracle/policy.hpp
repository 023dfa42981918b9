// The rules for the actions of members. One object decides; without a policy every member may do
// everything.
#pragma once

#include "coracle/name.hpp"

#include <cstdint>
#include <string_view>

namespace coracle {

// The actions that a policy permits or refuses.
enum class Action : std::uint8_t {
  claim,     // hold the name `to`
  send,      // send a message from `from` to `to`
  overhear,  // as `from`, overhear messages to `to`; asked per copy, for source and target apart
  join,      // as `from`, become a member of the group `to`
  redirect,  // as the mailbox `from`, hand on to `to` what others sent, in their names
  inspect,   // see the state, the mailbox and the waits of the agent `to`
  operate,   // end or restart the agent `to`
  audit,     // see the refusals of agents that acted, or would have acted, as `to`
};

// Decides about actions. It is called at every delivery; it is safe to call from every thread,
// never waits, and never throws.
class Policy {
 public:
  virtual ~Policy() = default;
  // Returns whether the holder of `identity`, acting as `from`, may do `action` to `to`. A server
  // passes the name that a certificate proves, or none; a node passes the identity that it claims
  // for itself.
  virtual bool allows(std::string_view identity, Action action, const Name& from,
                      const Name& to) const noexcept = 0;
};

}  // namespace coracle
