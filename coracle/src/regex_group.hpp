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

// Gives the same answer as testing each expression alone, faster: expressions with a literal are
// tested when the literal occurs, the others by an RE2::Set, and each alone when the set has no
// memory left. Additions are tested alone until there are enough of them to be worth a rebuild,
// which happens at the next match. Not for several threads.
class RegexGroup {
 public:
  // Where in a text the expressions must match.
  enum class Where { whole, anywhere };

  // A set takes at most `set_bytes`.
  RegexGroup(Where where, std::size_t set_bytes) : where_(where), set_bytes_(set_bytes) {}

  // Adds an expression that goes by `slot`, which must not be in use.
  void add(std::uint32_t slot, SharedExpression expression);
  // Forgets the expression of `slot`, which must be in use.
  void remove(std::uint32_t slot);

  // How many expressions there are.
  std::size_t size() const noexcept { return alive_; }

  // Appends the slots of all expressions that match `text`, each once, in no order.
  void match(std::string_view text, std::vector<std::uint32_t>& slots);

  // How often a set ran out of memory and the expressions were tested one by one.
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
  std::size_t built_ = 0;  // the entries that the table and the set know; the rest is new
  LiteralTable literals_;
  std::vector<std::uint32_t> plain_;  // the entries without a useful literal
  std::unique_ptr<RE2::Set> set_;     // of plain_, in the same order; null: few, or no memory
  std::vector<int> set_hits_;
  std::uint32_t turn_ = 0;
  std::uint64_t set_failures_ = 0;
};

}  // namespace coracle::detail
