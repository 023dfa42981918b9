// Patterns that agents have registered for broadcasts. Nodes tell each other of them as they do of
// eavesdroppers'; a component that no message has of itself sets them apart.
#pragma once

#include "coracle/agent.hpp"
#include "pattern_index.hpp"

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace coracle::detail {

// The component, and its two values.
inline constexpr std::string_view role_component = "coracle-role";
inline constexpr std::string_view observes = "observe";
inline constexpr std::string_view handles = "handle";

// Who listens by an ear, and what that one calls it.
struct Hearer {
  Party* who = nullptr;
  std::uint64_t told = 0;
};

// An agent whose registered patterns a broadcast fits, and their numbers.
struct Interested {
  Party* who = nullptr;
  std::vector<std::uint64_t> ids;
};

// Whether a pattern is for what is said to a role, so that its hearer is addressed.
bool is_for_role(const Pattern& pattern);

// Those that one worker knows.
class RegisteredPatterns {
 public:
  explicit RegisteredPatterns(Matching matching) : index_(matching) {}

  // False when the pattern is an eavesdropper's.
  bool add(std::uint64_t id, Party& whose, const Pattern& pattern, std::uint64_t told);
  bool remove(std::uint64_t id);
  // Whose pattern a broadcast fits, in the order of their first pattern: the same at every sender.
  std::vector<Interested> who(const Parcel& parcel, std::string_view role);

 private:
  PatternIndex index_;
  std::unordered_map<std::uint64_t, Hearer> whose_;
};

// What Agent::overhear() does once it is permitted.
Task<Ear> open_ear(Agent& agent, Pattern pattern, std::uint32_t limit);

}  // namespace coracle::detail
