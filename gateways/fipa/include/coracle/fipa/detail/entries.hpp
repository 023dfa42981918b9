// The entries of a directory facilitator or of an agent management system, with their limits.
#pragma once

#include "coracle/acl/agent_id.hpp"
#include "coracle/acl/date_time.hpp"
#include "coracle/acl/ontology/management_error.hpp"

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

namespace detail {

// Entries by the names of agents. An entry of the society is `own`; the others are counted for each
// platform.
template <class Description>
class Entries {
 public:
  struct Entry {
    Description description;
    bool is_own = false;
    std::optional<acl::CalendarTime> end;
  };
  using Key = std::string;  // a name without capital letters

  Entries(std::size_t most, std::size_t most_per_platform) noexcept
      : most_(most), most_per_platform_(most_per_platform) {}

  std::size_t size() const noexcept { return entries_.size(); }
  const std::map<Key, Entry>& all() const noexcept { return entries_; }
  // The entry; nullptr if there is none.
  const Entry* find(const Key& key) const {
    const auto found = entries_.find(key);
    return found == entries_.end() ? nullptr : &found->second;
  }
  // The reason why there is no room for another foreign entry.
  std::optional<acl::management::Reason> no_room_for(const Key& key) const {
    namespace fm = acl::management;
    const auto platform = foreign_.find(lower(acl::platform_part(key)));
    if (entries_.size() >= most_)
      return fm::reason(fm::internal_error, "there is no room for more entries");
    if (platform != foreign_.end() && platform->second >= most_per_platform_)
      return fm::reason(fm::internal_error, "the platform has as many entries as it may have");
    return std::nullopt;
  }

  void put(const Key& key, Entry entry) {
    erase(key);
    if (entry.end) ends_.insert({*entry.end, key});
    if (!entry.is_own) ++foreign_[lower(acl::platform_part(key))];
    entries_.insert_or_assign(key, std::move(entry));
  }
  void erase(const Key& key) {
    const auto found = entries_.find(key);
    if (found == entries_.end()) return;
    if (found->second.end) ends_.erase({*found->second.end, key});
    if (!found->second.is_own) {
      const auto platform = foreign_.find(lower(acl::platform_part(key)));
      if (--platform->second == 0) foreign_.erase(platform);
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
  std::size_t most_, most_per_platform_;
  std::map<Key, Entry> entries_;
  std::set<std::pair<acl::CalendarTime, Key>> ends_;  // of leases
  std::map<std::string, std::size_t> foreign_;        // entries of each foreign platform
};

}  // namespace detail

}  // namespace coracle::fipa
