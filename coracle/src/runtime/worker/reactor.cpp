#include "coracle/reactor.hpp"

#include <condition_variable>
#include <mutex>

namespace coracle::detail {

namespace {

// A reactor without events: only wake() ends its wait.
class PlainReactor final : public Reactor {
 public:
  bool poll() override { return false; }

  void wait(Duration longest) override {
    std::unique_lock lock(mutex_);
    const auto is_woken = [this] { return is_woken_; };
    if (longest == Duration::max()) woken_.wait(lock, is_woken);
    else woken_.wait_for(lock, longest, is_woken);
    is_woken_ = false;
  }

  void wake() override {
    {
      const std::lock_guard lock(mutex_);
      is_woken_ = true;
    }
    woken_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable woken_;
  bool is_woken_ = false;
};

}  // namespace

std::shared_ptr<Reactor> plain_reactor() { return std::make_shared<PlainReactor>(); }

}  // namespace coracle::detail
