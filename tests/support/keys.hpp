// Keys of societies in tests, which are as good as others but publicly known.
#pragma once

namespace coracle::test {

inline constexpr const char* society_key = "coracle-key-we4vynjnvbefte35z4sjgqsjnwnzm3x4x7e6zd54";
inline constexpr const char* another_key = "coracle-key-qtle3z2sc4rogpyhje4cthsbyoj2xdpst67m7xms";

}  // namespace coracle::test
