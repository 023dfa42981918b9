// The functions with which the cases of the conformance suite are written.
#pragma once

#include "coracle/node.hpp"
#include "coracle/receipt.hpp"
#include "subject.hpp"
#include "support/societies/expect.hpp"
#include "support/societies/test_society.hpp"

#include <string>

namespace coracle::conformance {

using namespace std::chrono_literals;
using test::Body;
using test::Crash;
using test::error_of;
using test::expect;
using test::expect_equal;
using test::expect_error;
using test::fail;
using test::Society;
using test::start;
using test::start_here;

// The nodes of a fresh society of this subject that send their messages to the message store.
inline std::vector<Realization> storing_nodes_of(const Subject& subject) {
  std::vector<Realization> nodes = nodes_of(subject);
  for (Realization& node : nodes) node.stores = true;
  return nodes;
}
// Node options for a society of this subject.
inline NodeOptions options_for(const Subject& subject) { return test::quick(subject.workers); }

// Runs `body` as the main agent of a fresh society.
void play(const Subject& subject, Body body);
void play(const Subject& subject, NodeOptions options, Body body);

// The time limit for an event that must happen; such an event takes much less. It is shorter where
// the event is known not to happen.
inline Duration soon = std::chrono::seconds(15) * test::slowness;
// The time for which a test waits to see that nothing comes.
inline constexpr Duration a_moment = std::chrono::milliseconds(10);

// The next message that fits; fails when none comes soon.
Task<Message> take(Agent& me, Match match = {}, const char* file = __builtin_FILE(),
                   int line = __builtin_LINE());
// Reads and acknowledges the next message that fits, and returns its text.
Task<std::string> hear(Agent& me, Match match = {}, const char* file = __builtin_FILE(),
                       int line = __builtin_LINE());
// Fails when a message that fits comes within a moment.
Task<> hear_nothing(Agent& me, Match match = {}, const char* file = __builtin_FILE(),
                    int line = __builtin_LINE());
// The texts of all waiting messages, joined by spaces; gap markers are "(n)".
std::string all_there(Agent& me, const Match& match = {});
// Lets all other agents of this node that can run do so, until `met` returns true.
Task<> until(Agent& me, std::function<bool()> met, const char* what,
             const char* file = __builtin_FILE(), int line = __builtin_LINE());

// Returns when that name has no holder any more.
Task<> gone(Agent& me, Name name, const char* file = __builtin_FILE(), int line = __builtin_LINE());

// Sends "1", "2", … "n" to `to`.
Task<> count_to(Agent& me, Target to, int n);

// An agent that sends the text of everything it receives to `whom`.
Body echo_to(std::string whom);
// An agent that replies to every message with its text.
Body answering();
// An agent that never reads.
Body deaf();

// The spec of an agent on the last worker, so that with two workers messages cross threads.
AgentSpec across(Agent& me, Name name);
// A mailbox with room for `messages` messages.
MailboxOptions room_for(std::uint32_t messages, Overflow policy = Overflow::wait);

}  // namespace coracle::conformance
