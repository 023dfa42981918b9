// Ranked pairs. With ties between margins there are many orders of locking. A ranking is the result
// of some order if everybody in it reaches everybody below along a path of comparisons, and this
// path is at least as wide as the margin against it. So the winners are found by building such
// rankings from the top instead of by trying orders.
#include "rules.hpp"

#include <algorithm>
#include <array>
#include <bitset>

namespace coracle::caf {

namespace {

// Builds a ranking with a given head, if there is such a ranking, for few candidates.
class Stack {
 public:
  explicit Stack(const Margins& margins) : margins_(margins), size_(margins.candidates()) {}

  bool is_possible_below(Candidate head) {
    for (auto& row : along_) row.fill(INT64_MIN);
    placed_ = 0;
    order_.clear();
    return place(head);
  }

 private:
  static constexpr std::size_t few = every_way_limit;
  using Widths = std::array<std::array<std::int64_t, few>, few>;

  bool has(Candidate c) const { return ((placed_ >> c) & 1) != 0; }

  // Places `next` below the others, and tries to place the rest below it.
  bool place(Candidate next) {
    // The width of the widest path down from each candidate above.
    std::array<std::int64_t, few> reached{};
    for (const Candidate above : order_) {
      std::int64_t width = margins_(above, next);
      for (const Candidate via : order_) {
        if (along_[above][via] == INT64_MIN) continue;
        width = std::max(width, std::min(along_[above][via], margins_(via, next)));
      }
      if (width < margins_(next, above)) return false;
      reached[above] = width;
    }
    const Widths before = along_;
    for (const Candidate above : order_) along_[above][next] = reached[above];
    order_.push_back(next);
    placed_ |= Mask{1} << next;
    bool possible = order_.size() == size_;
    if (!possible && may_go_on()) {
      for (Candidate c = 0; !possible && c < size_; ++c) possible = !has(c) && place(c);
    }
    if (!possible) {
      placed_ &= ~(Mask{1} << next);
      order_.pop_back();
      along_ = before;
    }
    return possible;
  }

  // Returns whether the placed candidates could still reach the others, if the others were placed
  // in any order.
  bool may_go_on() const {
    Widths widest{};
    for (Candidate a = 0; a < size_; ++a) {
      for (Candidate b = 0; b < size_; ++b) {
        widest[a][b] = has(b) ? (has(a) ? along_[a][b] : INT64_MIN) : margins_(a, b);
      }
    }
    for (Candidate via = 0; via < size_; ++via) {
      for (Candidate a = 0; a < size_; ++a) {
        for (Candidate b = 0; b < size_; ++b) {
          widest[a][b] = std::max(widest[a][b], std::min(widest[a][via], widest[via][b]));
        }
      }
    }
    for (Candidate a = 0; a < size_; ++a) {
      for (Candidate b = 0; b < size_; ++b) {
        if (has(a) && !has(b) && widest[a][b] < margins_(b, a)) return false;
      }
    }
    return true;
  }

  const Margins& margins_;
  std::size_t size_;
  Mask placed_ = 0;
  std::vector<Candidate> order_;
  Widths along_{};  // the widest path downwards between two placed candidates
};

// Locks in the stated order: wider margins first, then by the first candidate, then by the second.
std::vector<Candidate> lock_in_order(const Margins& margins) {
  using Set = std::bitset<Profile::max_candidates>;
  struct Comparison {
    std::int64_t margin;
    Candidate above, below;
  };
  const Candidate size = margins.candidates();
  std::vector<Comparison> comparisons;
  for (Candidate a = 0; a < size; ++a) {
    for (Candidate b = 0; b < size; ++b) {
      if (margins(a, b) > 0) comparisons.push_back({margins(a, b), a, b});
    }
  }
  std::stable_sort(comparisons.begin(), comparisons.end(),
                   [](const Comparison& a, const Comparison& b) { return a.margin > b.margin; });
  std::vector<Set> below(size);  // for each candidate, those below it, directly or through others
  std::vector<bool> beaten(size);
  for (const Comparison& each : comparisons) {
    if (below[each.below][each.above]) continue;
    beaten[each.below] = true;
    if (below[each.above][each.below]) continue;
    Set added = below[each.below];
    added.set(each.below);
    below[each.above] |= added;
    for (Candidate c = 0; c < size; ++c) {
      if (below[c][each.above]) below[c] |= added;
    }
  }
  std::vector<Candidate> heads;
  for (Candidate c = 0; c < size; ++c) {
    if (!beaten[c]) heads.push_back(c);
  }
  return heads;
}

}  // namespace

Tally count_ranked_pairs(const Profile& profile) {
  const Margins& margins = profile.margins();
  Tally tally;
  tally.every_way = margins.candidates() <= every_way_limit;
  if (!tally.every_way) {
    tally.co_winners = lock_in_order(margins);
    return tally;
  }
  Stack stack(margins);
  for (Candidate head = 0; head < margins.candidates(); ++head) {
    if (stack.is_possible_below(head)) tally.co_winners.push_back(head);
  }
  return tally;
}

Rule ranked_pairs() { return built_in("ranked_pairs", Counts::rankings, count_ranked_pairs); }

}  // namespace coracle::caf
