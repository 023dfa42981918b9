#include "by_turns.hpp"

#include "coracle/errors.hpp"
#include "runtime/node/node_core.hpp"
#include "standing.hpp"

#include <chrono>
#include <utility>

namespace coracle::detail {

namespace {

constexpr std::uint32_t records_kept_by_turns = 4096;
// Turns of a worker without a thread before the thread that takes them may do something else. It
// may do so earlier, when the time of one turn is over (turn_length.hpp).
constexpr int most_turns = 64;

// The time for which turn() waits while another thread takes a turn.
constexpr Duration another_turn = std::chrono::milliseconds(1);

// Keeps the memory of messages for a thread that takes turns.
struct RecordsKept {
  RecordsKept() noexcept { record_cache.keep_up_to(records_kept_by_turns); }
  ~RecordsKept() { record_cache.keep_up_to(0); }
};

void require_outside() {
  if (Worker::current() == nullptr) return;
  throw Error(Errc::wrong_thread,
              "an agent cannot take the turns of a node; let the thread do so that made the node");
}

}  // namespace

// The right to take a turn. The mutex is locked when it begins and when it has ended.
class ByTurns::Holding {
 public:
  Holding(ByTurns& turns, std::unique_lock<std::mutex>& lock) : turns_(turns), lock_(lock) {
    turns_.is_held_ = true;
    lock_.unlock();
  }
  ~Holding() {
    lock_.lock();
    turns_.is_held_ = false;
    ++turns_.turns_;
    if (turns_.following_ + turns_.looking_ != 0) turns_.changed_.notify_all();
  }
  Holding(const Holding&) = delete;

 private:
  ByTurns& turns_;
  std::unique_lock<std::mutex>& lock_;
};

void ByTurns::follow(std::unique_lock<std::mutex>& lock, std::uint64_t seen, Duration longest) {
  ++following_;
  const auto has_changed = [&] { return turns_.load() != seen; };
  if (longest == Duration::max()) changed_.wait(lock, has_changed);
  else changed_.wait_for(lock, longest, has_changed);
  --following_;
}

bool ByTurns::turn() {
  require_outside();
  std::unique_lock lock(mutex_);
  if (node_.stopping().over()) return false;
  if (is_held_ || looking_ != 0) {
    // The descriptor may be readable until the other thread has done its turn.
    follow(lock, turns_.load(), another_turn);
    return false;
  }
  const Holding holding(*this, lock);
  return node_.worker(0).take_turns(*reactor_);
}

bool ByTurns::until(const std::function<bool()>& is_so, Time deadline) {
  require_outside();
  const Clock& clock = node_.clock();
  for (bool rests = false;;) {
    const std::uint64_t seen = turns_.load();
    if (is_so()) return true;
    const Time present = clock.now();
    if (present >= deadline) return false;
    const Duration left = deadline == Time::max() ? Duration::max() : deadline - present;
    std::unique_lock lock(mutex_);
    if (turns_.load() != seen) continue;  // another thread's turn may have made it so
    if (is_held_ || looking_ != 0) {
      follow(lock, seen, left);
      rests = false;
      continue;
    }
    const Holding holding(*this, lock);
    if (rests) reactor_->wait(left);
    rests = !node_.worker(0).take_turns(*reactor_);
  }
}

bool ByTurns::at_once(const std::function<void(Worker&)>& act) {
  if (Worker::current() != nullptr) return false;
  std::unique_lock lock(mutex_);
  if (is_held_ || looking_ != 0 || node_.stopping().over()) return false;
  const Holding holding(*this, lock);
  return node_.worker(0).act_at_once(*reactor_, act, defers_);
}

void ByTurns::between(const std::function<void()>& look) {
  if (node_.is_here()) return look();
  std::unique_lock lock(mutex_);
  ++looking_;
  if (is_held_) node_.worker(0).wake();  // it may be waiting for something else
  changed_.wait(lock, [this] { return !is_held_; });
  --looking_;
  const Holding holding(*this, lock);
  look();
}

void ByTurns::finish() noexcept {
  between([this] {
    while (node_.worker(0).take_turns(*reactor_)) {
    }
    reactor_->end();
  });
}

// --- a worker (worker.hpp) ---

// Declares the worker asleep, unless there is something left to do; returns whether it rests.
bool Worker::rest_at(DescriptorReactor& reactor) noexcept {
  if (room.is_awaited() && room.grant_all()) return false;
  before_rest();
  if (reactor.settle()) return false;
  parking_.prepare();
  if (something_to_do()) return reactor.go_on(!parking_.cancel()), false;
  reactor.rest_until(scheduler.timers().next(), node_.clock());
  return is_asleep_ = true;
}

void Worker::get_up(DescriptorReactor& reactor) noexcept {
  thread_local const RecordsKept kept;
  reactor.go_on(std::exchange(is_asleep_, false) && !parking_.finish());
  relocation.set_resting(false);
  defers_ = false;
  note_time(now());
}

bool Worker::work_until_rest(DescriptorReactor& reactor) noexcept {
  for (int turns = 0; turns < most_turns; ++turns) {
    if (!turn() && rest_at(reactor)) return false;
    if (turns != 0 && is_new_tick_) break;
  }
  reactor.stay_ready();
  return true;
}

bool Worker::take_turns(DescriptorReactor& reactor) noexcept {
  const Standing standing(*this, uncaught_);
  get_up(reactor);
  return work_until_rest(reactor);
}

bool Worker::act_at_once(DescriptorReactor& reactor, const std::function<void(Worker&)>& act,
                         bool defers) noexcept {
  const Standing standing(*this, uncaught_);
  if (!defers_) get_up(reactor);
  const auto settle_inside = [this] {
    for (int turns = 0; turns < most_turns && something_to_do(); ++turns) turn_inside();
    return !something_to_do();
  };
  if (!settle_inside()) return reactor.stay_ready(), false;
  act(*this);
  if (!defers || !outside_) return work_until_rest(reactor), true;
  settle_inside();
  if (!std::exchange(defers_, true)) reactor.stay_ready();
  return true;
}

}  // namespace coracle::detail
