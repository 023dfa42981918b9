// The message that an agent shows to its function, on the worker that calls the function. Its
// handle is not in the table, because it is valid only there and then, and must cost little.
#pragma once

#include "objects.hpp"

namespace coracle::c {

class Acting;

// An agent's function that a thread is in; all are null outside of one.
struct Inside {
  Acting* agent = nullptr;
  Agent* me = nullptr;  // the same
  const coracle_agent* self = nullptr;
  MessageObject* message = nullptr;
  const coracle_message* shown = nullptr;
};
[[gnu::tls_model("initial-exec")]] extern thread_local constinit const Inside* inside;

// Fails for a message that was given back.
void require_message(const MessageObject& object);

// A message that is being read; a shown one has no other owner.
class Reading {
 public:
  // Fails when there is no such message.
  explicit Reading(const coracle_message* message) {
    if (message != nullptr && message == inside->shown) {
      object_ = inside->message;
    } else {
      owner_ = object_of<MessageObject>(message);
      object_ = owner_.get();
    }
    require_message(*object_);
  }
  MessageObject* operator->() const noexcept { return object_; }
  MessageObject& operator*() const noexcept { return *object_; }
  bool is_shown() const noexcept { return owner_ == nullptr; }

 private:
  std::shared_ptr<MessageObject> owner_;
  MessageObject* object_;
};

// Returns the message, with an owner that may keep it for a worker.
std::shared_ptr<MessageObject> shared_message_of(const coracle_message* message);

}  // namespace coracle::c
