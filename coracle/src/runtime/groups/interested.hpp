// Patterns that agents have registered for broadcasts. Nodes announce these to each other as they
// announce taps; a component that no message has by itself distinguishes these patterns.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/support/core_frames.hpp"
#include "patterns/pattern_index.hpp"

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace coracle::detail {

// The agent behind a tap, and the number by which that agent knows the tap.
struct Eavesdropper {
  Mailbox* who = nullptr;
  std::uint64_t told = 0;
};

// An agent with registered patterns that match a broadcast, and the numbers of these patterns.
struct Interested {
  Mailbox* who = nullptr;
  std::vector<std::uint64_t> ids;
};

// Returns whether a pattern is for messages to a role: then its agent is a target, and does not
// overhear.
bool is_for_role(const Pattern& pattern);

// The registered patterns that one worker knows.
class RegisteredPatterns {
 public:
  explicit RegisteredPatterns(Matching matching) : index_(matching) {}

  // Returns false when the pattern belongs to an eavesdropper.
  bool add(std::uint64_t id, Mailbox& whose, const Pattern& pattern, std::uint64_t told);
  bool remove(std::uint64_t id);
  // Returns the agents with patterns that match a broadcast, in the order of their first pattern:
  // the same at every sender.
  std::vector<Interested> who(const MessageRecord& record, std::string_view role);

 private:
  PatternIndex index_;
  std::unordered_map<std::uint64_t, Eavesdropper> whose_;
};

// Performs Agent::overhear() after it was permitted.
Task<Tap> open_tap(Agent& agent, Pattern pattern, TapOptions options);

}  // namespace coracle::detail
