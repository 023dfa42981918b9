#include "loop.hpp"

#include "convert.hpp"
#include "operation.hpp"

#include "coracle/clock.hpp"

#include <sys/eventfd.h>

#include <cerrno>
#include <system_error>

namespace coracle::c {

Loop::Loop() : readable_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!readable_)
    throw std::system_error(errno, std::generic_category(), "cannot make a descriptor for a loop");
}

void Loop::add(std::uint64_t key, const std::shared_ptr<Operation>& operation) {
  const std::lock_guard lock(mutex_);
  if (is_closed_) fail_handle(words);
  begun_.emplace(key, operation);
}

void Loop::on_end(std::uint64_t key, std::shared_ptr<Operation> operation) noexcept {
  const std::lock_guard lock(mutex_);
  if (is_closed_) return;
  const auto [first, last] = begun_.equal_range(key);
  for (auto each = first; each != last; ++each) {
    if (each->second != operation) continue;
    begun_.erase(each);
    break;
  }
  const bool is_first = ended_.empty();
  ended_.push_back({key, std::move(operation)});
  if (!is_first) return;
  (void)::eventfd_write(readable_.get(), 1);
  changed_.notify_all();
}

std::size_t Loop::take(coracle_event* events, std::size_t most, Deadline until) {
  std::vector<Ended> taken;
  {
    std::unique_lock lock(mutex_);
    const auto has_some = [this] { return !ended_.empty() || is_closed_; };
    if (!until.is_set()) {
      changed_.wait(lock, has_some);
    } else if (const Time end = until.at(steady_clock().now()); !has_some()) {
      changed_.wait_until(lock, end, has_some);
    }
    if (is_closed_) fail_handle(words);
    while (!ended_.empty() && taken.size() < most) {
      taken.push_back(std::move(ended_.front()));
      ended_.pop_front();
    }
    eventfd_t count = 0;
    if (ended_.empty()) (void)::eventfd_read(readable_.get(), &count);
  }
  for (std::size_t number = 0; number < taken.size(); ++number)
    taken[number].operation->describe(events[number]);
  return taken.size();
}

void Loop::cancel(std::uint64_t key) {
  std::vector<std::shared_ptr<Operation>> called;
  {
    const std::lock_guard lock(mutex_);
    const auto [first, last] = begun_.equal_range(key);
    for (auto each = first; each != last; ++each) called.push_back(each->second);
  }
  for (const auto& operation : called) operation->call_off();
}

void Loop::close() {
  std::multimap<std::uint64_t, std::shared_ptr<Operation>> begun;
  std::deque<Ended> ended;
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    begun.swap(begun_);
    ended.swap(ended_);
    changed_.notify_all();
  }
  for (const auto& [key, operation] : begun) operation->call_off();
}

}  // namespace coracle::c

using namespace coracle;
using namespace coracle::c;

coracle_error* coracle_loop_open(coracle_loop** out) {
  return guarded([&] {
    if (out == nullptr) fail_argument("coracle_loop_open: `out` is NULL");
    *out = new_handle(std::make_shared<Loop>());
  });
}

coracle_error* coracle_loop_descriptor(coracle_loop* loop, int* out) {
  return guarded([&] {
    if (out == nullptr) fail_argument("coracle_loop_descriptor: `out` is NULL");
    *out = object_of<Loop>(loop)->descriptor();
  });
}

coracle_error* coracle_loop_take(coracle_loop* loop, coracle_event* events, size_t most,
                                 size_t* count) {
  return coracle_loop_wait(loop, 0, events, most, count);
}

coracle_error* coracle_loop_wait(coracle_loop* loop, coracle_span longest, coracle_event* events,
                                 size_t most, size_t* count) {
  return guarded([&] {
    if (count == nullptr || (events == nullptr && most != 0))
      fail_argument("coracle_loop_take: `events` or `count` is NULL");
    *count = 0;
    *count = object_of<Loop>(loop)->take(events, most, within(longest));
  });
}

coracle_error* coracle_cancel(coracle_loop* loop, uint64_t key) {
  return guarded([&] { object_of<Loop>(loop)->cancel(key); });
}

void coracle_loop_close(coracle_loop* loop) {
  coracle_error_free(guarded([&] {
    if (const auto closed = remove_handle<Loop>(loop)) closed->close();
  }));
}
