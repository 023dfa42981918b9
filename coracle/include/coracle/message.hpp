// A message that an agent has received.
#pragma once

#include "coracle/envelope.hpp"

namespace coracle {

// The result of a receive. When it is destroyed, the message is acknowledged, and so *consumed*. If
// an exception destroys it, or its agent ends or is fenced first, the message is redelivered to the
// next holder of the name, marked `redelivered`, at most NodeOptions::redelivery_limit times.
class Message : public MessageView {
 public:
  // No message.
  Message() noexcept = default;
  explicit Message(detail::MessageRecord* record) noexcept : MessageView(record) {}
  Message(Message&& other) noexcept : MessageView(std::exchange(other.record_, nullptr)) {}
  Message& operator=(Message&& other) noexcept {
    std::swap(record_, other.record_);
    return *this;
  }
  ~Message() {
    if (record_ != nullptr) settle();
  }

  // Returns whether there is a message.
  explicit operator bool() const noexcept { return record_ != nullptr; }
  // Keeps a request open: its sender goes on waiting when this object is destroyed without a reply.
  // Without this call, the request ends for its sender at that moment, with Errc::unanswered.
  // Outside the agent's own tasks, in a Port, this call acknowledges the message, too.
  void keep() noexcept;
  // Consumes the message now: whatever happens later, it is not redelivered. It keeps a request
  // open, too.
  void acknowledge() noexcept;
  // Consumes the message and returns its content, which then need not be copied to be sent on. No
  // reply to the message is possible after that.
  Content consume() noexcept;
  // Puts the message back to where it was taken from; the next receive that matches gets it again,
  // marked `redelivered`.
  void give_back() noexcept;

 private:
  void settle() noexcept;
};

}  // namespace coracle
