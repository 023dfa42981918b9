// How much may wait for an agent, and what happens when more comes.
#pragma once

#include "coracle/name.hpp"

#include <cstddef>
#include <cstdint>

namespace coracle {

// What a full mailbox does with one more message.
enum class Overflow : std::uint8_t {
  wait,         // its sender waits until there is room, or its patience ends
  fail,         // its sender is told at once: Errc::mailbox_full
  drop_oldest,  // the oldest message makes room
  drop_newest,  // it is dropped itself
  keep_latest,  // an older message of the same sender makes room, else the oldest
  redirect,     // it goes to another name instead
};

// The limits of a mailbox and its policy. Setters return *this.
class MailboxOptions {
 public:
  // At most that many messages.
  MailboxOptions& messages(std::uint32_t limit) { return messages_ = limit, *this; }
  // Messages are taken while there are fewer bytes of content: the last one may exceed that.
  MailboxOptions& bytes(std::size_t limit) { return bytes_ = limit, *this; }
  // What happens when it is full.
  MailboxOptions& overflow(Overflow policy) { return overflow_ = policy, *this; }
  // Overflow::redirect, to `name`.
  MailboxOptions& redirect_to(Name name) {
    redirect_ = std::move(name);
    return overflow(Overflow::redirect);
  }

  // The limit in messages.
  std::uint32_t messages() const noexcept { return messages_; }
  // The limit in bytes.
  std::size_t bytes() const noexcept { return bytes_; }
  // What happens when it is full.
  Overflow overflow() const noexcept { return overflow_; }
  // Where messages go then, by Overflow::redirect.
  const Name& redirect() const noexcept { return redirect_; }

  bool operator==(const MailboxOptions&) const = default;

 private:
  std::uint32_t messages_ = 1024;
  std::size_t bytes_ = std::size_t{64} << 20;
  Overflow overflow_ = Overflow::wait;
  Name redirect_;
};

}  // namespace coracle
