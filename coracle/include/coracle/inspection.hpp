// Inspects an agent: what it does, what it waits for and since when, its mailbox, its last errors.
// Nothing is taken away, and an agent that nobody inspects pays nothing.
#pragma once

#include "coracle/directory.hpp"
#include "coracle/mailbox.hpp"
#include "coracle/message.hpp"
#include "coracle/message_kind.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coracle {

class Agent;
class Node;

// The things that an agent waits for.
enum class WaitFor : std::uint8_t {
  message,      // a receive: a message that fits
  reply,        // the reply to a request that was accepted
  room,         // room in a mailbox, or on the way to it, for a message or a request
  pause,        // time
  computation,  // the result of compute()
};

// The activity of an agent.
enum class Activity : std::uint8_t {
  absent,  // nobody holds the name
  waits,   // all that is known of it waits for something
  runs,    // it runs, or will soon; or it waits for something else: the directory, a receipt
  silent,  // its node or its worker does not reply: it is busy, or cut off
};

// One thing that an agent waits for.
struct Wait {
  WaitFor what = WaitFor::message;
  // The agent that is to send the message or the reply, or that has the mailbox; empty: anybody.
  Name whom;
  // The conversation of the request or the reply; zero: any.
  Conversation conversation = 0;
  // A receive also tests what is in the message.
  bool tests_content = false;
  // The time that the wait has lasted, to a few milliseconds or a tenth. When `is_at_least`, it
  // has lasted that long or longer: this is the time since somebody inspected the agent for the
  // first time in this wait. Nothing: it has not been seen before.
  std::optional<Duration> since;
  bool is_at_least = false;
  // The time that it may still last; nothing: there is no deadline.
  std::optional<Duration> left;
};

// A message that waits in a mailbox; of a long one, the beginning.
struct WaitingMessage {
  MessageKind kind = MessageKind::plain;
  bool is_again = false;  // it was handed out before
  Conversation conversation = 0;
  std::string source;
  std::uint64_t size = 0;
  std::string text;
};

// One of an agent's taps.
struct InspectedTap {
  std::uint64_t id = 0;
  std::uint32_t limit = 0;   // of copies in the mailbox
  std::uint32_t queued = 0;  // copies in the mailbox
  std::uint64_t missed = 0;  // copies that are missing, since the last gap marker
};

// An error that the agent has met, or the exception that ended its former life.
struct InspectedError {
  Duration ago{};
  std::string text;
};

// The processor time that an agent has used, of the time for which its node has measured that. A
// measurement begins with an inspection, and ends a minute after the last one.
struct RunTime {
  // Of its coroutines, and of its computations that have ended; those that go on do not count yet.
  Duration ran{};
  // Zero: its node does not measure, as in the simulator.
  Duration measured{};

  // The share of a processor that it has used since `before`, from 0 to 1; if another measurement
  // has begun since, the share of that one. Nothing, if no time was measured.
  std::optional<double> share_since(const RunTime& before) const noexcept;
};

// The result of an inspection. Where there is a limit on a list, the first entries are in it, and
// the count beside the list is that of all.
struct Inspection {
  Name name;
  // The society's policy lets this node inspect the name. If not, the rest is empty.
  bool is_allowed = true;

  // The lease and the identity of the holder's node, as the directory knows them; zero and empty:
  // nobody holds the name.
  LeaseId lease = 0;
  std::string node;

  // --- the agent, reported by its node ---
  Activity activity = Activity::absent;
  Incarnation life;
  std::optional<Duration> age;  // the time since this life began, to a tenth
  RunTime running;              // its use of a processor
  std::vector<Wait> waits;      // 64 at most
  std::uint64_t requests = 0;   // requests without a reply
  std::uint64_t tasks = 0;      // tasks beside run()
  std::uint64_t sent = 0;       // messages, by it
  std::uint64_t consumed = 0;   // messages, by it
  std::uint64_t in_hand = 0;    // messages that it has received and not yet acknowledged
  std::uint64_t queued = 0;     // messages in its mailbox, and the bytes of these
  std::uint64_t queued_bytes = 0;
  MailboxOptions mailbox;              // its limits
  std::vector<Name> groups;            // 64 at most; only where there are other nodes
  std::vector<InspectedTap> taps;      // 64 at most
  Name supervisor;                     // the supervisor on its node that restarts it
  std::uint32_t restarts = 0;          // by that supervisor
  std::vector<InspectedError> errors;  // 16 at most, the latest first
  std::string state;                   // the text of Agent::show_state(), 16 KiB at most

  // --- the messages that wait for the name, on all nodes ---
  std::uint64_t waiting = 0;
  std::vector<WaitingMessage> messages;  // 1,000 of each node at most
};

// Inspects the agent on behalf of `node`. Blocks; call it from a thread that is no worker. Waits up
// to two seconds for nodes that do not reply. With a policy, the node needs the right `inspect` for
// the name, or the right to register it. Fails with Errc::wrong_thread, Errc::stopped.
Inspection inspect(Node& node, const Name& name);
// The same, for an agent, on behalf of its node.
Task<Inspection> inspect(Agent& agent, Name name);

}  // namespace coracle
