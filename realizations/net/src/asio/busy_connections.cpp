#include "realizations/net/src/asio/busy_connections.hpp"

#include <algorithm>

namespace coracle::net {

void BusyConnections::add(PolledConnection& who) {
  if (!on_ || who.is_busy_) return;
  if (count_ == entries_.size()) {
    const auto most = std::max_element(entries_.begin(), entries_.end(),
                                       [](auto& a, auto& b) { return a.in_vain < b.in_vain; });
    take_out(static_cast<std::size_t>(most - entries_.begin())).await();
  }
  entries_[count_++] = {&who};
  who.is_busy_ = true;
}

void BusyConnections::remove(const PolledConnection& who) noexcept {
  for (std::size_t place = 0; who.is_busy_ && place < count_; ++place) {
    if (is_at(place, who)) take_out(place);
  }
}

PolledConnection& BusyConnections::take_out(std::size_t place) noexcept {
  PolledConnection& who = *entries_[place].who;
  std::move(entries_.begin() + static_cast<std::ptrdiff_t>(place) + 1,
            entries_.begin() + static_cast<std::ptrdiff_t>(count_),
            entries_.begin() + static_cast<std::ptrdiff_t>(place));
  --count_;
  who.is_busy_ = false;
  return who;
}

Look BusyConnections::look() {
  on_ = true;
  Look found = count_ == 0 ? Look::nobody : Look::nothing;
  for (std::size_t place = count_; place-- > 0;) {
    if (place >= count_) continue;  // some connections have gone
    PolledConnection& who = *entries_[place].who;
    const bool had_something = who.look();
    if (had_something) found = Look::something;
    if (!is_at(place, who)) continue;
    Entry& entry = entries_[place];
    entry.in_vain = had_something ? 0 : entry.in_vain + 1;
    if (entry.in_vain == patience) take_out(place).await();
  }
  return found;
}

void BusyConnections::rest() {
  on_ = false;
  while (count_ > 0) take_out(count_ - 1).await();
}

}  // namespace coracle::net
