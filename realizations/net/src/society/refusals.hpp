// What a policy has refused, for whom and how often: for the operator who wants to know. As many
// kinds of it are remembered as fit; of more only the count is.
#pragma once

#include "coracle/name.hpp"
#include "runtime/frames.hpp"

#include <cstdint>
#include <list>
#include <string>
#include <unordered_map>
#include <vector>

namespace coracle::society {

struct Refusal {
  std::uint64_t serial = 0;  // grows whenever it happens again
  std::string node, certified;
  std::string right;  // as a policy calls it
  Name from, to;      // the agent that would have acted, and on what
  std::uint64_t count = 0;
};

class Refusals {
 public:
  static constexpr std::size_t most = 4096;

  // It happened once more; when there is no room, what has not for the longest time is forgotten.
  void note(Refusal refusal);
  // All that happened after the one of that serial, the oldest first.
  std::vector<Refusal> after(std::uint64_t serial) const;

 private:
  std::list<Refusal> latest_;  // the newest last
  std::unordered_map<std::string, std::list<Refusal>::iterator> known_;
  std::uint64_t last_serial_ = 0;
};

// An answer to the request `audit`.
void write(detail::FrameWriter& out, const std::vector<Refusal>& refusals);
// What cannot be understood leaves `in` not ok().
std::vector<Refusal> read_refusals(detail::FrameReader& in);

}  // namespace coracle::society
