// Who may do what. One place says yes or no; without a policy every member may do everything.
#pragma once

#include "coracle/name.hpp"

#include <cstdint>
#include <string_view>

namespace coracle {

// What an identity may want to do.
enum class Action : std::uint8_t {
  claim,     // hold the name `to`
  send,      // send a message from `from` to `to`
  overhear,  // as `from`, hear what is sent to `to`; asked for each copy, source and target apart
  join,      // as `from`, become a member of the group `to`
  redirect,  // as the mailbox `from`, hand on to `to` what others sent, in their names
  audit,     // see what was refused to who acts, or would have acted, as `to`
};

// Asked at every delivery; safe to call from every thread, never waits, never throws.
class Policy {
 public:
  virtual ~Policy() = default;
  // Whether the holder of `identity`, acting as `from`, may do `action` to `to`. A server asks with
  // the name that a certificate proves, or none; a node, with what it claims of itself.
  virtual bool allows(std::string_view identity, Action action, const Name& from,
                      const Name& to) const noexcept = 0;
};

}  // namespace coracle
