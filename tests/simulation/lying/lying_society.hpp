// Four honest nodes, their service, and a liar: played under a seed, and judged.
#pragma once

#include "linked_hosts.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace coracle::test::lying {

struct Verdict {
  std::uint64_t seed = 0;
  std::string wrong;  // empty when nothing is wrong
  std::size_t messages = 0;
  unsigned lies = 0;
  // The resources of honest nodes at the end, when the liar is forgotten: the largest number of
  // names on one node, and the bytes of memory of all nodes and the service.
  std::size_t names = 0, bytes = 0;
  std::uint64_t hash = 0;  // of the world's trace
};

struct PlayOptions {
  Linked kind = Linked::central;
  // Receives a line for each action of the liar; may be empty.
  std::function<void(const std::string& line)> note = {};
  bool is_harmless = false;  // the liar does not lie, to test the judge
  unsigned spares = 0;       // see lying::Temper
  // Returns whether the liar leaves out its action of that number; may be empty.
  std::function<bool(unsigned number)> leaves_out = {};
  bool record = false;  // the world's trace, which `note` receives at the end
};

Verdict play_with_liar(std::uint64_t seed, const PlayOptions& options);

}  // namespace coracle::test::lying
