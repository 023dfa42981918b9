// Many regular expressions that are tested against one text together.
#pragma once

#include "literal_table.hpp"
#include "pattern_parts.hpp"

#include <re2/set.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace coracle::detail {

// The result is the same as from testing each expression alone, but it comes faster. An expression
// with a literal is tested when the literal occurs. The others are tested by an RE2::Set, or one by
// one when the set has no memory left. Added expressions are tested alone until there are enough of
// them to be worth a rebuild, which happens at the next match. Not safe to share between threads.
class RegexGroup {
 public:
  // The part of a text that the expressions must match.
  enum class Where { whole, anywhere };

  // A set takes at most `set_bytes`.
  RegexGroup(Where where, std::size_t set_bytes) : where_(where), set_bytes_(set_bytes) {}

  // Adds an expression under the number `slot`, which must not be in use.
  void add(std::uint32_t slot, SharedExpression expression);
  // Forgets the expression of `slot`, which must be in use.
  void remove(std::uint32_t slot);

  // The number of expressions.
  std::size_t size() const noexcept { return alive_; }

  // Appends the slots of all expressions that match `text`, each once, in no order.
  void match(std::string_view text, std::vector<std::uint32_t>& slots);

  // The number of times that a set ran out of memory and the expressions were tested one by one.
  std::uint64_t set_failures() const noexcept { return set_failures_; }

 private:
  struct Entry {
    std::uint32_t slot;
    std::uint32_t tested;  // the last turn in which one of its literals was found
    bool alive;
    SharedExpression expression;  // kept after removal: the table reads its literals in place
  };

  bool matches(const Entry& entry, std::string_view text) const;
  bool out_of_date() const noexcept;
  void rebuild();
  void build_set();
  void start_turn();
  bool match_set(std::string_view text, std::vector<std::uint32_t>& slots);

  Where where_;
  std::size_t set_bytes_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> entry_of_slot_;
  std::size_t alive_ = 0;
  std::size_t built_ = 0;  // the entries that the table and the set contain; later ones are new
  LiteralTable literals_;
  std::vector<std::uint32_t> plain_;  // the entries without a useful literal
  std::unique_ptr<RE2::Set> set_;     // of plain_, in the same order; null: few, or no memory
  std::vector<int> set_hits_;
  std::uint32_t turn_ = 0;
  std::uint64_t set_failures_ = 0;
};

}  // namespace coracle::detail
