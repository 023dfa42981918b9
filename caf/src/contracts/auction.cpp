#include "coracle/caf/contracts/auction.hpp"

#include "common/wide.hpp"
#include "coracle/errors.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_set>

namespace coracle::caf {

namespace {

// The worth of an item that must be awarded at any price. It is more than any sum of amounts.
constexpr Wide priceless = Wide{amount_limit} * (items_limit + 1);

int size_of(Items items) { return std::popcount(items); }

// The client's gain from an offer, compared with keeping the items.
Wide gain_of(const Offer& offer, const Goal& goal) {
  const Wide kept = goal.reserve                ? Wide{*goal.reserve} * size_of(offer.items)
                    : goal.best == Best::lowest ? priceless * size_of(offer.items)
                                                : Wide{0};
  return goal.best == Best::highest ? offer.amount - kept : kept - offer.amount;
}

// Adds a preference among equal gains: the offer that awards more items.
Wide worth_of(const Offer& offer, const Goal& goal) {
  return gain_of(offer, goal) * 128 + size_of(offer.items);
}

// Searches item by item: for each item, the search tries every offer that contains it, and no
// offer.
class Search {
 public:
  Search(std::span<const Offer> offers, Items free, const Goal& goal, std::uint64_t steps)
      : offers_(offers), free_(free), steps_(steps) {
    for (std::uint32_t i = 0; i < offers.size(); ++i) {
      const Offer& each = offers[i];
      const Wide worth = worth_of(each, goal);
      worth_.push_back(worth);
      is_good_.push_back(gain_of(each, goal) >= 0 && each.items != 0 && (each.items & ~free) == 0);
      if (!is_good_.back()) continue;
      by_item_[static_cast<std::size_t>(std::countr_zero(each.items))].push_back(i);
      const Wide share = (worth + size_of(each.items) - 1) / size_of(each.items);
      for (Items left = each.items; left != 0; left &= left - 1) {
        Wide& most = most_[static_cast<std::size_t>(std::countr_zero(left))];
        most = std::max(most, share);
      }
    }
    // The most promising offers come first.
    for (auto& each : by_item_) {
      std::stable_sort(each.begin(), each.end(),
                       [&](auto a, auto b) { return worth_[a] > worth_[b]; });
    }
    go_on(free, 0);
    exact_ = steps_ > 0;
  }

  // Replaces the best allocation by the one whose offers come first, among all allocations of equal
  // worth.
  void prefer_the_first() {
    if (!exact_) return;
    std::sort(best_.begin(), best_.end());
    taken_.clear();
    Items left = free_;
    Wide sum = 0;
    for (std::uint32_t i = 0; i < offers_.size() && steps_ > 0; ++i) {
      if (!is_good_[i] || (offers_[i].items & ~left) != 0 || has_won(offers_[i].bidder)) continue;
      if (taken_.size() == best_.size()) return;
      const Items then = left & ~offers_[i].items;
      taken_.push_back(i);
      if (best_[taken_.size() - 1] != i && !leads_to_as_much(then, sum + worth_[i])) {
        taken_.pop_back();
        continue;
      }
      left = then;
      sum += worth_[i];
    }
  }

  Allocation result() && {
    std::sort(best_.begin(), best_.end());
    return {std::move(best_), exact_};
  }

 private:
  // Returns an upper bound of the worth that these items can give.
  Wide bound(Items left) const {
    Wide sum = 0;
    for (; left != 0; left &= left - 1) {
      sum += most_[static_cast<std::size_t>(std::countr_zero(left))];
    }
    return sum;
  }

  bool has_won(std::uint32_t bidder) const {
    return std::any_of(taken_.begin(), taken_.end(),
                       [&](std::uint32_t each) { return offers_[each].bidder == bidder; });
  }

  // Returns whether the taken offers can be completed to the best worth; if so, makes the
  // completion the best allocation.
  bool leads_to_as_much(Items left, Wide sum) {
    const std::size_t before = taken_.size();
    const Wide wanted = best_worth_--;
    go_on(left, sum);
    const bool is_found = best_worth_ == wanted;
    best_worth_ = wanted;
    if (!is_found) return false;
    // The offers that were taken before keep their positions.
    std::sort(best_.begin() + static_cast<std::ptrdiff_t>(before), best_.end());
    return true;
  }

  void go_on(Items left, Wide sum) {
    if (sum > best_worth_) {
      best_worth_ = sum;
      best_ = taken_;
    }
    if (left == 0 || steps_ == 0 || sum + bound(left) <= best_worth_) return;
    --steps_;
    // An offer is listed at its first item, so each offer is tried exactly once on every path.
    const Items first = left & (~left + 1);
    for (const std::uint32_t each : by_item_[static_cast<std::size_t>(std::countr_zero(left))]) {
      const Offer& offer = offers_[each];
      if ((offer.items & ~left) != 0 || has_won(offer.bidder)) continue;
      taken_.push_back(each);
      go_on(left & ~offer.items, sum + worth_[each]);
      taken_.pop_back();
    }
    go_on(left & ~first, sum);
  }

