// Who wins by which bids, and for what price: pure functions, exact for bundles of few items.
// Contract: caf/tests/auction_test.cpp.
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

// Items of one contract: item i is in the set when bit i is.
using Items = std::uint64_t;
inline constexpr std::size_t items_limit = 64;

// An amount of whatever bids are counted in, never negative, never above the limit.
using Amount = std::int64_t;
inline constexpr Amount amount_limit = Amount{1} << 53;

// The first `count` items.
constexpr Items all_items(std::size_t count) noexcept {
  return count >= items_limit ? ~Items{0} : (Items{1} << count) - 1;
}

// One bundle that a bidder would take for that amount. Of the offers of one bidder, at most one
// wins.
struct Offer {
  std::uint32_t bidder = 0;
  Items items = 1;
  Amount amount = 0;

  friend bool operator==(const Offer&, const Offer&) = default;
};

// Which amounts are good.
enum class Best : std::uint8_t {
  highest,  // the sum of what winners offer is as large as can be
  lowest,   // as many items as can be are given away, for the smallest sum
};

// What winners pay, or are paid.
enum class Pricing : std::uint8_t {
  first_price,  // what they have offered
  vickrey,      // what the others lose by their being there: of one item, the second best amount
};

// By what winners are found.
struct Goal {
  Best best = Best::highest;
  // The client would rather keep an item than give it away for less, or for more where the lowest
  // is best.
  std::optional<Amount> reserve;
};

// Who wins.
struct Allocation {
  // Places among the offers, in ascending order; their items are disjoint.
  std::vector<std::uint32_t> winners;
  // Whether nothing better exists. Otherwise it is the best of `steps` tries.
  bool exact = true;
};

// How many steps a search may take before it gives what it has.
inline constexpr std::uint64_t default_steps = 2'000'000;

// The best disjoint offers within `free`. Of several that are equally good, it is the allocation
// with the earliest offer; of these, the one with the earliest second offer, and so on. So a caller
// that shuffles the offers draws among equal allocations. Up to about 16 items and 100 offers it is
// exact within the default number of steps; when the steps end after the best was found, another
// one of the equally good allocations may be given.
Allocation best_allocation(std::span<const Offer> offers, Items free, const Goal& goal = {},
                           std::uint64_t steps = default_steps);

// What each winner pays by Vickrey's rule (Clarke and Groves for bundles), in the same order. Where
// the lowest is best and the others do not take as many items without it, a winner without a
// reserve to hold it is paid what it asked. A price may be above amount_limit: it is up to what
// several others ask together.
std::vector<Amount> vickrey_prices(std::span<const Offer> offers, Items free,
                                   const Allocation& allocation, const Goal& goal = {},
                                   std::uint64_t steps = default_steps);

// How a client chooses among offers.
class AwardRule {
 public:
  // Chooses offers by their places; the offers lie within `free`. Nothing: it rejects all.
  using Function =
      std::function<std::vector<std::uint32_t>(std::span<const Offer> offers, Items free)>;

  // One of the two that are built in.
  AwardRule(Best best);
  // Your own. The same offers must give the same choice, so that a record can be checked.
  AwardRule(std::string name, Function function);

  // "highest", "lowest", or what you called it.
  const std::string& name() const noexcept { return name_; }
  // Which of the two it is; nothing: your own.
  std::optional<Best> best() const noexcept { return best_; }
  // Chooses. Offers of your own rule that overlap, or of one bidder, fail with Errc::bad_options.
  std::vector<std::uint32_t> choose(std::span<const Offer> offers, Items free,
                                    std::optional<Amount> reserve) const;

 private:
  std::string name_;
  std::optional<Best> best_;
  Function function_;
};

// "highest" or "lowest". Fails with Errc::bad_options for any other name.
AwardRule award_rule(std::string_view name);

}  // namespace coracle::caf
