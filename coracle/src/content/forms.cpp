#include "coracle/forms.hpp"

namespace coracle {

Task<> CyclicAgent::run() {
  while (!finished_) {
    co_await cycle();
    if (!finished_) co_await yield();
  }
}

Task<> TimedAgent::run() {
  if (period_ <= Duration::zero()) {
    throw Error(Errc::bad_options,
                "a TimedAgent was given a period that is not above zero; give a longer one");
  }
  Time next = now();
  while (!finished_) {
    co_await tick();
    if (finished_) break;
    next += period_;
    const Time present = now();
    if (next < present) {
      const auto late = static_cast<std::uint64_t>((present - next) / period_);
      skipped_ += late;
      next += late * period_;
    }
    co_await pause(next);
  }
}

}  // namespace coracle
