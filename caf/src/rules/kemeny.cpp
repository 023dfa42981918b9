// Kemeny and Young: the ranking that contradicts the fewest preferences. It is found by dynamic
// programming over sets: the best order of a set is its best head before the best order of the
// others.
#include "rules.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

namespace coracle::caf {

Tally count_kemeny(const Profile& profile) {
  const Margins& margins = profile.margins();
  const std::uint32_t size = margins.candidates();
  if (size > kemeny_limit) {
    throw Error(Errc::limit_reached, "kemeny is exact up to " + std::to_string(kemeny_limit) +
                                         " candidates, and there are " + std::to_string(size) +
                                         "; use another rule, such as schulze or ranked_pairs");
  }
  const Mask everybody = (Mask{1} << size) - 1;
  const auto over = [&](Candidate head, Mask set) {
    std::int64_t sum = 0;
    for (; set != 0; set &= set - 1) {
      sum += margins(head, static_cast<Candidate>(std::countr_zero(set)));
    }
    return sum;
  };
  // For each set, the greatest sum of margins of candidates ahead over candidates behind.
  std::vector<std::int64_t> best(std::size_t{1} << size, INT64_MIN);
  best[0] = 0;
  for (Mask set = 1; set <= everybody; ++set) {
    for (Mask heads = set; heads != 0; heads &= heads - 1) {
      const auto head = static_cast<Candidate>(std::countr_zero(heads));
      const Mask rest = set & ~(Mask{1} << head);
      const std::int64_t sum = best[rest] + over(head, rest);
      best[set] = std::max(best[set], sum);
    }
  }
  Tally tally;
  for (Candidate head = 0; head < size; ++head) {
    const Mask rest = everybody & ~(Mask{1} << head);
    if (best[rest] + over(head, rest) == best[everybody]) tally.co_winners.push_back(head);
  }
  return tally;
}

Rule kemeny() { return built_in("kemeny", Counts::rankings, count_kemeny); }

}  // namespace coracle::caf