  std::span<const Offer> offers_;
  Items free_;
  std::uint64_t steps_;
  bool exact_ = true;
  std::vector<Wide> worth_;
  std::vector<bool> is_good_;
  std::array<std::vector<std::uint32_t>, items_limit> by_item_;
  std::array<Wide, items_limit> most_{};
  std::vector<std::uint32_t> taken_;
  std::vector<std::uint32_t> best_;
  Wide best_worth_ = 0;
};

// Returns whether all offers are for the same items. Then the best offer wins.
bool want_the_same(std::span<const Offer> offers) {
  return std::all_of(offers.begin(), offers.end(),
                     [&](const Offer& each) { return each.items == offers.front().items; });
}

Allocation best_one(std::span<const Offer> offers, Items free, const Goal& goal) {
  Allocation best;
  for (std::uint32_t i = 0; i < offers.size(); ++i) {
    const Offer& each = offers[i];
    if (each.items == 0 || (each.items & ~free) != 0 || gain_of(each, goal) < 0) continue;
    if (best.winners.empty()) best.winners.push_back(i);
    else if (gain_of(each, goal) > gain_of(offers[best.winners.front()], goal))
      best.winners.front() = i;
  }
  return best;
}

// The result of an allocation: the sum of its amounts, and the number of items awarded.
struct Outcome {
  Wide amount = 0;
  int items = 0;
};

Outcome outcome_of(std::span<const Offer> offers, const Allocation& allocation) {
  Outcome outcome;
  for (const std::uint32_t each : allocation.winners) {
    outcome.amount += offers[each].amount;
    outcome.items += size_of(offers[each].items);
  }
  return outcome;
}

// Returns a best allocation; of several, any.
Allocation any_best(std::span<const Offer> offers, Items free, const Goal& goal,
                    std::uint64_t steps) {
  if (offers.empty()) return {};
  if (want_the_same(offers)) return best_one(offers, free, goal);
  return Search(offers, free, goal, steps).result();
}

// Returns the price that `winner` pays or is paid, when the others would reach `without` in its
// absence.
Amount price_of(const Offer& winner, const Outcome& with, const Outcome& without,
                const Goal& goal) {
  const bool is_lowest = goal.best == Best::lowest;
  // No other bidder takes some of these items, and no reserve gives a value for them.
  if (is_lowest && !goal.reserve && without.items < with.items) return winner.amount;
  // Each item that is kept counts as the reserve.
  const Wide kept = Wide{goal.reserve.value_or(0)} * (with.items - without.items);
  const Wide lost =
      is_lowest ? without.amount + kept - with.amount : with.amount - without.amount - kept;
  // A search that was cut short may have missed a part of what the others can reach.
  const Wide surplus = std::max(Wide{0}, lost);
  const Wide price = is_lowest ? winner.amount + surplus : winner.amount - surplus;
  const Wide least = is_lowest ? Wide{0} : Wide{goal.reserve.value_or(0)} * size_of(winner.items);
  return static_cast<Amount>(std::max(least, price));
}

}  // namespace

Allocation best_allocation(std::span<const Offer> offers, Items free, const Goal& goal,
                           std::uint64_t steps) {
  if (offers.empty()) return {};
  if (want_the_same(offers)) return best_one(offers, free, goal);
  Search search(offers, free, goal, steps);
  search.prefer_the_first();
  return std::move(search).result();
}

std::vector<Amount> vickrey_prices(std::span<const Offer> offers, Items free,
                                   const Allocation& allocation, const Goal& goal,
                                   std::uint64_t steps) {
  std::vector<Amount> prices;
  const Outcome with = outcome_of(offers, allocation);
  for (const std::uint32_t winner : allocation.winners) {
    const Offer& own = offers[winner];
    std::vector<Offer> others;
    for (const Offer& each : offers) {
      if (each.bidder != own.bidder) others.push_back(each);
    }
    const Outcome without = outcome_of(others, any_best(others, free, goal, steps));
    prices.push_back(price_of(own, with, without, goal));
  }
  return prices;
}

AwardRule::AwardRule(Best best)
    : name_(best == Best::highest ? "highest" : "lowest"), best_(best) {}

AwardRule::AwardRule(std::string name, Function function)
    : name_(std::move(name)), function_(std::move(function)) {}

std::vector<std::uint32_t> AwardRule::choose(std::span<const Offer> offers, Items free,
                                             std::optional<Amount> reserve) const {
  if (best_) return best_allocation(offers, free, Goal{*best_, reserve}).winners;
  std::vector<std::uint32_t> chosen = function_(offers, free);
  std::sort(chosen.begin(), chosen.end());
  std::unordered_set<std::uint32_t> bidders;
  Items taken = 0;
  for (const std::uint32_t each : chosen) {
    const bool fits = each < offers.size() && (offers[each].items & (taken | ~free)) == 0 &&
                      bidders.insert(offers[each].bidder).second;
    if (!fits) {
      throw Error(Errc::bad_options, "the award rule '" + name_ +
                                         "' has chosen an offer that is not there, whose items are "
                                         "taken, or whose bidder has won already; choose others");
    }
    taken |= offers[each].items;
  }
  return chosen;
}

AwardRule award_rule(std::string_view name) {
  if (name == "highest") return Best::highest;
  if (name == "lowest") return Best::lowest;
  throw Error(Errc::bad_options, "there is no award rule '" + std::string(name.substr(0, 40)) +
                                     "' here; use highest or lowest, or give the rule itself");
}

}  // namespace coracle::caf
