// Finds the patterns that a message matches, among many; this is done for every message. A worker
// owns one index; workers share only the immutable patterns.
// Proved in tests/pattern_index_test.cpp
#pragma once

#include "coracle/support/secret_hash.hpp"
#include "regex_group.hpp"

#include "coracle/matching.hpp"
#include "coracle/pattern.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace coracle::detail {

// The memory that one RE2::Set may take.
inline constexpr std::size_t default_set_bytes = std::size_t{64} << 20;

// For one role, source or target: the slots whose condition on the name holds for a given name.
class NameConditions {
 public:
  // The limits of the cache of results: names, and slots over all names.
  static constexpr std::size_t max_cached_names = std::size_t{64} << 10;
  static constexpr std::size_t max_cached_slots = std::size_t{1} << 20;

  explicit NameConditions(std::size_t set_bytes)
      : expressions_(RegexGroup::Where::whole, set_bytes) {}

  // Adds the condition of `slot`: exactly `name`, or `expression` when `name` is empty.
  void add(std::uint32_t slot, const Name& name, const SharedExpression& expression);
  // Removes the condition that was added with the same slot and name.
  void remove(std::uint32_t slot, const Name& name);

  // The slots, sorted, whose condition holds for `name`; valid until the next call of any member.
  const std::vector<std::uint32_t>& holding_for(const Name& name) {
    if (size_ == 0) return none_;
    const auto found = cache_.find(name);
    return found != cache_.end() ? found->second : look_up(name);
  }

  std::size_t size() const noexcept { return size_; }
  std::uint64_t set_failures() const noexcept { return expressions_.set_failures(); }

 private:
  const std::vector<std::uint32_t>& look_up(const Name& name);
  void forget_answers();

  std::unordered_map<Name, std::vector<std::uint32_t>, SecretHash> literals_;
  RegexGroup expressions_;
  std::unordered_map<Name, std::vector<std::uint32_t>, SecretHash> cache_;
  std::size_t cached_slots_ = 0;
  std::size_t size_ = 0;
  const std::vector<std::uint32_t> none_;
};

// The patterns of all eavesdroppers, by the ids that their owners gave them.
class PatternIndex {
 public:
  // `set_bytes` limits each of four RE2::Sets; a set that needs more is not used.
  explicit PatternIndex(std::size_t set_bytes = default_set_bytes)
      : PatternIndex(Matching::set, set_bytes) {}
  explicit PatternIndex(Matching matching, std::size_t set_bytes = default_set_bytes);

  // Adds `pattern` as `id`, replacing an earlier pattern of that id.
  void add(std::uint64_t id, Pattern pattern);
  // Removes the pattern of `id`, if there is one.
  void remove(std::uint64_t id);

  bool empty() const noexcept { return slot_of_id_.empty(); }
  std::size_t size() const noexcept { return slot_of_id_.size(); }

  // The version is never 0 and changes with every add and remove. While it stays the same, a result
  // of may_match_source() stays true and a caller may keep it.
  std::uint64_t version() const noexcept { return version_; }

  // Returns whether a message from `source` could match. If not, match() returns nothing for it.
  bool may_match_source(const Name& source) {
    return sourceless_ > 0 || !sources_.holding_for(source).empty();
  }

  // The ids of all patterns that the message matches, in ascending order; valid until the next
  // call. `text_of()` returns a value that converts to a string_view that outlives this call. It is
  // called at most once, and only if a text decides.
  template <class TextOf>
  const std::vector<std::uint64_t>& match(const Name& source, const Name& target, TextOf&& text_of,
                                          const HeaderView& headers) {
    ids_.clear();
    if (!may_match_source(source)) return ids_;
    using Function = std::remove_reference_t<TextOf>;
    auto* function = const_cast<void*>(static_cast<const void*>(std::addressof(text_of)));
    const Text text{function, [](void* opaque) -> std::string_view {
                      return (*static_cast<Function*>(opaque))();
                    }};
    find(source, target, text, headers);
    return ids_;
  }

  // The number of times that a set ran out of memory and its patterns were tested one by one
  // instead.
  std::uint64_t set_failures() const noexcept;

 private:
  struct Text {
    void* function;
    std::string_view (*call)(void*);
    std::string_view get() const { return call(function); }
  };

  // A pattern and the kinds of its conditions.
  struct Entry {
    std::uint64_t id = 0;
    Pattern pattern;
    bool by_source = false;
    bool by_target = false;
    bool by_text = false;
    bool is_there = false;
    bool named() const noexcept { return by_source || by_target; }
  };

  using Slots = std::vector<std::uint32_t>;

  void link(std::uint32_t slot);
  void unlink(std::uint32_t slot);
  void find(const Name& source, const Name& target, const Text& text, const HeaderView& headers);
  void try_each(const Name& source, const Name& target, const Text& text,
                const HeaderView& headers);
  void pick_by_names(const Name& source, const Name& target);
  void pick_by_headers(const HeaderView& headers);
  void keep_by_text(const Text& text, const HeaderView& headers);
  void keep_named_by_text(std::string_view text, std::size_t count);
  Slots& headers_home(const PatternParts& parts);
  void drop_headers_home(const PatternParts& parts, std::uint32_t slot);

  const bool is_linear_;
  std::vector<Entry> entries_;  // by slot
  Slots free_slots_;
  std::unordered_map<std::uint64_t, std::uint32_t> slot_of_id_;
  std::uint64_t version_ = 1;

  NameConditions sources_;
  NameConditions targets_;
  std::size_t sourceless_ = 0;   // patterns without a condition on the source
  std::size_t target_only_ = 0;  // of these, with a condition on the target
  // The texts of patterns with and without conditions on names.
  RegexGroup named_texts_;
  RegexGroup texts_;
  // The patterns without conditions on names or text: by their first component, or without any.
  std::map<std::string, std::map<std::string, Slots, std::less<>>, std::less<>> by_header_;
  Slots everything_;

  Slots picked_;
  Slots hits_;
  std::vector<std::uint64_t> ids_;
};

}  // namespace coracle::detail
