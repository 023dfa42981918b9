// The events of a society, as its own agents wrote them down: one log for each incarnation of a
// name. The logs have no common clock; the order of events follows from the messages in them.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/envelope.hpp"
#include "coracle/errors.hpp"
#include "coracle/mailbox.hpp"
#include "coracle/outcome.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::conformance {

// The sender assigns it and writes it into the content; it is unique in a trace.
using MessageId = std::uint64_t;

// The condition of a read.
struct Wanted {
  std::string from;               // empty: from anybody
  Conversation conversation = 0;  // zero: any
  int parity = -1;                // of the id; -1: either
};

// The pattern of a tap.
struct Hearing {
  std::string source;   // empty: from anybody
  std::string target;   // empty: to anybody
  int last_digit = -1;  // of the id; -1: any
  std::uint32_t limit = 1000;
};

// One line of a log.
struct Event {
  enum class Kind : std::uint8_t {
    making,        // about to create the incarnation `life`
    sending,       // about to send `id` to `targets` (or to the members of the group targets[0])
    sent,          // the send of `id` returned
    failed,        // the send of `id` failed with `errc`
    received,      // a read that wanted `wanted` returned `id` from `name`
    acknowledged,  // `id` was consumed
    gave_back,     // `id` was put back
    heard,         // `tap` received a copy of `id` from `name`
    gap,           // `tap` received a gap of `count` copies
    joining,       // about to become a member of `name`
    joined,        // is a member of `name`
    leaving,       // about to leave the group `name`
    tap_opening,   // about to open a tap for `hearing`
    tap_opened,    // the tap is open, as `tap`
    tap_closing,   // about to close the tap
    asked,         // the request `id` ended: with the reply `reply`, or with `errc`
    outcome,       // the receipt of `id` reports that it ended at `name` with `outcome`
    addressed,     // the receipt of `id` names `name`, where it had no end yet
    dead_letter,   // `id` to `name` was found among the dead letters
    drained,       // has read all waiting messages, until the node stopped
  };

  Kind kind{};
  MessageId id = 0;
  std::string name;
  // Of a message that is sent:
  std::vector<std::string> targets;
  bool to_group = false;
  bool request = false;
  bool may_expire = false;
  bool tracked = false;
  bool is_large = false;  // larger than some nodes take
  MessageId answers = 0;  // the request to which it is the reply
  Conversation conversation = 0;
  // Of a message that is read:
  Wanted wanted;
  bool redelivered = false;
  Hearing hearing;
  std::uint64_t tap = 0;
  std::uint64_t count = 0;
  // Of an operation that has ended:
  Errc errc{};
  MessageId reply = 0;
  Outcome outcome{};
  std::size_t life = 0;
};

// The end of an incarnation.
enum class End : std::uint8_t {
  stopped,            // with its node, or by returning
  crashed,            // by an exception
  fenced,             // another incarnation took its name over
  crashed_or_fenced,  // both happened, in an unknown order
  lost,               // its node lost its power
};

inline bool may_have_crashed(End end) noexcept {
  return end == End::crashed || end == End::crashed_or_fenced;
}
inline bool may_be_fenced(End end) noexcept {
  return end == End::fenced || end == End::crashed_or_fenced;
}
// Returns whether the last acts of the incarnation may have had no effect on others.
inline bool may_be_undone(End end) noexcept { return may_be_fenced(end) || end == End::lost; }

// One incarnation of a name. The incarnations of one name follow each other in the order of
// Trace::logs.
struct Log {
  std::string agent;
  End end = End::stopped;
  std::vector<Event> events;
  // Its node lost its power, then or later, and with it all messages that the node stored.
  bool node_lost = false;
  bool takes_large = true;  // its node takes large messages
};

// The end of a society after faults had stopped (liveness.hpp).
struct Liveness {
  Duration allowed{};
  Duration took{};
  std::uint64_t under_way = 0;           // messages between nodes or workers when time was up
  std::vector<std::string> still_alive;  // agents that had not ended when time was up
};

// Everything that is known of a run that has become quiet.
struct Trace {
  std::vector<Log> logs;
  std::map<std::string, MailboxOptions> boxes;     // of every name
  std::map<std::string, std::size_t> undelivered;  // by name, when the node stopped
  Ledger ledger;                                   // when the node stopped
  Ledger lost;                                     // of lost nodes; not part of `ledger`
  Liveness liveness;
  bool taps_are_in_time = false;  // see Subject
  bool is_settled = false;        // all links were whole when the nodes began to stop

  // A text for people: one line for each event.
  std::string to_string() const;
};

const char* to_string(Event::Kind kind) noexcept;
std::string to_string(const Event& event);

}  // namespace coracle::conformance
