#include "coracle/clock.hpp"

#include <mutex>
#include <random>

namespace coracle {

namespace {

class MachineRandom final : public Random {
 public:
  std::uint64_t next() override {
    const std::scoped_lock lock(mutex_);
    const std::uint64_t high = device_();
    return high << 32 | device_();
  }

 private:
  std::mutex mutex_;  // guards device_
  std::random_device device_;
};

}  // namespace

Random& machine_random() {
  static auto& random = *new MachineRandom();  // outlives other statics, such as a node
  return random;
}

}  // namespace coracle
