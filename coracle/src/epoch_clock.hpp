// The epoch of a directory that keeps nothing.
#pragma once

#include <cstdint>

namespace coracle::detail {

// Grows from one start to the next, by the machine's calendar.
std::uint32_t epoch_of_this_start();

}  // namespace coracle::detail
