// The address of a name that a node has resolved. Sending to an address needs no look-up.
#pragma once

#include "coracle/name.hpp"

namespace coracle {

namespace detail {
class Mailbox;
struct Access;
}  // namespace detail

// The place where an agent is reached, whether or not an agent holds the name now. An address has 8
// bytes and is valid while its node lives.
class Address {
 public:
  // The address of nobody.
  Address() noexcept = default;
  explicit Address(detail::Mailbox* mailbox) noexcept : mailbox_(mailbox) {}

  // The name that was resolved; empty for nobody.
  const Name& name() const noexcept;
  // Returns whether this is the address of a name.
  explicit operator bool() const noexcept { return mailbox_ != nullptr; }

  friend bool operator==(Address, Address) noexcept = default;

 private:
  friend struct detail::Access;
  detail::Mailbox* mailbox_ = nullptr;
};

}  // namespace coracle
