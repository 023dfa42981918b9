// Holds an agent's messages until they are read. It belongs to the name, not to the agent that
// happens to run under it.
// Realizations: mail_queue() here; a user's own class by Realization::queue.
// Contract: tests/contract/queue.hpp
#pragma once

#include "coracle/match.hpp"

#include <functional>
#include <memory>

namespace coracle {

// Used by one thread at a time. How much it may hold is decided by the mailbox around it, which
// asks for size() and bytes() before it puts anything in.
class Queue {
 public:
  virtual ~Queue() = default;

  // Puts a message behind all others.
  virtual void put(Envelope envelope) = 0;
  // Puts a message before all others: it was taken from here and came back.
  virtual void put_back(Envelope envelope) = 0;
  // Takes the oldest message that fits; everything else keeps its place. Empty if none fits.
  virtual Envelope take(const Match& match) = 0;
  // How many messages fit.
  virtual std::size_t count(const Match& match) const = 0;
  // Shows every message, oldest first.
  virtual void each(const std::function<void(const Envelope&)>& show) const = 0;
  // How many messages there are.
  virtual std::size_t size() const noexcept = 0;
  // The size of their content, added up.
  virtual std::size_t bytes() const noexcept = 0;
};

// Makes the queue for a name.
using QueueFactory = std::function<std::unique_ptr<Queue>(const Name& owner)>;

// The library's own queue: first in, first out; once it is long, directed reads use an index by
// sender and conversation.
std::unique_ptr<Queue> mail_queue();
// Makes those. A node that is given this keeps what waits in a bare list instead, as long as a
// queue would be no faster.
QueueFactory mail_queues();

}  // namespace coracle
