#include "timing.hpp"

#include <poll.h>

namespace coracle::bench {

void let_pass(Duration span) {
  const Time end = clock_now() + span;
  for (Duration left = span; left > Duration::zero(); left = end - clock_now()) {
    const auto whole = std::chrono::duration_cast<std::chrono::milliseconds>(left).count();
    ::poll(nullptr, 0, static_cast<int>(whole) + 1);
  }
}

}  // namespace coracle::bench
