// The ways of delivery and of matching in which a clearinghouse is measured: what was slow in 1996
// is told from what was not by changing one thing at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace coracle::bench {

struct Variant {
  std::string realization;
  std::uint32_t patterns = 0;  // that each agent, or process, registers, and nothing matches
};

// A realization as it is, and, if it is a clearinghouse of which the text does not say how, that
// notifies its nodes, and that is polled by them.
std::vector<Variant> delivery_variants(const std::string& realization);
// Likewise those with so many patterns, matched by sets and one by one; other realizations: none.
std::vector<Variant> matching_variants(const std::string& realization, std::uint32_t patterns);

}  // namespace coracle::bench
