// What a society did, as its own agents wrote it down: one log for each life of a name. No clock
// is common to the logs; what happened before what follows from the messages in them.
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

namespace coracle::contract {

// Given by the sender and written into the content; unique in a trace.
using MessageId = std::uint64_t;

// Which messages a read wanted.
struct Wanted {
  std::string from;               // empty: anybody's
  Conversation conversation = 0;  // zero: of any
  int parity = -1;                // of the id; -1: either
};

// Which messages an ear hears.
struct Hearing {
  std::string source;   // empty: anybody's
  std::string target;   // empty: to anybody
  int last_digit = -1;  // of the id; -1: any
};

// One line of a log.
struct Event {
  enum class Kind : std::uint8_t {
    making,        // about to create the life `life`
    sending,       // about to send `id` to `targets` (or to the members of the group targets[0])
    sent,          // the send of `id` returned
    failed,        // the send of `id` failed with `errc`
    received,      // a read that wanted `wanted` gave `id` from `name`
    acknowledged,  // `id` was consumed
    gave_back,     // `id` was put back
    heard,         // `ear` gave a copy of `id` from `name`
    gap,           // `ear` gave a marker for `count` copies
    joining,       // about to become a member of `name`
    joined,        // is one
    leaving,       // about to leave the group `name`
    ear_opening,   // about to hear what fits `hearing`
    ear_opened,    // hears it, as `ear`
    ear_closing,   // about to hear it no more
    asked,         // the request `id` ended: with the reply `reply`, or with `errc`
    outcome,       // the receipt of `id` says that it ended at `name` with `outcome`
    addressed,     // the receipt of `id` names `name`, where it had no end yet
    dead_letter,   // `id` to `name` was found among the dead letters
    drained,       // read everything that there was, until the node stopped
  };

  Kind kind{};
  MessageId id = 0;
  std::string name;
  // Of what is sent:
  std::vector<std::string> targets;
  bool to_group = false;
  bool request = false;
  bool may_expire = false;
  bool tracked = false;
  MessageId answers = 0;  // the request that it is the reply to
  Conversation conversation = 0;
  // Of what is read:
  Wanted wanted;
  bool redelivered = false;
  Hearing hearing;
  std::uint64_t ear = 0;
  std::uint64_t count = 0;
  // Of what has ended:
  Errc errc{};
  MessageId reply = 0;
  Outcome outcome{};
  std::size_t life = 0;
};

// How a life ended.
enum class End : std::uint8_t {
  stopped,            // with its node, or by returning
  crashed,            // by an exception
  fenced,             // another life took its name over
  crashed_or_fenced,  // both happened, and nobody can say which came first
  lost,               // its node lost its power
};

inline bool may_have_crashed(End end) noexcept {
  return end == End::crashed || end == End::crashed_or_fenced;
}
inline bool may_be_fenced(End end) noexcept {
  return end == End::fenced || end == End::crashed_or_fenced;
}
// Whether its last acts may have had no effect on anybody else.
inline bool may_be_undone(End end) noexcept { return may_be_fenced(end) || end == End::lost; }

// One life of a name. Lives of one name follow each other in the order of Trace::logs.
struct Log {
  std::string agent;
  End end = End::stopped;
  std::vector<Event> events;
  // Its node lost its power, then or later, and with it all messages that it was the custodian of.
  bool node_lost = false;
};

// How a society came to its end once faults had stopped (liveness.hpp).
struct Liveness {
  Duration allowed{};
  Duration took{};
  std::uint64_t under_way = 0;           // messages between nodes or workers when time was up
  std::vector<std::string> still_alive;  // agents that had not ended by then
};

// Everything that is known of a run that has become quiet.
struct Trace {
  std::vector<Log> logs;
  std::map<std::string, MailboxOptions> boxes;     // of every name
  std::map<std::string, std::size_t> undelivered;  // by name, when the node stopped
  Ledger ledger;                                   // at that moment
  Ledger lost;                                     // of these, when they did; not part of the other
  Liveness liveness;

  // For people: one line per event.
  std::string to_string() const;
};

const char* to_string(Event::Kind kind) noexcept;
std::string to_string(const Event& event);

}  // namespace coracle::contract
