// The way in which a node finds the patterns that a message matches. Both ways select the same
// messages; they differ in cost. Tests: coracle/tests/patterns/pattern_index_test.cpp
#pragma once

#include <cstdint>

namespace coracle {

// set: by sets of expressions, names and components, so that many patterns cost little. linear: by
// trying one pattern after the other, as servers of message patterns did; this is for study.
enum class Matching : std::uint8_t { set, linear };

}  // namespace coracle
