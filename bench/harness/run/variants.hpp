// The ways of delivery and of matching in which a clearinghouse is measured. Only one thing changes
// at a time, to find out which of them were slow in 1996.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace coracle::bench {

struct Variant {
  std::string realization;
  std::uint32_t patterns = 0;  // that each agent, or process, registers, and that match nothing
};

// Returns the realization as it is. If it is a clearinghouse and the text sets no delivery, returns
// also one that notifies its nodes, and one that its nodes poll.
std::vector<Variant> delivery_variants(const std::string& realization);
// Returns the same with so many patterns, matched by sets and one by one; nothing for other
// realizations.
std::vector<Variant> matching_variants(const std::string& realization, std::uint32_t patterns);

}  // namespace coracle::bench
