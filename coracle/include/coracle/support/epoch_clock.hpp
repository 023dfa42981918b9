// The epoch of a directory that stores nothing.
#pragma once

#include <cstdint>

namespace coracle::detail {

// The epoch grows from one start to the next; it comes from the machine's calendar.
std::uint32_t epoch_of_this_start();

}  // namespace coracle::detail
