// What the cases of the contract are written with.
#pragma once

#include "coracle/node.hpp"
#include "coracle/receipt.hpp"
#include "subject.hpp"
#include "support/expect.hpp"
#include "support/society.hpp"

#include <string>

namespace coracle::contract {

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

// Settings for a society of this subject.
// Nodes of a fresh society that entrust what they send.
inline std::vector<Realization> entrusting_nodes_of(const Subject& subject) {
  std::vector<Realization> nodes = nodes_of(subject);
  for (Realization& node : nodes) node.entrusts = true;
  return nodes;
}
inline NodeOptions options_for(const Subject& subject) { return test::quick(subject.workers); }

// Runs `body` as the main agent of a fresh society.
void play(const Subject& subject, Body body);
void play(const Subject& subject, NodeOptions options, Body body);

// How long something that must happen may take: much longer than it does. Less where it is known
// that it does not happen.
inline Duration soon = std::chrono::seconds(15) * test::slowness;
// How long nothing is waited for.
inline constexpr Duration a_moment = std::chrono::milliseconds(10);

// The next message that fits; fails when none comes soon.
Task<Message> take(Agent& me, Match match = {}, const char* file = __builtin_FILE(),
                   int line = __builtin_LINE());
// Its text, when it has been acknowledged.
Task<std::string> hear(Agent& me, Match match = {}, const char* file = __builtin_FILE(),
                       int line = __builtin_LINE());
// Fails when something that fits comes within a moment.
Task<> hear_nothing(Agent& me, Match match = {}, const char* file = __builtin_FILE(),
                    int line = __builtin_LINE());
// All that is there, joined by spaces; gap markers are "(n)".
std::string all_there(Agent& me, const Match& match = {});
// Lets everything else of this node that can run do so, until `met` says yes.
Task<> until(Agent& me, std::function<bool()> met, const char* what,
             const char* file = __builtin_FILE(), int line = __builtin_LINE());

// Returns when nobody holds that name any more.
Task<> gone(Agent& me, Name name, const char* file = __builtin_FILE(), int line = __builtin_LINE());

// Sends "1", "2", … "n" to `to`.
Task<> count_to(Agent& me, Target to, int n);

// An agent that tells `whom` the text of everything it gets.
Body echo_to(std::string whom);
// An agent that answers every message with its text.
Body answering();
// An agent that never reads.
Body deaf();

// The spec of an agent that lives on the last worker, so that with two of them messages cross.
AgentSpec across(Agent& me, Name name);
// A mailbox for so many messages.
MailboxOptions room_for(std::uint32_t messages, Overflow policy = Overflow::wait);

}  // namespace coracle::contract
