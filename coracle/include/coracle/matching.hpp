// How a node finds the patterns that a message matches. What is heard is the same; what it costs is
// not. Proved in tests/pattern_index_test.cpp
#pragma once

#include <cstdint>

namespace coracle {

// By sets of expressions, names and components, so that many patterns cost little; or by trying one
// pattern after the other, as servers of message patterns did: for study.
enum class Matching : std::uint8_t { set, linear };

}  // namespace coracle
