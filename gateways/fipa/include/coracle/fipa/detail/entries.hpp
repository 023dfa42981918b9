// The entries of a directory facilitator or of an agent management system, with their limits.
#pragma once

#include "coracle/acl/agent_id.hpp"
#include "coracle/acl/date_time.hpp"
#include "coracle/acl/ontology/management_error.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::fipa {

// Names of FIPA are compared without regard to the case of their ASCII letters.
inline std::string lower(std::string_view text) {
  std::string result(text);
  for (char& each : result) {
    if (each >= 'A' && each <= 'Z') each = static_cast<char>(each - 'A' + 'a');
  }
  return result;
}

inline bool is_same_name(std::string_view a, std::string_view b) noexcept {
  const auto small = [](char each) {
    return each >= 'A' && each <= 'Z' ? static_cast<char>(each - 'A' + 'a') : each;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return small(x) == small(y); });
}

namespace detail {

// The limits of entries: in all, and of those that are not the society's own, of one platform and
// from one host.
struct EntryLimits {
  std::size_t all, of_platform, from_host;
};

// Entries by the names of agents. An entry of the society is `own`; the others are counted for each
// platform, and for each host that has sent them. A platform can invent names, also of platforms,
// but no hosts: so the hosts share the room. If there is none, the host with the most entries gives
// some to a host with fewer.
template <class Description>
class Entries {
 public:
  struct Entry {
    Description description;
    bool is_own = false;
    std::optional<acl::CalendarTime> end;
    std::string host = {};  // that has sent it; empty: it is of this society
  };
  using Key = std::string;  // a name without capital letters

  explicit Entries(const EntryLimits& limits) noexcept : limits_(limits) {}

  std::size_t size() const noexcept { return entries_.size(); }
  const std::map<Key, Entry>& all() const noexcept { return entries_; }
  // The entry; nullptr if there is none.
  const Entry* find(const Key& key) const {
    const auto found = entries_.find(key);
    return found == entries_.end() ? nullptr : &found->second;
  }
  // The reason why there is no room for another foreign entry from that host.
  std::optional<acl::management::Reason> no_room_for(const Key& key,
                                                     const std::string& host) const {
    namespace fm = acl::management;
    const auto platform = of_platform_.find(lower(acl::platform_part(key)));
    if (platform != of_platform_.end() && platform->second >= limits_.of_platform)
      return fm::reason(fm::internal_error, "the platform has as many entries as it may have");
    if (!host.empty() && count_from(host) >= limits_.from_host)
      return fm::reason(fm::internal_error, "the host has as many entries as it may have");
    if (is_full() && key_that_yields_to(host) == nullptr)
      return fm::reason(fm::internal_error, "there is no room for more entries");
    return std::nullopt;
  }
  bool is_full() const noexcept { return entries_.size() >= limits_.all; }
  // The entry that has to go if there is no room and that host sends one more: of the host with the
  // most entries, the one whose lease ends first. nullptr if no host has more than that one.
  const Key* key_that_yields_to(const std::string& host) const {
    if (by_count_.empty()) return nullptr;
    const auto& [count, richest] = *by_count_.rbegin();
    if (richest == host || count <= count_from(host) + 1) return nullptr;
    return &from_host_.at(richest).begin()->second;
  }

  void put(const Key& key, Entry entry) {
    erase(key);
    if (entry.end) ends_.insert({*entry.end, key});
    if (!entry.is_own) {
      ++of_platform_[lower(acl::platform_part(key))];
      if (!entry.host.empty())
        change(entry.host, [&](Leases& leases) { leases.insert({entry.end, key}); });
    }
    entries_.insert_or_assign(key, std::move(entry));
  }
  void erase(const Key& key) {
    const auto found = entries_.find(key);
    if (found == entries_.end()) return;
    const Entry& entry = found->second;
    if (entry.end) ends_.erase({*entry.end, key});
    if (!entry.is_own) {
      const auto platform = of_platform_.find(lower(acl::platform_part(key)));
      if (--platform->second == 0) of_platform_.erase(platform);
      if (!entry.host.empty())
        change(entry.host, [&](Leases& leases) { leases.erase({entry.end, key}); });
    }
    entries_.erase(found);
  }

  // The end of the lease that ends first, and its entry.
  const std::pair<acl::CalendarTime, Key>* first_end() const {
    return ends_.empty() ? nullptr : &*ends_.begin();
  }
  // The descriptions that fit, at most `most`, of entries whose lease has not ended.
  template <class Fits>
  std::vector<Description> search(std::size_t most, acl::CalendarTime now, Fits fits) const {
    std::vector<Description> found;
    for (const auto& [key, entry] : entries_) {
      if (found.size() >= most) break;
      if (entry.end && *entry.end <= now) continue;
      if (fits(entry.description)) found.push_back(entry.description);
    }
    return found;
  }

 private:
  using Leases = std::set<std::pair<std::optional<acl::CalendarTime>, Key>>;

  std::size_t count_from(const std::string& host) const {
    const auto found = from_host_.find(host);
    return found == from_host_.end() ? 0 : found->second.size();
  }
  template <class Change>
  void change(const std::string& host, const Change& change) {
    Leases& leases = from_host_[host];
    by_count_.erase({leases.size(), host});
    change(leases);
    if (leases.empty()) from_host_.erase(host);
    else by_count_.insert({leases.size(), host});
  }

  EntryLimits limits_;
  std::map<Key, Entry> entries_;
  std::set<std::pair<acl::CalendarTime, Key>> ends_;  // of leases
  std::map<std::string, std::size_t> of_platform_;    // foreign entries
  std::map<std::string, Leases> from_host_;           // foreign entries
  std::set<std::pair<std::size_t, std::string>> by_count_;  // the hosts
};

}  // namespace detail

}  // namespace coracle::fipa
