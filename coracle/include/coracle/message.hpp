// A message in its receiver's hands.
#pragma once

#include "coracle/envelope.hpp"

namespace coracle {

// What a receive gives. It is acknowledged, and so *consumed*, when it is destroyed; if an
// exception destroys it, or its agent ends or is fenced first, it is given again to the next
// holder of the name, marked `redelivered`, a settable number of times.
class Message : public MessageView {
 public:
  // Nothing.
  Message() noexcept = default;
  explicit Message(detail::Parcel* parcel) noexcept : MessageView(parcel) {}
  Message(Message&& other) noexcept : MessageView(std::exchange(other.parcel_, nullptr)) {}
  Message& operator=(Message&& other) noexcept {
    std::swap(parcel_, other.parcel_);
    return *this;
  }
  ~Message() {
    if (parcel_ != nullptr) settle();
  }

  // Whether there is one.
  explicit operator bool() const noexcept { return parcel_ != nullptr; }
  // Whoever asked goes on waiting when this is destroyed without an answer. Otherwise the question
  // ends for its asker at that moment, with Errc::unanswered. Outside the agent's own tasks, in a
  // Port, it acknowledges the message, too.
  void keep() noexcept;
  // Consumes it now: whatever happens later, it is not given again. It keeps a question, too.
  void acknowledge() noexcept;
  // Consumes it and gives its content, which then need not be copied to be sent on. It cannot be
  // answered any more.
  Content consume() noexcept;
  // Puts it back to where it was taken from; the next receive that matches gets it again, marked.
  void give_back() noexcept;

 private:
  void settle() noexcept;
};

}  // namespace coracle
