#include "io/loop_state.hpp"

#include "coracle/support/here.hpp"
#include "io/descriptor.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace coracle::http {

namespace {

constexpr std::size_t scratch_bytes = 64 * 1024;
constexpr unsigned most_at_once = 64;  // events; then other work has its turn
constexpr unsigned most_rounds = 4;    // of what is posted meanwhile
// A thread that waits for a loop finds out that often whether nobody runs it.
constexpr Duration try_again = std::chrono::milliseconds(10);

thread_local const LoopState* running_here = nullptr;
thread_local const LoopState* flushed_here = nullptr;

}  // namespace

// The right to run the loop.
class LoopState::Running {
 public:
  explicit Running(LoopState& loop) : lock_(loop.running_), before_(running_here) {
    running_here = &loop;
  }
  Running(LoopState& loop, std::try_to_lock_t how)
      : lock_(loop.running_, how), before_(running_here) {
    if (lock_) running_here = &loop;
  }
  Running(const Running&) = delete;
  ~Running() { running_here = before_; }
  explicit operator bool() const noexcept { return lock_.owns_lock(); }

 private:
  std::unique_lock<std::mutex> lock_;
  const LoopState* before_;
};

LoopState::LoopState()
    : scratch_(scratch_bytes),
      work_(boost::asio::make_work_guard(context_)),
      wakes_(context_, ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)),
      timer_(context_),
      descriptor_(descriptor_of(context_)) {
  watch_wakes();
}

LoopState::~LoopState() = default;

bool LoopState::is_here() const noexcept { return running_here == this; }

void LoopState::set_flushed_here() noexcept { flushed_here = this; }

void LoopState::enter(const std::function<void()>& what) {
  if (is_here()) return what();
  const Running running(*this);
  what();
  settle();
  pass_on();
}

// --- from any thread ---

void LoopState::wake() noexcept {
  const std::uint64_t one = 1;
  // It fails only if the loop is woken already.
  [[maybe_unused]] const auto written = ::write(wakes_.native_handle(), &one, sizeof one);
}

void LoopState::watch_wakes() {
  wakes_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                    [this](const boost::system::error_code& error) {
                      if (error) return;
                      std::uint64_t count = 0;
                      [[maybe_unused]] const auto read =
                          ::read(wakes_.native_handle(), &count, sizeof count);
                      watch_wakes();
                    });
}

void LoopState::post(std::function<void()> what) {
  {
    const std::lock_guard lock(posted_mutex_);
    if (is_over_) return;
    posted_.push_back(std::move(what));
  }
  if (has_work_.exchange(true) || is_here()) return;
  if (flushed_here == this && detail::is_on_worker()) return;
  wake();
}

// Functions that were posted, and handlers of sockets that were closed, hold their objects, and
// these hold the loop.
void LoopState::end() {
  const Running running(*this);
  do settle();
  while (run_ready(most_at_once) != 0);
  const auto dropped_later = std::exchange(later_, {});
  std::vector<std::function<void()>> dropped;
  const std::lock_guard lock(posted_mutex_);
  is_over_ = true;
  dropped.swap(posted_);
}

void LoopState::call(const std::function<void()>& what) {
  if (is_here()) return what();
  bool is_done = false;
  post([&] {
    what();
    is_done = true;
  });
  wait_until([&] { return is_done; }, Deadline::never());
}

bool LoopState::wait_until(const std::function<bool()>& is_done, Deadline deadline) {
  const Time until = deadline.at(now());
  Waiter waiter{is_done};
  std::unique_lock lock(waiters_mutex_);
  waiters_.push_back(&waiter);
  has_work_.store(true);
  wake();
  while (!waiter.result) {
    lock.unlock();
    if (const Running running(*this, std::try_to_lock); running) {
      run_ready(most_at_once);
      settle();
      pass_on();
    }
    lock.lock();
    const Time present = now();
    if (waiter.result || present >= until) break;
    changed_.wait_for(lock, std::min(try_again, until - present));
  }
  waiters_.erase(std::find(waiters_.begin(), waiters_.end(), &waiter));
  return waiter.result;
}

void LoopState::look_for_waiters() {
  const std::lock_guard lock(waiters_mutex_);
  if (waiters_.empty()) return;
  for (Waiter* const each : waiters_) each->result = each->result || each->is_done();
  changed_.notify_all();
}

// --- running ---

unsigned LoopState::run_ready(unsigned most) {
  unsigned done = 0;
  while (done < most && context_.poll_one() != 0) ++done;
  return done;
}

bool LoopState::poll() {
  const Running running(*this);
  const bool did = run_ready(most_at_once) != 0;
  if (!did && !has_work_.load()) return false;
  settle();
  if (is_watched_.load()) pass_on();
  return true;
}

void LoopState::wait(Duration longest) {
  const Running running(*this);
  settle();
  if (has_work_.load()) longest = Duration::zero();  // it has woken nobody
  if (longest == Duration::max()) context_.run_one();
  else context_.run_one_for(longest);
  run_ready(most_at_once);
  settle();
  if (is_watched_.load()) pass_on();
}

void LoopState::settle() {
  std::optional<Running> running;
  if (!is_here()) running.emplace(*this);
  for (const auto& each : std::exchange(later_, {})) each();
  for (unsigned round = 0; round < most_rounds && has_work_.exchange(false); ++round) {
    do_posted();
    for (const auto& each : std::exchange(at_end_, {})) each();
  }
  set_timer();
  look_for_waiters();
  if (!later_.empty()) has_work_.store(true);
}

void LoopState::pass_on() noexcept {
  if (has_work_.load()) wake();
}

void LoopState::do_posted() {
  std::vector<std::function<void()>> posted;
  {
    const std::lock_guard lock(posted_mutex_);
    posted.swap(posted_);
  }
  for (const auto& each : posted) each();
}

// --- time ---

void LoopState::set_timer() {
  const Time next = alarms_.next();
  if (next >= timer_at_) return;
  timer_at_ = next;
  timer_.expires_at(next);
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    timer_at_ = Time::max();
    alarms_.ring(now());
  });
}

}  // namespace coracle::http
