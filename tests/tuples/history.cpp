#include "history.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace coracle::tuples {

namespace {

constexpr int most_values = 8;

// The number of tuples of each value, eight bits for each.
using Tuples = std::uint64_t;

bool has(Tuples tuples, int value) { return (tuples >> (8 * value) & 0xff) != 0; }
Tuples one(int value) { return Tuples{1} << (8 * value); }

class Search {
 public:
  explicit Search(const std::vector<Operation>& history) : history_(history) {}

  bool explains(std::uint64_t done, Tuples tuples) {
    if (!seen_.emplace(done, tuples).second) return false;
    std::uint64_t first_end = std::numeric_limits<std::uint64_t>::max();
    bool all_done = true;
    for (std::size_t i = 0; i < history_.size(); ++i) {
      if ((done >> i & 1) != 0) continue;
      if (!history_[i].is_open()) all_done = false;
      first_end = std::min(first_end, history_[i].ended);
    }
    if (all_done) return true;
    for (std::size_t i = 0; i < history_.size(); ++i) {
      // An operation must not precede one that had ended when it began.
      if ((done >> i & 1) != 0 || history_[i].begun > first_end) continue;
      if (follows(history_[i], done | std::uint64_t{1} << i, tuples)) return true;
    }
    return false;
  }

 private:
  bool follows(const Operation& next, std::uint64_t done, Tuples tuples) {
    if (next.kind == Operation::Kind::out) return explains(done, tuples + one(next.value));
    const bool takes = next.kind == Operation::Kind::take;
    if (next.is_open()) {  // it may have taken any that fits
      if (!takes) return false;
      for (int value = 0; value < most_values; ++value) {
        const bool fits = next.wanted == no_value || next.wanted == value;
        if (fits && has(tuples, value) && explains(done, tuples - one(value))) return true;
      }
      return false;
    }
    if (next.value != no_value) {
      return has(tuples, next.value) && explains(done, takes ? tuples - one(next.value) : tuples);
    }
    const bool is_none = next.wanted == no_value ? tuples == 0 : !has(tuples, next.wanted);
    return is_none && explains(done, tuples);
  }

  const std::vector<Operation>& history_;
  std::set<std::pair<std::uint64_t, Tuples>> seen_;
};

}  // namespace

bool is_linear(const std::vector<Operation>& history) { return Search(history).explains(0, 0); }

std::string to_string(const std::vector<Operation>& history) {
  std::string text;
  for (const Operation& each : history) {
    const char* const names[] = {"out", "take", "read"};
    text += std::string("\n  ") + names[static_cast<int>(each.kind)];
    if (each.kind != Operation::Kind::out) text += " of " + std::to_string(each.wanted);
    text += ": " + std::to_string(each.value) + ", from " + std::to_string(each.begun) + " to " +
            (each.is_open() ? "never" : std::to_string(each.ended));
  }
  return text;
}

}  // namespace coracle::tuples
