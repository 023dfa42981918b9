#include "coracle/support/epoch_clock.hpp"

#include <chrono>

namespace coracle::detail {

std::uint32_t epoch_of_this_start() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint32_t>(std::chrono::duration_cast<std::chrono::seconds>(now).count());
}

}  // namespace coracle::detail
