#include "service/roster.hpp"

#include <algorithm>

namespace coracle::dispel::detail {

Roster::One* Roster::find(const Name& server) noexcept {
  for (One& each : servers_) {
    if (each.name == server) return &each;
  }
  return nullptr;
}

void Roster::refresh(const std::vector<Name>& servers, Time now) {
  std::vector<One> fresh;
  for (const Name& each : servers) {
    const One* before = find(each);
    if (before != nullptr) fresh.push_back(*before);
    else fresh.push_back({each, 0, Time::min()});
  }
  servers_ = std::move(fresh);
  known_ = true;
  since_ = now;
}

std::optional<Name> Roster::choose(Time now) {
  One* best = nullptr;
  const auto is_better = [now](const One& a, const One& b) {
    const Time a_avoided = std::max(a.avoided_until, now);
    const Time b_avoided = std::max(b.avoided_until, now);
    return a_avoided != b_avoided ? a_avoided < b_avoided : a.open < b.open;
  };
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    One& each = servers_[(turn_ + i) % servers_.size()];
    if (best == nullptr || is_better(each, *best)) best = &each;
  }
  if (best == nullptr) return std::nullopt;
  ++turn_;
  ++best->open;
  return best->name;
}

void Roster::answered(const Name& server) {
  One* one = find(server);
  if (one != nullptr && one->open > 0) --one->open;
}

void Roster::failed(const Name& server, Time now, Duration avoid) {
  answered(server);
  if (One* one = find(server)) one->avoided_until = now + avoid;
  forget();
}

}  // namespace coracle::dispel::detail
