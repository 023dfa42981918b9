// The calendar, for the dates that other systems write.
#pragma once

#include <chrono>

namespace coracle::detail {

// The present time of the machine's calendar in UTC. It may jump.
std::chrono::sys_time<std::chrono::milliseconds> calendar_now() noexcept;

}  // namespace coracle::detail
