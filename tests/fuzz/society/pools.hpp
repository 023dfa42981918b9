// What hostile members say where a text is wanted.
#pragma once

namespace coracle::fuzzed {

inline constexpr const char* texts[] = {"", "hello", "%d apples", "x", "\xff\x9b", "lab/ann"};

}  // namespace coracle::fuzzed
