// Acts of an operator on agents of a society. They are off unless a policy gives the operator's
// node the right `operate` for the agent's name, or, in a society of one process,
// NodeOptions::operators is set. The node of the agent logs each act, and `coracle audit` shows who
// did it.
// Tests: tests/trust/policy/operating_test.cpp, holding_test.cpp
#pragma once

#include "coracle/message_kind.hpp"
#include "coracle/name.hpp"
#include "coracle/pattern.hpp"
#include "coracle/task.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace coracle {

class Agent;
class Node;

// The acts of an operator.
enum class OperatorAct : std::uint8_t {
  end,      // ends the agent, as if its run() had returned; no supervisor restarts it
  restart,  // ends the agent as if it had crashed, so that its supervisor restarts it
  record,   // adds the agent to a recording of marked agents, which its node must have
  leave,    // takes it out of that recording
};

// Performs the act on the agent of that name, on whatever node it runs; returns when it is done.
// Blocks; call it from a thread that is no worker. Fails with Errc::no_such_agent, with
// Errc::not_permitted, with Errc::unsupported for the restart of an agent that has no supervisor on
// its node or the marking of one whose node has no recording of marked agents, and with
// Errc::expired when the agent's node has not replied within five seconds; then the act may have
// been performed.
void operate(Node& node, OperatorAct act, const Name& name);
// The same, for an agent, on behalf of its node.
Task<> operate(Agent& agent, OperatorAct act, Name name);

// The limits of one hold. They are for each node: beyond them, the oldest held message is released
// for each further one, so no message is lost, and none is overtaken. A node accepts 10,000
// messages and 64 MiB at most.
struct HoldOptions {
  // The most messages that are held.
  std::uint32_t messages = 1000;
  // The most bytes of content that are held.
  std::uint64_t bytes = std::uint64_t{16} << 20;
};

// A message that is held; of a long one, the beginning.
struct HeldMessage {
  // The lease of the node that holds it, and its number there; later ones have larger numbers.
  std::uint64_t node = 0;
  std::uint32_t number = 0;
  // Plain or a request; a redelivered message is not held again.
  MessageKind kind = MessageKind::plain;
  Conversation conversation = 0;
  Name source;
  // The agent in whose mailbox it is.
  Name target;
  // The size of its content in bytes.
  std::uint64_t size = 0;
  // The first 200 bytes of its text; empty for a value that was never encoded.
  std::string text;
};

// The state of a hold, over all nodes.
struct HoldState {
  // The oldest held messages of each node, 100 of each at most, those of one node in their order.
  std::vector<HeldMessage> oldest;
  // All messages that are held.
  std::uint64_t count = 0;
  // Those that were released because a limit was reached.
  std::uint64_t let_go = 0;
  // The agents whose messages are held if they match, and those that the operator may not operate.
  std::uint64_t agents = 0;
  std::uint64_t refused = 0;
};

// Holds the messages that match a pattern, for debugging. A held message is in its receiver's
// mailbox like any other: it counts for the mailbox's limits and policy, it expires, and its end is
// reported; but no receive takes it until the operator releases it. So a request that is held ends
// by its deadline like one whose receiver is slow, and a full mailbox makes senders wait.
//
// Held are messages and requests, also those of groups, tuple spaces and remote calls, each of them
// for each receiver. The pattern's target is the agent that receives. Not held are replies, which
// go to the requester and not into a mailbox; copies and dead letters; messages that were in the
// mailbox before, or that were handed out before. A message that does not match overtakes those
// that are held. When an agent ends, its held messages wait for the next holder of the name like
// all others, and are held there again if that agent began later than the hold.
//
// An agent that begins later is held, too, as soon as the directory has permitted it.
// The object belongs to one agent, and all functions are called by that agent. When the object is
// destroyed, so also when the agent ends, the hold ends and every message is released in its order.
// When the agent's node ends, the other nodes do the same.
class Hold {
 public:
  // Every message that is held.
  static constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  // The most agents of one node that a pattern may select.
  static constexpr std::size_t most_agents = 4096;

  // Begins to hold, on all nodes. Fails with Errc::not_permitted when the operator may operate none
  // of the agents that the pattern selects, and with Errc::limit_reached when a node has too many
  // holds, or too many agents that the pattern selects.
  static Task<Hold> begin(Agent& operating, Pattern pattern, HoldOptions options = {});
  Hold(Hold&& other) noexcept;
  Hold& operator=(Hold&&) = delete;
  ~Hold();

  // Asks all nodes for the messages that are held now. A node that joined the society begins to
  // hold by the first such question.
  Task<HoldState> look();
  // Releases the oldest `count` messages; returns how many. With several nodes, the messages of the
  // node with the lowest lease come first.
  Task<std::size_t> release(std::size_t count = all);
  // Releases one message; returns whether it was still held.
  Task<bool> release_one(HeldMessage which);
  // From now on, release() takes messages in a random order, and each goes behind the messages that
  // wait in its mailbox. The order follows from the leases and the hold alone, so a run in the
  // simulator repeats it.
  void scramble(bool on) noexcept;
  // Ends the hold: all messages are released, in their order. It has ended everywhere when this
  // returns.
  Task<> end();

 private:
  struct Impl;
  explicit Hold(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coracle
