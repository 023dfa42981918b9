// The state of a service and its nodes, for its operator.
#pragma once

#include "coracle/directory.hpp"
#include "coracle/support/bytes.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace coracle::society {

struct Census {
  // A lease, and the node that has it.
  struct Lease {
    LeaseId lease = 0;
    std::string node, certified;
    std::uint64_t age = 0;      // in milliseconds
    std::uint64_t names = 0;    // the number of names that it holds
    std::uint64_t waiting = 0;  // bytes that the node has not taken yet
  };

  std::vector<std::pair<std::string, std::uint64_t>> counts;
  std::vector<Lease> leases;
};

void write(detail::FrameWriter& out, const Census& census);
// A malformed census leaves `in` not ok().
Census read_census(detail::FrameReader& in);

}  // namespace coracle::society
