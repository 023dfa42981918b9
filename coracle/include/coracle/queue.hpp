// A queue holds an agent's messages until they are read. It belongs to the name, not to the present
// holder of the name.
// Realizations: mail_queue() here; a user's own class by Realization::queue.
// Tests: tests/conformance/seams/queue.hpp
#pragma once

#include "coracle/match.hpp"

#include <functional>
#include <memory>

namespace coracle {

// One thread at a time uses a queue. The mailbox around it enforces the limits: it calls size() and
// bytes() before it puts a message in.
class Queue {
 public:
  virtual ~Queue() = default;

  // Puts a message behind all others.
  virtual void put(Envelope envelope) = 0;
  // Puts a message before all others: the message was taken from this queue and came back.
  virtual void put_back(Envelope envelope) = 0;
  // Takes the oldest message that fits; every other message keeps its position. Empty if none fits.
  virtual Envelope take(const Match& match) = 0;
  // The number of messages that fit.
  virtual std::size_t count(const Match& match) const = 0;
  // Calls `show` for every message, oldest first.
  virtual void each(const std::function<void(const Envelope&)>& show) const = 0;
  // The number of messages.
  virtual std::size_t size() const noexcept = 0;
  // The total size of their contents.
  virtual std::size_t bytes() const noexcept = 0;
};

// Makes the queue for a name.
using QueueFactory = std::function<std::unique_ptr<Queue>(const Name& owner)>;

// The library's own queue: first in, first out; once it is long, directed reads use an index by
// sender and conversation.
std::unique_ptr<Queue> mail_queue();
// A factory of these queues. As long as a queue would be no faster, a node with this factory keeps
// waiting messages in a bare list instead.
QueueFactory mail_queues();

}  // namespace coracle
