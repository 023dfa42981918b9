#include "labour/work_board.hpp"

#include <algorithm>

namespace coracle::dispel::detail {

WorkBoard::WorkBoard(std::uint64_t tasks, std::uint32_t slaves, Division how, std::uint64_t numbers)
    : how_(how), done_(tasks), slaves_(slaves), numbers_(numbers), next_id_(numbers), left_(tasks) {
  how_.chunk = std::max(how_.chunk, 1U);
  how_.most = std::max(how_.most, how_.chunk);
  how_.ahead = std::max<std::uint64_t>(how_.ahead, how_.most);
  how_.attempts = std::max<std::uint8_t>(how_.attempts, 1);
  if (tasks > 0) pool_.push_back({0, tasks});
}

void WorkBoard::ready(std::uint32_t slave) { slaves_.at(slave).ready = true; }

std::uint32_t WorkBoard::ready_count() const noexcept {
  return static_cast<std::uint32_t>(
      std::count_if(slaves_.begin(), slaves_.end(), [](const Slave& each) { return each.ready; }));
}

void WorkBoard::share_out() {
  if (how_.shares != Shares::fixed || ready_count() == 0 || pool_.empty()) return;
  const Range all = pool_.front();
  const std::uint64_t count = all.end - all.first;
  const std::uint64_t sharers = ready_count();
  std::uint64_t number = 0;
  for (Slave& each : slaves_) {
    if (!each.ready) continue;
    const std::uint64_t first = all.first + count * number / sharers;
    const std::uint64_t end = all.first + count * ++number / sharers;
    if (first < end) each.own.push_back({first, end});
  }
  pool_.pop_front();
  left_ -= count;
}

// Puts tasks that are not done back into the pool; the first task that is missing is given first.
void WorkBoard::give_back(const Range& range) {
  const auto behind =
      std::lower_bound(pool_.begin(), pool_.end(), range,
                       [](const Range& a, const Range& b) { return a.first < b.first; });
  pool_.insert(behind, range);
  left_ += range.end - range.first;
}

void WorkBoard::suspect(const Range& range) {
  for (std::uint64_t task = range.first; task < range.end; ++task) {
    if (!done_[task]) suspects_.insert(task);
  }
}

void WorkBoard::clear(Slave& slave) {
  slave.ready = slave.alone = false;
  for (const auto& [id, range] : slave.open) {
    whose_.erase(id);
    for (std::uint64_t task = range.first; task < range.end; ++task) given_again_ += !done_[task];
  }
  slave.open.clear();
  for (const Range& range : slave.own) give_back(range);
  slave.own.clear();
}

std::optional<std::uint64_t> WorkBoard::lost(std::uint32_t slave) {
  Slave& one = slaves_.at(slave);
  std::uint64_t in_hand = 0;
  for (const auto& [id, range] : one.open) {
    in_hand += range.end - range.first;
    suspect(range);
  }
  std::optional<std::uint64_t> alone;
  if (in_hand == 1) alone = one.open.begin()->second.first;
  clear(one);
  return alone;
}

void WorkBoard::charge(std::uint64_t task) {
  if (!done_.at(task)) ++deaths_[task];
}

void WorkBoard::died(std::uint32_t slave) {
  const std::optional<std::uint64_t> task = lost(slave);
  if (task) charge(*task);
}

void WorkBoard::left(std::uint32_t slave) {
  Slave& one = slaves_.at(slave);
  for (const auto& [id, range] : one.open) {
    if (one.alone) suspect(range);
    else give_back(range);
  }
  clear(one);
}

void WorkBoard::not_sent(const Chunk& chunk) {
  const auto found = whose_.find(chunk.id);
  if (found == whose_.end()) return;
  Slave& one = slaves_[found->second];
  const Range range{chunk.first, chunk.first + chunk.count};
  if (one.alone) suspect(range);
  else give_back(range);
  one.ready = one.alone = false;
  one.open.erase(chunk.id);
  whose_.erase(found);
}

std::optional<std::uint64_t> WorkBoard::hopeless() const {
  for (const auto& [task, deaths] : deaths_) {
    if (deaths >= how_.attempts) return task;
  }
  return std::nullopt;
}

std::uint64_t WorkBoard::size_of_next() const {
  if (how_.shares == Shares::dynamic) return how_.chunk;
  if (how_.shares == Shares::fixed) return how_.most;
  const std::uint64_t part = left_ / (2 * std::max(ready_count(), 1U));
  return std::clamp<std::uint64_t>(part, how_.chunk, how_.most);
}

// Takes tasks that are not done from the front, as many as may be ahead.
std::optional<WorkBoard::Range> WorkBoard::take(std::deque<Range>& from, std::uint64_t most) {
  const bool is_pool = &from == &pool_;
  while (!from.empty()) {
    Range& front = from.front();
    while (front.first < front.end && done_[front.first]) {
      ++front.first;
      if (is_pool) --left_;
    }
    if (front.first == front.end) {
      from.pop_front();
      continue;
    }
    const std::uint64_t limit = std::min(front.end, in_order_ + how_.ahead);
    if (front.first >= limit) return std::nullopt;
    Range taken{front.first, std::min(limit, front.first + most)};
    front.first = taken.end;
    if (is_pool) left_ -= taken.end - taken.first;
    return taken;
  }
  return std::nullopt;
}

std::optional<WorkBoard::Range> WorkBoard::take_suspect() {
  while (!suspects_.empty()) {
    const std::uint64_t task = *suspects_.begin();
    suspects_.erase(suspects_.begin());
    if (!done_[task]) return Range{task, task + 1};
  }
  return std::nullopt;
}

std::optional<WorkBoard::Range> WorkBoard::take_ordinary(Slave& slave) {
  const std::uint64_t size = size_of_next();
  std::optional<Range> range = take(slave.own, size);
  return range ? range : take(pool_, size);
}

std::optional<Chunk> WorkBoard::give(std::uint32_t slave) {
  Slave& one = slaves_.at(slave);
  if (!one.ready || one.alone || one.open.size() >= chunks_each) return std::nullopt;
  if (hopeless()) return std::nullopt;  // a death was charged while other slaves are given work
  std::optional<Range> range;
  if (!suspects_.empty()) {
    // While there are suspects, no slave gets a second chunk, so that a slave is soon free for
    // them.
    if (!one.open.empty()) return std::nullopt;
    range = take_suspect();
    one.alone = range.has_value();
  }
  if (!range) range = take_ordinary(one);
  if (!range) return std::nullopt;
  const std::uint64_t id = ++next_id_;
  one.open[id] = *range;
  whose_[id] = slave;
  return Chunk{id, range->first, static_cast<std::uint32_t>(range->end - range->first)};
}

bool WorkBoard::done(std::uint64_t task) {
  if (task >= done_.size() || done_[task]) return false;
  done_[task] = true;
  if (!deaths_.empty()) deaths_.erase(task);
  if (!suspects_.empty()) suspects_.erase(task);
  ++done_count_;
  while (in_order_ < done_.size() && done_[in_order_]) ++in_order_;
  return true;
}

void WorkBoard::finished(std::uint64_t chunk) {
  const auto found = whose_.find(chunk);
  if (found == whose_.end()) return;  // the chunk was given to another slave
  Slave& one = slaves_[found->second];
  one.open.erase(chunk);
  one.alone = false;
  whose_.erase(found);
}

}  // namespace coracle::dispel::detail
