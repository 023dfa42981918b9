// Patterns of names: `*` matches any text within one segment of a name, `**` any text at all.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace coracle::detail {

// A longer pattern with a star matches nothing.
inline constexpr std::size_t longest_glob = 255;

// Returns whether `pattern` matches all of `text`. The time is at most the product of both lengths.
bool fits(std::string_view pattern, std::string_view text) noexcept;
// Returns whether one of the patterns does.
bool fits_one(std::span<const std::string> patterns, std::string_view text) noexcept;

// Returns the expression of RE2 that matches the names of a pattern.
std::string expression_of(std::string_view pattern);

}  // namespace coracle::detail
