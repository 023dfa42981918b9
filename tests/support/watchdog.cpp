#include "support/watchdog.hpp"

#include <cstdlib>
#include <iostream>

namespace coracle::test {

Watchdog::Watchdog(std::string what, std::chrono::seconds limit)
    : what_(std::move(what)), thread_([this, limit] {
        std::unique_lock lock(mutex_);
        if (changed_.wait_for(lock, limit, [this] { return done_; })) return;
        std::cerr << "\nwatchdog: " << what_ << " has hung for " << limit.count()
                  << " s and cannot be stopped; the program ends here" << std::endl;
        std::abort();
      }) {}

Watchdog::~Watchdog() {
  {
    const std::scoped_lock lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

}  // namespace coracle::test
