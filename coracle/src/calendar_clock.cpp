#include "coracle/support/calendar.hpp"

namespace coracle::detail {

std::chrono::sys_time<std::chrono::milliseconds> calendar_now() noexcept {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

}  // namespace coracle::detail
