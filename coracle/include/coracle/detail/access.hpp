// The part of the library that sees the records behind addresses, agents and messages.
#pragma once

#include "coracle/address.hpp"
#include "coracle/agent.hpp"
#include "coracle/envelope.hpp"

#include <utility>

namespace coracle::detail {

struct Access {
  // Returns the node's record of the name; nullptr for nobody.
  static Mailbox* mailbox(const Address& address) noexcept { return address.mailbox_; }
  static Mailbox* mailbox(const Agent& agent) noexcept { return agent.mailbox_; }
  // Returns nullptr when the view is empty.
  static MessageRecord* record(const MessageView& message) noexcept { return message.record_; }
  // Takes the record out of the envelope, which is empty then.
  static MessageRecord* release(Envelope& envelope) noexcept {
    return std::exchange(envelope.record_, nullptr);
  }
};

}  // namespace coracle::detail
