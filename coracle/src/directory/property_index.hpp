// Which entries of a directory have a property with which value, so that a search for equality
// looks at few of them.
#pragma once

#include "coracle/query.hpp"
#include "secret_hash.hpp"

#include <boost/unordered/unordered_flat_map.hpp>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

namespace coracle::detail {

// The bytes that stand for a property with that value; equal values, whatever their
// representation, have the same.
std::string index_key(std::string_view property, const Value& value);
// The keys of the equalities that each entry has to fit; none if it may fit by something else.
std::vector<std::string> index_keys(const Condition& condition);

// Entries are known by an Id.
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
  // Requires that it was added with these.
  void remove(const Id& id, const Properties& properties) noexcept {
    for (const auto& [property, value] : properties.all()) {
      const auto found = ids_.find(index_key(property, value));
      found->second.erase(id);
      if (found->second.empty()) ids_.erase(found);
    }
  }
  // Entries among which are all that fit; nullptr when that may be any.
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
