#include "coracle/http/loop.hpp"

#include "coracle/errors.hpp"
#include "io/loop_state.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <utility>

namespace coracle::http {

namespace {

// Where a node waits for its realization and for a loop.
class BesideReactor final : public Reactor {
 public:
  BesideReactor(std::shared_ptr<LoopState> loop, std::shared_ptr<Reactor> other)
      : loop_(std::move(loop)), other_(std::move(other)) {
    if (!other_) return;
    const int descriptor = other_->descriptor();
    if (descriptor < 0)
      throw Error(Errc::unsupported,
                  "the node's reactor has no descriptor, so a loop of HTTP cannot wait beside it; "
                  "start() the loop, which then has a thread of its own");
    loop_->call([&] { other_events_.emplace(loop_->context(), descriptor); });
  }
  ~BesideReactor() override {
    if (!other_events_) return;
    loop_->call([this] {
      other_events_->cancel();
      other_events_->release();  // it is not ours
      other_events_.reset();
    });
  }

  bool poll() override {
    loop_->set_flushed_here();
    const bool did = other_ && other_->poll();
    return loop_->poll() || did;
  }
  void wait(Duration longest) override {
    if (!watch_other()) return;
    loop_->wait(longest);
    if (other_) other_->poll();
  }
  void wake() override { loop_->wake(); }
  void flush() override {
    if (other_) other_->flush();
    loop_->flush();
  }
  // The descriptor of the loop contains that of the other reactor.
  int descriptor() const noexcept override { return loop_->descriptor(); }
  bool settle() override {
    const bool is_ready = !watch_other();
    return loop_->poll() || is_ready;
  }

 private:
  // Before somebody waits for the loop: has it wait for the other reactor, too. Returns false if
  // that has done something.
  bool watch_other() {
    if (!other_) return true;
    if (other_->settle()) return false;
    loop_->enter([this] {
      if (std::exchange(*is_watched_, true)) return;
      other_events_->async_wait(
          boost::asio::posix::stream_descriptor::wait_read,
          [is_watched = is_watched_](const boost::system::error_code&) { *is_watched = false; });
    });
    return true;
  }

  const std::shared_ptr<LoopState> loop_;
  const std::shared_ptr<Reactor> other_;
  std::optional<boost::asio::posix::stream_descriptor> other_events_;
  const std::shared_ptr<bool> is_watched_ = std::make_shared<bool>(false);
};

}  // namespace

class Loop::Thread {
 public:
  explicit Thread(LoopState& loop)
      : loop_(loop), thread_([this] {
          while (!is_over_.load()) loop_.wait(Duration::max());
        }) {}
  ~Thread() {
    is_over_.store(true);
    loop_.wake();
    thread_.join();
  }

 private:
  LoopState& loop_;
  std::atomic<bool> is_over_{false};
  std::thread thread_;
};

Loop::Loop() : state_(std::make_shared<LoopState>()) {}

Loop::~Loop() {
  thread_.reset();
  state_->end();
}

void Loop::start() {
  if (!thread_) thread_ = std::make_unique<Thread>(*state_);
}

std::shared_ptr<Reactor> Loop::reactor(std::shared_ptr<Reactor> other) {
  return std::make_shared<BesideReactor>(state_, std::move(other));
}

bool Loop::run_until(const std::function<bool()>& is_over, Deadline deadline) {
  const Time until = deadline.at(state_->now());
  while (!is_over()) {
    const Time present = state_->now();
    if (present >= until) return false;
    state_->wait(until == Time::max() ? Duration::max() : until - present);
  }
  return true;
}

void Loop::post(std::function<void()> what) { state_->post(std::move(what)); }

}  // namespace coracle::http
