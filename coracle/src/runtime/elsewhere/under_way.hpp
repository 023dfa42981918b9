// The messages that went to the holder of a name on another node and have not ended.
#pragma once

#include "coracle/detail/message_record.hpp"
#include "coracle/transport.hpp"

#include <boost/circular_buffer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>

namespace coracle::detail {

// A message that the holder's node has, too.
struct UnderWay {
  MessageRecord* record = nullptr;  // null: it has ended
  bool has_place = true;            // it still has a slot in the mailbox here
  bool is_taken = false;            // it counts among those taken and not ended
  bool came_back = false;
  bool was_read = false;
  bool kept = false;     // the message store has it; somebody here waits for its end
  LeaseId moved_on = 0;  // the node that keeps it under another name

  bool is_special() const noexcept { return came_back || kept || moved_on != 0; }
};

// The messages have serials, from 1. Most end in the order in which they went, so the recent ones
// lie one behind the other. A message that is still open when most others of its time have ended is
// put aside. Otherwise a message that its reader keeps for ever would keep the room of all that
// came after it.
class UnderWays {
 public:
  using Recent = boost::circular_buffer<UnderWay>;

  // Returns the message's serial.
  std::uint64_t add(MessageRecord* record) {
    if (recent_.full()) make_room();
    recent_.push_back({record});
    return first_ + recent_.size() - 1;
  }
  // Removes the last message, which did not go.
  void take_back() noexcept { recent_.pop_back(); }
  Recent& recent() noexcept { return recent_; }
  // The serial of the first of the recent ones, and that of the next message.
  std::uint64_t first() const noexcept { return first_; }
  std::uint64_t next() const noexcept { return first_ + recent_.size(); }
  void forget_first() noexcept {
    recent_.pop_front();
    ++first_;
  }
  void forget_recent() noexcept {
    while (!recent_.empty() && recent_.front().record == nullptr) forget_first();
  }
  void forget_ended() noexcept {
    forget_recent();
    std::erase_if(aside_, [](const auto& each) { return each.second.record == nullptr; });
  }
  // Shows the messages with serials from `from` to before `to` that were put aside.
  template <class Show>
  void each_aside(std::uint64_t from, std::uint64_t to, const Show& show) {
    for (auto at = aside_.lower_bound(from); at != aside_.end() && at->first < to;) {
      show(at->second);
      at = at->second.record == nullptr ? aside_.erase(at) : std::next(at);
    }
  }
  // Shows all messages that have not ended, the latest first.
  template <class Show>
  void each_backwards(const Show& show) {
    for (auto each = recent_.rbegin(); each != recent_.rend(); ++each)
      if (each->record != nullptr) show(*each);
    for (auto each = aside_.rbegin(); each != aside_.rend(); ++each)
      if (each->second.record != nullptr) show(each->second);
  }
  template <class Show>
  void each(const Show& show) const {
    for (const auto& [serial, each] : aside_)
      if (each.record != nullptr) show(each);
    for (const UnderWay& each : recent_)
      if (each.record != nullptr) show(each);
  }
  void clear() noexcept {
    recent_.clear();
    aside_.clear();
  }
  // Prefetches messages behind `at`, which end one after the other: they were sent a while ago, and
  // are out of the processor's cache.
  void fetch_behind(std::size_t at) const noexcept {
    constexpr std::size_t near = 12, far = 24;
    if (at + far >= recent_.size()) return;
    __builtin_prefetch(recent_[at + far].record);
    if (const MessageRecord* const soon = recent_[at + near].record)
      __builtin_prefetch(soon->content, 1);
  }

 private:
  void make_room();

  std::uint64_t first_ = 1;
  Recent recent_;
  std::map<std::uint64_t, UnderWay> aside_;
};

inline void UnderWays::make_room() {
  constexpr std::size_t small = 1024, seldom = 8;
  const std::size_t half = recent_.size() / 2;
  const auto middle = recent_.begin() + static_cast<std::ptrdiff_t>(half);
  const auto open = std::count_if(recent_.begin(), middle,
                                  [](const UnderWay& each) { return each.record != nullptr; });
  if (recent_.size() < small || static_cast<std::size_t>(open) > half / seldom) {
    return recent_.set_capacity(std::max<std::size_t>(8, 2 * recent_.size()));
  }
  for (std::size_t count = 0; count < half; ++count) {
    if (recent_.front().record != nullptr) aside_.emplace(first_, recent_.front());
    forget_first();
  }
}

}  // namespace coracle::detail
