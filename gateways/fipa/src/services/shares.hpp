// Room that the hosts share which ask a facilitator for something that lasts. If there is none, the
// host with the most gives some to a host with fewer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <utility>

namespace coracle::fipa {

// The room for one more.
template <class One>
struct Room {
  bool is_given = false;
  // The one that has to go for it, the oldest of its host; end(): none.
  typename std::deque<One>::iterator yields;
};

// Finds room for one more of that host; empty: of this society, which is charged to no host. `all`
// are those that are there, the oldest first; each names its `host`.
template <class One>
Room<One> room_for(const std::string& host, std::deque<One>& all, std::size_t most,
                   std::size_t most_of_host) {
  std::map<std::string, std::size_t> counts;
  for (const One& each : all) {
    if (!each.host.empty()) ++counts[each.host];
  }
  const auto found = counts.find(host);
  const std::size_t mine = found == counts.end() ? 0 : found->second;
  if (!host.empty() && mine >= most_of_host) return {false, all.end()};
  if (all.size() < most) return {true, all.end()};
  const auto richest =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (richest == counts.end() || richest->second <= mine + 1) return {false, all.end()};
  return {true, std::find_if(all.begin(), all.end(),
                             [&](const One& each) { return each.host == richest->first; })};
}

}  // namespace coracle::fipa
