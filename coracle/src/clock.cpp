#include "coracle/clock.hpp"

namespace coracle {

namespace {

class SteadyClock final : public Clock {
 public:
  Time now() const override { return std::chrono::steady_clock::now(); }
};

}  // namespace

Clock& steady_clock() {
  static auto& clock = *new SteadyClock();  // outlives other statics, such as a node
  return clock;
}

}  // namespace coracle
