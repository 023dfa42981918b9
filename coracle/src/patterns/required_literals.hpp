// Finds plain text that every match of a regular expression must contain, so that most texts can be
// ruled out without running the expression.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::detail {

// Shorter literals rule out too little to be worth looking for.
inline constexpr std::size_t min_literal_bytes = 4;

// Returns literals of which every text that matches `regex`, a valid RE2 expression, contains at
// least one. The result is empty when none is known: constructs that are hard to read (flags, \Q,
// numeric escapes) are not guessed.
std::vector<std::string> required_literals(std::string_view regex);

}  // namespace coracle::detail
