// Counting the voters that prefer one candidate to another.
#pragma once

#include "coracle/caf/voting/profile.hpp"

#include <cstdint>
#include <vector>

namespace coracle::caf {

// Returns the values of Margins for each two candidates, in the units of the profile.
std::vector<std::int64_t> count_margins(const Profile& profile);

}  // namespace coracle::caf
