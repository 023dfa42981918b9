// An index of a directory's entries by property and value, so that a search for equality looks at
// few entries.
#pragma once

#include "coracle/query.hpp"
#include "coracle/support/secret_hash.hpp"

#include <boost/unordered/unordered_flat_map.hpp>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

namespace coracle::detail {

// The key of a property with that value. Equal values have equal keys, whatever their
// representation.
std::string index_key(std::string_view property, const Value& value);
// The keys of the equalities that every matching entry satisfies; empty if an entry may match
// without any of them.
std::vector<std::string> index_keys(const Condition& condition);

// Entries are identified by an Id.
template <class Id>
class PropertyIndex {
 public:
  using Ids = std::conditional_t<std::is_same_v<Id, Name>, std::unordered_set<Id, SecretHash>,
                                 std::unordered_set<Id>>;

  void add(const Id& id, const Properties& properties) {
    for (const auto& [property, value] : properties.all()) {
      ids_[index_key(property, value)].insert(id);
    }
  }
  // Requires that the entry was added with these properties.
  void remove(const Id& id, const Properties& properties) noexcept {
    for (const auto& [property, value] : properties.all()) {
      const auto found = ids_.find(index_key(property, value));
      found->second.erase(id);
      if (found->second.empty()) ids_.erase(found);
    }
  }
  // A set that contains all entries that match; nullptr when any entry may match.
  const Ids* candidates(const Condition& condition) const {
    static const Ids nobody;
    const Ids* least = nullptr;
    for (const std::string& key : index_keys(condition)) {
      const auto found = ids_.find(key);
      if (found == ids_.end()) return &nobody;
      if (least == nullptr || found->second.size() < least->size()) least = &found->second;
    }
    return least;
  }

 private:
  boost::unordered_flat_map<std::string, Ids, SecretHash> ids_;
};

}  // namespace coracle::detail
