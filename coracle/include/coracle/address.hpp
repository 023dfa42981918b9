// A name that a node has resolved: sending to it needs no look-up.
#pragma once

#include "coracle/name.hpp"

namespace coracle {

namespace detail {
class Party;
struct AgentAccess;
}

// Where an agent is reached, whether or not it is there: 8 bytes, valid while its node lives.
class Address {
 public:
  // Nobody.
  Address() noexcept = default;
  explicit Address(detail::Party* party) noexcept : party_(party) {}

  // The name that was resolved; empty for nobody.
  const Name& name() const noexcept;
  // Whether this is somebody.
  explicit operator bool() const noexcept { return party_ != nullptr; }

  friend bool operator==(Address, Address) noexcept = default;

  // The node's own record; private to the library.
  detail::Party* party() const noexcept { return party_; }

 private:
  detail::Party* party_ = nullptr;
};

}  // namespace coracle
