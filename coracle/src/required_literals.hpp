// Finds plain text that every match of a regular expression must hold, so that most texts can be
// ruled out without running the expression.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::detail {

// Shorter literals rule out too little to be worth looking for.
inline constexpr std::size_t min_literal_bytes = 4;

// Literals of which at least one is in every text that `regex`, a valid RE2 expression, matches.
// Empty when nothing is known: what is hard to read (flags, \Q, numeric escapes) is not guessed.
std::vector<std::string> required_literals(std::string_view regex);

}  // namespace coracle::detail
