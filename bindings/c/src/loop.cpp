#include "loop.hpp"

#include "convert.hpp"
#include "operation.hpp"

#include "coracle/clock.hpp"
#include "coracle/support/readable.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <cerrno>
#include <system_error>

namespace coracle::c {

Loop::Loop()
    : ended_there_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), all_(::epoll_create1(EPOLL_CLOEXEC)) {
  if (!ended_there_ || !all_)
    throw std::system_error(errno, std::generic_category(), "cannot make a descriptor for a loop");
  detail::add_readable(all_, ended_there_.get());
}

void Loop::run(const std::shared_ptr<NodeObject>& node) {
  const std::lock_guard lock(mutex_);
  if (is_closed_) fail_handle(words);
  detail::add_readable(all_, node->node->descriptor());
  std::erase_if(nodes_, [](const auto& each) { return each.expired(); });
  nodes_.push_back(node);
}

void Loop::add(std::uint64_t key, const std::shared_ptr<Operation>& operation) {
  const std::lock_guard lock(mutex_);
  if (is_closed_) fail_handle(words);
  begun_.emplace(key, operation);
}

bool Loop::on_end(std::uint64_t key, std::shared_ptr<Operation> operation) noexcept {
  const std::lock_guard lock(mutex_);
  if (is_closed_) return false;
  const auto [first, last] = begun_.equal_range(key);
  for (auto each = first; each != last; ++each) {
    if (each->second != operation) continue;
    begun_.erase(each);
    break;
  }
  ended_.push_back({key, std::move(operation)});
  if (taking_ == 0) signal();
  return true;
}

void Loop::signal() noexcept {
  const bool shall_be = is_closed_ || !ended_.empty();
  if (shall_be == is_signalled_) return;
  is_signalled_ = shall_be;
  eventfd_t count = 1;
  if (shall_be) (void)::eventfd_write(ended_there_.get(), count);
  else (void)::eventfd_read(ended_there_.get(), &count);
}

bool Loop::take_turns() {
  std::vector<std::shared_ptr<NodeObject>> nodes;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& each : nodes_) {
      if (auto node = each.lock()) nodes.push_back(std::move(node));
    }
    ++taking_;
  }
  try {
    bool is_more = false;
    for (const auto& each : nodes) is_more |= each->node->turn();
    return is_more;
  } catch (...) {  // this thread is a worker
    const std::lock_guard lock(mutex_);
    --taking_;
    signal();
    throw;
  }
}

std::vector<Loop::Ended> Loop::take_ended(std::size_t most) {
  std::vector<Ended> taken;
  const std::lock_guard lock(mutex_);
  --taking_;
  if (is_closed_) fail_handle(words);
  while (!ended_.empty() && taken.size() < most) {
    taken.push_back(std::move(ended_.front()));
    ended_.pop_front();
  }
  signal();
  return taken;
}

std::size_t Loop::take(coracle_event* events, std::size_t most, Deadline until) {
  const Time end = until.is_set() ? until.at(steady_clock().now()) : Time::max();
  std::vector<Ended> taken;
  for (bool is_late = false;;) {
    const bool is_more = take_turns();
    taken = take_ended(most);
    if (!taken.empty() || is_late) break;
    const Time present = steady_clock().now();
    is_late = present >= end;  // then a last look
    if (is_late || is_more) continue;
    detail::wait_readable(all_, end == Time::max() ? Duration::max() : end - present);
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
    signal();
  }
  for (const auto& [key, operation] : begun) operation->call_off();
  for (const Ended& each : ended) each.operation->held()->give_back();
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
