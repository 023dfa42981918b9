// Searches of one platform's agent in the directory facilitator of another platform, each of which
// finds one of many agents.
#pragma once

#include "scenarios/gateways/fipa/platforms.hpp"

#include <cstddef>
#include <cstdint>

namespace coracle::bench {

// One measurement.
struct SearchLoad {
  FipaWay way = {};
  std::uint32_t entries = 1000;
  double interval = 1;  // in seconds
};

// The time of a search in ns, one after the other. Fails with NotDone if one does not find its
// agent alone.
Run play_searches(const SearchLoad& load);

// The bytes of a search, and of its answer, as they travel by HTTP; each with the response to a
// letter.
struct SearchBytes {
  std::size_t search = 0;
  std::size_t answer = 0;
};
SearchBytes bytes_of_search(const SearchLoad& load);

}  // namespace coracle::bench
