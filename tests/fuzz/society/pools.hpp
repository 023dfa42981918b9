// The texts that hostile members put where a text is expected.
#pragma once

namespace coracle::fuzzed {

inline constexpr const char* texts[] = {"", "hello", "%d apples", "x", "\xff\x9b", "lab/ann"};

}  // namespace coracle::fuzzed
