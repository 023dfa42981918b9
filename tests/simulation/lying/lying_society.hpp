// Four honest nodes, their service, and a member that lies: played under a seed, and judged.
#pragma once

#include "linked_hosts.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace coracle::test::lying {

struct Verdict {
  std::uint64_t seed = 0;
  std::string wrong;  // empty when all is well
  std::size_t messages = 0;
  unsigned lies = 0;
  // What honest nodes hold in the end, when the liar is forgotten: names of the one that has most,
  // and bytes of memory, of all and of the service.
  std::size_t names = 0, bytes = 0;
  std::uint64_t hash = 0;  // of the world's trace
};

struct PlayOptions {
  Linked kind = Linked::central;
  // Gets a line for each thing that the liar does; may be empty.
  std::function<void(const std::string& line)> note = {};
  bool is_harmless = false;  // the liar does as it should, so that the judge is judged
  unsigned spares = 0;       // see lying::Temper
  // Whether the liar leaves out its thing of that number; may be empty.
  std::function<bool(unsigned number)> leaves_out = {};
  bool record = false;  // the world's trace, which `note` gets at the end
};

Verdict play_with_liar(std::uint64_t seed, const PlayOptions& options);

}  // namespace coracle::test::lying
