// An observer is notified of the events of the messages and agents of a node as they happen, for
// example to record them. Without an observer a node does no extra work; with one, every message
// takes the slower path on which it is observed (decision 15).
// Realizations: recording::Recorder, <coracle/recording/recorder.hpp>.
#pragma once

#include "coracle/ending.hpp"
#include "coracle/envelope.hpp"

#include <cstdint>
#include <string_view>

namespace coracle {

// The kinds of event.
enum class Happening : std::uint8_t {
  accepted,       // a message: its sender's node keeps it; `detail` is its number there
  kept,           // the message is in a mailbox
  handed_out,     // an agent received the message
  given_back,     // the agent gave the message back
  consumed,       // ... from here on: the message's outcome
  expired,        //
  refused,        //
  undeliverable,  //
  dropped,        // `detail` is the DropReason
  store_lost,     //
  copy_kept,      // an eavesdropper's copy of the message is in the eavesdropper's mailbox
  copy_handed,    // ... and the eavesdropper received it
  began,          // an agent began
  ended,          // the agent ended; `detail` is the EndReason, `text` the exception's text
  joined,         // the agent joined a group; `text` is the group
  left,           // the agent left a group; `text` is the group
  alarm,          // a pause or a deadline of the agent ended
  computed,       // a computation of the agent is done
};

// The name of an event: "accepted", "kept", …
const char* to_string(Happening what) noexcept;

// One event. The objects to which it refers live only as long as the call that reports it.
struct Observation {
  Happening what = Happening::accepted;
  std::uint64_t message = 0;    // the message's number, if the event is about a message
  const Name* agent = nullptr;  // the agent whose worker, mailbox or action it was
  Incarnation life;             // of that agent
  unsigned worker = 0;
  Time at;
  std::uint64_t detail = 0;
  std::string_view text;
};

// All workers of one node call it; the events of an agent come in the order in which they happened.
// It must not throw. It may block, and blocks the worker then.
class Observer {
 public:
  virtual ~Observer() = default;

  // Reports a message that was not reported before; `to` is its target agent. Returns the message's
  // number, above zero, which all later events use; or zero, if it does not want this message.
  virtual std::uint64_t meet(const MessageView& message, const Name& to, Incarnation source_life,
                             unsigned worker, Time at) noexcept = 0;
  // Reports one event. A message that the observer does not want has the number zero.
  virtual void observe(const Observation& seen) noexcept = 0;
  // An operator marks an agent, or removes the mark. Returns false when the observer does not
  // choose by marks, or has too many.
  virtual bool mark(const Name& agent, bool is_marked) noexcept {
    static_cast<void>(agent), static_cast<void>(is_marked);
    return false;
  }
};

}  // namespace coracle
