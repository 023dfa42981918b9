// Is told what becomes of the messages and agents of a node, as it happens: for whoever records.
// A node without one does not ask for it; with one, every message takes the longer way on which it
// is seen (decision 15).
// Realizations: recording::Recorder, <coracle/recording/recorder.hpp>.
#pragma once

#include "coracle/ending.hpp"
#include "coracle/envelope.hpp"

#include <cstdint>
#include <string_view>

namespace coracle {

// What can happen.
enum class Happening : std::uint8_t {
  accepted,        // a message: its sender's node keeps it; `detail` is its number there
  kept,            // it is in a mailbox
  handed_out,      // it is in an agent's hands
  given_back,      // it came back from there
  consumed,        // ... and so on: its outcome
  expired,         //
  refused,         //
  undeliverable,   //
  dropped,         // `detail` is the DropReason
  custodian_lost,  //
  copy_kept,       // an eavesdropper's copy of it is in the hearer's mailbox
  copy_handed,     // ... and in the hearer's hands
  began,           // an agent
  ended,           // `detail` is the EndReason, `text` what the exception said
  joined,          // `text` is the group
  left,            // `text` is the group
  alarm,           // a pause or a deadline of the agent has come
  computed,        // a computation of the agent is done
};

// "accepted", "kept", …
const char* to_string(Happening what) noexcept;

// One thing that happened. What it refers to lives as long as the call that tells of it.
struct Observation {
  Happening what = Happening::accepted;
  std::uint64_t message = 0;     // its number, if it is about one
  const Name* agent = nullptr;   // whose worker, mailbox or act it was
  Incarnation life;              // of that agent
  unsigned worker = 0;
  Time at;
  std::uint64_t detail = 0;
  std::string_view text;
};

// Told by all workers of one node; those of an agent in the order in which they happened. It must
// not throw. It may wait, which the worker does with it.
class Observer {
 public:
  virtual ~Observer() = default;

  // A message that was not seen before; `to` is the agent that it is for. Gives its number, above
  // zero, by which everything else is told.
  virtual std::uint64_t meet(const MessageView& message, const Name& to, Incarnation source_life,
                             unsigned worker, Time at) noexcept = 0;
  // Something happened.
  virtual void observe(const Observation& seen) noexcept = 0;
};

}  // namespace coracle
