// The limits of a mailbox, and its overflow policy.
#pragma once

#include "coracle/name.hpp"

#include <cstddef>
#include <cstdint>

namespace coracle {

// The rule for a message that comes to a full mailbox.
enum class Overflow : std::uint8_t {
  wait,         // the message's sender waits until there is room, or its patience ends
  fail,         // the message's sender gets an error at once: Errc::mailbox_full
  drop_oldest,  // the oldest message is dropped to make room
  drop_newest,  // the new message is dropped
  keep_latest,  // an older message of the same sender is dropped to make room, else the oldest
  redirect,     // the message goes to another name instead
};

// The limits of a mailbox and its overflow policy. Setters return *this.
class MailboxOptions {
 public:
  // Sets the largest number of messages.
  MailboxOptions& messages(std::uint32_t limit) { return messages_ = limit, *this; }
  // Messages are accepted while the mailbox holds fewer bytes of content than this: the last
  // message may exceed the limit.
  MailboxOptions& bytes(std::size_t limit) { return bytes_ = limit, *this; }
  // Sets the overflow policy.
  MailboxOptions& overflow(Overflow policy) { return overflow_ = policy, *this; }
  // Sets Overflow::redirect, to `name`.
  MailboxOptions& redirect_to(Name name) {
    redirect_ = std::move(name);
    return overflow(Overflow::redirect);
  }

  // The limit in messages.
  std::uint32_t messages() const noexcept { return messages_; }
  // The limit in bytes.
  std::size_t bytes() const noexcept { return bytes_; }
  // The overflow policy.
  Overflow overflow() const noexcept { return overflow_; }
  // The name to which Overflow::redirect sends messages.
  const Name& redirect() const noexcept { return redirect_; }

  bool operator==(const MailboxOptions&) const = default;

 private:
  std::uint32_t messages_ = 1024;
  std::size_t bytes_ = std::size_t{64} << 20;
  Overflow overflow_ = Overflow::wait;
  Name redirect_;
};

}  // namespace coracle
