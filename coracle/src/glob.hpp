// Patterns of names: `*` stands for anything within one part of a name, `**` for anything at all.
#pragma once

#include <cstddef>
#include <string_view>

namespace coracle::detail {

// A longer pattern with a star fits nothing.
inline constexpr std::size_t longest_glob = 255;

// Whether it fits all of `text`. It takes no longer than the product of both lengths.
bool fits(std::string_view pattern, std::string_view text) noexcept;

}  // namespace coracle::detail
