#include "loop.hpp"

#include "base/convert.hpp"
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
  node->loop = weak_from_this();
  detail::FromOutside::set_deferring(*node->node, is_picking_);
}

void Loop::add(std::uint64_t key, const std::shared_ptr<Operation>& operation) {
  const std::lock_guard lock(mutex_);
  if (is_closed_) fail_handle(words);
  begun_.emplace(key, operation);
}

Loop::Begun::const_iterator Loop::find(std::uint64_t key,
                                       const std::shared_ptr<Operation>& operation) const noexcept {
  const auto [first, last] = begun_.equal_range(key);
  for (auto each = first; each != last; ++each) {
    if (each->second == operation) return each;
  }
  return begun_.end();
}

bool Loop::on_end(std::uint64_t key, const std::shared_ptr<Operation>& operation) noexcept {
  const std::lock_guard lock(mutex_);
  const auto begun = find(key, operation);
  if (begun == begun_.end()) return false;
  begun_.erase(begun);
  add_event(operation);
  return true;
}

bool Loop::on_part(std::uint64_t key, const std::shared_ptr<Operation>& operation) noexcept {
  const std::lock_guard lock(mutex_);
  if (find(key, operation) == begun_.end()) return false;
  add_event(operation);
  return true;
}

void Loop::add_event(const std::shared_ptr<Operation>& operation) noexcept {
  ended_.push_back(operation);
  if (taking_ == 0) signal();
}

void Loop::forget(std::uint64_t key, const std::shared_ptr<Operation>& operation) {
  const std::lock_guard lock(mutex_);
  const auto begun = find(key, operation);
  if (begun != begun_.end()) begun_.erase(begun);
  std::erase(ended_, operation);
  if (taking_ == 0) signal();
}

void Loop::signal() noexcept {
  const bool shall_be = is_closed_ || !ended_.empty();
  if (shall_be == is_signalled_) return;
  is_signalled_ = shall_be;
  eventfd_t count = 1;
  if (shall_be) (void)::eventfd_write(ended_there_.get(), count);
  else (void)::eventfd_read(ended_there_.get(), &count);
}

// A thread that looks at the events before it leaves.
class Loop::Looking {
 public:
  explicit Looking(Loop& loop) : loop_(loop) {
    const std::lock_guard lock(loop_.mutex_);
    ++loop_.taking_;
  }
  ~Looking() {
    const std::lock_guard lock(loop_.mutex_);
    if (--loop_.taking_ == 0) loop_.signal();
  }
  Looking(const Looking&) = delete;

 private:
  Loop& loop_;
};

bool Loop::take_turns() {
  std::vector<std::shared_ptr<NodeObject>> nodes;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& each : nodes_) {
      if (auto node = each.lock()) nodes.push_back(std::move(node));
    }
  }
  bool is_more = false;
  for (const auto& each : nodes) is_more |= each->node->turn();
  return is_more;
}

std::size_t Loop::take_ended(coracle_event* events, std::size_t most) {
  std::size_t count = 0;
  while (count < most) {
    std::shared_ptr<Operation> next;
    {
      const std::lock_guard lock(mutex_);
      if (is_closed_) fail_handle(words);
      if (ended_.empty()) break;
      next = std::move(ended_.front());
      ended_.pop_front();
    }
    if (next->describe(events[count])) ++count;
  }
  return count;
}

std::size_t Loop::take(coracle_event* events, std::size_t most, Deadline until) {
  const Time end = until.is_set() ? until.at(steady_clock().now()) : Time::max();
  for (bool is_late = false;;) {
    std::size_t count = 0;
    bool is_more = false;
    {
      const Looking looking(*this);
      is_more = take_turns();
      count = take_ended(events, most);
    }
    if (count != 0 || is_late) return count;
    const Time present = steady_clock().now();
    is_late = present >= end;  // then a last look
    if (is_late || is_more) continue;
    detail::wait_readable(all_, end == Time::max() ? Duration::max() : end - present);
  }
}

std::size_t Loop::pick(coracle_event* events, std::size_t most) {
  const Looking looking(*this);
  return take_ended(events, most);
}

void Loop::set_picking(bool is_so) {
  const std::lock_guard lock(mutex_);
  is_picking_ = is_so;
  for (const auto& each : nodes_) {
    if (const auto node = each.lock()) detail::FromOutside::set_deferring(*node->node, is_so);
  }
}

static std::shared_ptr<Loop> picking_loop_of(const NodeObject& node) noexcept {
  auto loop = node.loop.lock();
  return loop && loop->is_picking() ? std::move(loop) : nullptr;
}

Loop::Calling::Calling(const NodeObject& node) noexcept : loop_(picking_loop_of(node)) {
  if (!loop_) return;
  const std::lock_guard lock(loop_->mutex_);
  ++loop_->taking_;
}

Loop::Calling::~Calling() {
  if (!loop_) return;
  const std::lock_guard lock(loop_->mutex_);
  --loop_->taking_;
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
  std::deque<std::shared_ptr<Operation>> ended;
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    begun.swap(begun_);
    ended.swap(ended_);
    signal();
  }
  for (const auto& [key, operation] : begun) operation->call_off();
  for (const auto& operation : ended) operation->held()->give_back();
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

coracle_error* coracle_loop_pick(coracle_loop* loop, coracle_event* events, size_t most,
                                 size_t* count) {
  return guarded([&] {
    if (count == nullptr || (events == nullptr && most != 0))
      fail_argument("coracle_loop_pick: `events` or `count` is NULL");
    *count = 0;
    *count = object_of<Loop>(loop)->pick(events, most);
  });
}

coracle_error* coracle_loop_set_picking(coracle_loop* loop, bool picking) {
  return guarded([&] { object_of<Loop>(loop)->set_picking(picking); });
}

coracle_error* coracle_cancel(coracle_loop* loop, uint64_t key) {
  return guarded([&] { object_of<Loop>(loop)->cancel(key); });
}

void coracle_loop_close(coracle_loop* loop) {
  coracle_error_free(guarded([&] {
    if (const auto closed = remove_handle<Loop>(loop)) closed->close();
  }));
}
