// The choice of the winners of an auction and of the prices they pay: pure functions, exact for
// bundles of few items. Tests: caf/tests/contracts/auction_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::caf {

// A set of items of one contract: item i is in the set when bit i is set.
using Items = std::uint64_t;
inline constexpr std::size_t items_limit = 64;

// An amount, in any unit in which the bids are counted. It is never negative and never above the
// limit.
using Amount = std::int64_t;
inline constexpr Amount amount_limit = Amount{1} << 53;

// The set of the first `count` items.
constexpr Items all_items(std::size_t count) noexcept {
  return count >= items_limit ? ~Items{0} : (Items{1} << count) - 1;
}

// One bundle that a bidder would take for an amount. Of the offers of one bidder, at most one wins.
struct Offer {
  std::uint32_t bidder = 0;
  Items items = 1;
  Amount amount = 0;

  friend bool operator==(const Offer&, const Offer&) = default;
};

// The direction in which one amount is better than another.
enum class Best : std::uint8_t {
  highest,  // the sum of the winners' offers is as large as possible
  lowest,   // as many items as possible are awarded, for the smallest sum
};

// The amount that winners pay, or are paid.
enum class Pricing : std::uint8_t {
  first_price,  // the amount that they offered
  vickrey,      // the loss that a winner's presence causes the others: of one item, the second best
                // amount
};

// The aim by which winners are found.
struct Goal {
  Best best = Best::highest;
  // The reserve price. The client keeps an item rather than award it for less; where the lowest
  // amount is best, for more.
  std::optional<Amount> reserve;
};

// The winners of an auction.
struct Allocation {
  // The indices of the winning offers, in ascending order. The items of these offers are disjoint.
  std::vector<std::uint32_t> winners;
  // True if no better allocation exists. Otherwise this is the best allocation that `steps` tries
  // found.
  bool exact = true;
};

// The number of steps that a search may take. A search that has used them returns the best
// allocation found so far.
inline constexpr std::uint64_t default_steps = 2'000'000;

// Returns the best disjoint offers within `free`. Of several equally good allocations, the function
// returns the one with the earliest first offer; of these, the one with the earliest second offer,
// and so on. So a caller that shuffles the offers draws among equal allocations. Up to about 16
// items and 100 offers, the result is exact within the default number of steps. If the steps run
// out after the best allocation was found, the function may return another of the equally good
// allocations.
Allocation best_allocation(std::span<const Offer> offers, Items free, const Goal& goal = {},
                           std::uint64_t steps = default_steps);

// Returns the price of each winner by Vickrey's rule (Clarke and Groves for bundles), in the same
// order. Suppose the lowest amount is best, the other bidders do not cover as many items without
// this winner, and no reserve limits its price. Then the winner is paid the amount that it asked. A
// price may be above amount_limit: it can be as much as several others ask together.
std::vector<Amount> vickrey_prices(std::span<const Offer> offers, Items free,
                                   const Allocation& allocation, const Goal& goal = {},
                                   std::uint64_t steps = default_steps);

// The rule by which a client chooses among offers.
class AwardRule {
 public:
  // Chooses offers by their indices. All offers lie within `free`. An empty result rejects all
  // offers.
  using Function =
      std::function<std::vector<std::uint32_t>(std::span<const Offer> offers, Items free)>;

  // One of the two built-in rules.
  AwardRule(Best best);
  // A rule of the user's own. The same offers must give the same choice, so that a record can be
  // checked.
  AwardRule(std::string name, Function function);

  // "highest", "lowest", or the name of the user's own rule.
  const std::string& name() const noexcept { return name_; }
  // The built-in rule that this is; empty for the user's own rule.
  std::optional<Best> best() const noexcept { return best_; }
  // Chooses among `offers`. Fails with Errc::bad_options if the user's own rule chooses offers that
  // overlap, or two offers of one bidder.
  std::vector<std::uint32_t> choose(std::span<const Offer> offers, Items free,
                                    std::optional<Amount> reserve) const;

 private:
  std::string name_;
  std::optional<Best> best_;
  Function function_;
};

// Returns the rule "highest" or "lowest". Fails with Errc::bad_options for any other name.
AwardRule award_rule(std::string_view name);

}  // namespace coracle::caf
