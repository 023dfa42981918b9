// The refusals of a policy, with their nodes and counts, for the operator. As many kinds are
// remembered as fit; further kinds are only counted.
#pragma once

#include "coracle/name.hpp"
#include "coracle/support/bytes.hpp"

#include <cstdint>
#include <list>
#include <string>
#include <unordered_map>
#include <vector>

namespace coracle::society {

struct Refusal {
  std::uint64_t serial = 0;  // grows whenever it happens again
  std::string node, certified;
  std::string right;  // the action, in the words of a policy
  Name from, to;      // the agent that would have acted, and on what
  std::uint64_t count = 0;
};

class Refusals {
 public:
  static constexpr std::size_t most = 4096;

  // Counts one refusal; when there is no room, the kind that has not occurred for longest is
  // forgotten.
  void note(Refusal refusal);
  // Returns all refusals after the one of that serial, the oldest first.
  std::vector<Refusal> after(std::uint64_t serial) const;

 private:
  std::list<Refusal> latest_;  // the newest last
  std::unordered_map<std::string, std::list<Refusal>::iterator> known_;
  std::uint64_t last_serial_ = 0;
};

// Writes an answer to the request `audit`.
void write(detail::FrameWriter& out, const std::vector<Refusal>& refusals);
// Malformed input leaves `in` not ok().
std::vector<Refusal> read_refusals(detail::FrameReader& in);

}  // namespace coracle::society
