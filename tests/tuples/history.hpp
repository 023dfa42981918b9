// The operations of agents on a space with their results, and a check whether a sequence of
// operations, one after the other, explains them: a search after Wing and Gong.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace coracle::tuples {

// Values are small numbers; this number is none of them.
inline constexpr int no_value = -1;

// One operation. Tuples are numbers; each may be there several times.
struct Operation {
  enum class Kind : std::uint8_t { out, take, read };

  Kind kind = Kind::out;
  int value = no_value;   // the value that was put out, or found, if there is one
  int wanted = no_value;  // the value that was looked for; no_value: any
  std::uint64_t begun = 0;
  // Infinite, if its agent died meanwhile: then it may have been done or not, and its result is
  // unknown.
  std::uint64_t ended = std::numeric_limits<std::uint64_t>::max();

  bool is_open() const { return ended == std::numeric_limits<std::uint64_t>::max(); }
};

// Returns whether there is an order of the operations, each at a moment between its begin and its
// end, in which every result is right. At most 60 operations on values below 8.
bool is_linear(const std::vector<Operation>& history);
// The history as a text for people.
std::string to_string(const std::vector<Operation>& history);

}  // namespace coracle::tuples
