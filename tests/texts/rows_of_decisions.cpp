// The reports of votes, contracts, negotiations and markets.
#include "coracle/caf/contracts/auction.hpp"
#include "coracle/caf/contracts/tender.hpp"
#include "coracle/caf/market.hpp"
#include "coracle/caf/negotiation/game_tree.hpp"
#include "coracle/caf/negotiation/negotiation.hpp"
#include "coracle/caf/negotiation/selection.hpp"
#include "coracle/caf/trader.hpp"
#include "coracle/caf/voting/charter.hpp"
#include "coracle/caf/voting/profile.hpp"
#include "coracle/caf/voting/rule.hpp"
#include "coracle/caf/voting/ties.hpp"
#include "table.hpp"

namespace coracle::test {

namespace {

using namespace std::chrono_literals;
using namespace caf;

Rows of_numbers() {
  return {
      {"a number that is none", Errc::bad_options, [] { return error_in(Fraction::parse("1/x")); },
       "'x' is not a number; write it as 3, 1/3 or 0.25"},
      {"a number that is too large", Errc::limit_reached,
       [] { return error_in(Fraction::parse("12345678901234567890")); },
       "the number 12345678901234567890 is too large; use one of at most 18 digits"},
      {"a number that is too fine", Errc::limit_reached,
       [] { return error_in(Fraction::parse("1e-30")); },
       "the number 1e-30 is too large or too fine; use at most 18 digits"},
      {"a fraction of nothing", Errc::bad_options, by([] { (void)Fraction(1, 0); }),
       "a fraction has the denominator zero; give another one"},
  };
}

Rows of_rules() {
  return {
      {"a voting rule that is not there", Errc::bad_options,
       [] { return error_in(Rule::named("shouting")); },
       "there is no rule 'shouting'; the rules are: <...> supermajority:SHARE stv:SEATS"},
      {"a voting rule with what it does not have", Errc::bad_options,
       [] { return error_in(Rule::named("borda:3")); },
       "the rule borda has no parameter; write its name alone"},
      {"a super-majority of nothing", Errc::bad_options,
       [] { return error_in(Rule::named("supermajority")); },
       "supermajority needs a share; write supermajority:2/3"},
      {"a super-majority that is none", Errc::bad_options,
       [] { return error_in(Rule::named("supermajority:1/3")); },
       "a super-majority of 1/3 is none; give a share above 1/2, up to 1"},
      {"seats that are no number", Errc::bad_options,
       [] { return error_in(Rule::named("stv:many")); },
       "'many' is not a number of seats; write stv:3"},
      {"more seats than can be filled", Errc::bad_options,
       [] { return error_in(Rule::named("stv:99")); },
       "stv cannot fill 99 seats; give a number from 1 to 12"},
      {"a tie strategy that is not there", Errc::bad_options,
       [] { return error_in(TieStrategy::named("coin")); },
       "there is no tie strategy 'coin'; they are: <...> revote:ROUNDS runoff:RULE second:RULE"},
      {"a revote without an end", Errc::bad_options,
       [] { return error_in(TieStrategy::named("revote:1000")); },
       "a revote needs a number of rounds from 1 to 100; write revote:2"},
      {"a selection rule that is not there", Errc::bad_options,
       [] { return error_in(Selection::named("loudest")); },
       "there is no selection rule 'loudest'; take one of <...>, or pareto: with a chooser"},
      {"an award rule that is not there", Errc::bad_options, by([] { (void)award_rule("nicest"); }),
       "there is no award rule 'nicest' here; use highest or lowest, or give the rule itself"},
  };
}

Ballot ballot(std::vector<Candidate> ranking, Fraction weight = 1) {
  Ballot made;
  made.weight = weight;
  made.ranking = std::move(ranking);
  return made;
}

Rows of_ballots() {
  return {
      {"an election without candidates", Errc::bad_options, by([] { (void)Profile(0, {}); }),
       "there are no candidates; name at least one"},
      {"an election with too many candidates", Errc::limit_reached,
       by([] { (void)Profile(3000, {}); }),
       "there are 3000 candidates; at most 2000 can be compared; leave some out"},
      {"a ballot for nobody", Errc::bad_options, by([] { (void)Profile(2, {ballot({7})}); }),
       "ballot 0 cannot be counted: it names candidate 7 of 2, counted from 0; correct it, or "
       "leave it out"},
      {"a ballot that names somebody twice", Errc::bad_options, by([] {
         (void)Profile(2, {ballot({0}), ballot({1, 1})});
       }),
       "ballot 1 cannot be counted: it names candidate 1 twice; correct it, or leave it out"},
      {"a ballot of a negative weight", Errc::bad_options,
       by([] { (void)Profile(2, {ballot({0}, -1)}); }),
       "ballot 0 cannot be counted: its weight -1 is negative; correct it, or leave it out"},
      {"numbers for some candidates", Errc::bad_options,
       by([] { (void)Profile(2, {}).stand_for({1}); }),
       "there are 1 numbers for 2 candidates; give one for each"},
      {"more candidates than kemeny compares", Errc::limit_reached,
       by([] { (void)kemeny().count(Profile(16, {ballot({0})})); }),
       "kemeny is exact up to 15 candidates, and there are 16; use another rule, such as schulze "
       "or ranked_pairs"},
  };
}

// A contract that `change` breaks.
std::function<std::optional<Error>()> announcing(void (*change)(Contract&, Procedure&)) {
  return by([change] {
    Contract contract;
    contract.subject = "dig a hole";
    Procedure procedure;
    change(contract, procedure);
    (void)Tender(contract, procedure, "client", {"ann"}, Time());
  });
}

Rows of_contracts() {
  return {
      {"a contract of too many items", Errc::bad_options,
       announcing([](Contract& contract, Procedure&) { contract.items.resize(65, "sand"); }),
       "contract 'dig a hole' cannot be announced: it has more than 64 items; split it"},
      {"a contract without time", Errc::bad_options,
       announcing([](Contract& contract, Procedure&) { contract.lease = 0s; }),
       "contract 'dig a hole' cannot be announced: one of its times is not above zero; give "
       "bid_within, lease and accept_within such"},
      {"bids that end before they can be awarded", Errc::bad_options,
       announcing([](Contract& contract, Procedure&) { contract.bid_within = 40s; }),
       "contract 'dig a hole' cannot be announced: its bids expire no later than the bidding ends, "
       "so that no award could be accepted; give a bid_holds above its bid_within"},
      {"a reserve that is none", Errc::bad_options,
       announcing([](Contract&, Procedure& procedure) { procedure.reserve = -1; }),
       "contract 'dig a hole' cannot be announced: its reserve is not from 0 to <n>; give one that "
       "is"},
  };
}

struct NoGame final : Game {
  Step apply(const std::string&, const std::string&) const override {
    return Step::illegal("there are no moves");
  }
};

std::function<std::optional<Error>()> growing(std::size_t clients, std::uint32_t nodes) {
  return by([clients, nodes] {
    const NoGame game{};
    GrowthLimits limits;
    limits.nodes = nodes;
    (void)GameTree(game, std::vector<Interest>(clients), nash(), limits, "", 0, {});
  });
}

Rows of_negotiations() {
  return {
      {"a negotiation of too many", Errc::bad_options, growing(65, 10),
       "a game tree cannot be grown: it has more than 64 clients; let fewer take part"},
      {"a negotiation without room", Errc::bad_options, growing(2, 0),
       "a game tree cannot be grown: its budget has no room; give at least one node and one of a "
       "batch"},
      {"a negotiation without time", Errc::bad_options, by([] {
         const NoGame game{};
         NegotiationOptions options;
         options.answer_within = 0s;
         (void)Negotiation(Beginning(), options, game, Time());
       }),
       "a negotiation cannot begin: one of its times is not above zero; give answer_within and "
       "within such"},
  };
}

std::function<std::optional<Error>()> holding(void (*change)(MarketTerms&),
                                              std::vector<Good> goods = {{"bread", "baker", 1}},
                                              std::vector<std::string> traders = {"ann"}) {
  return by([change, goods, traders] {
    MarketTerms terms;
    change(terms);
    (void)Market(terms, goods, traders);
  });
}
void as_it_is(MarketTerms&) {}

Rows of_markets() {
  return {
      {"a market without goods", Errc::bad_options, holding(as_it_is, {}),
       "a market cannot be held: it has no goods, or too many goods or traders; give it 1 to <n> "
       "goods, and at most <n> traders"},
      {"a market with a good named twice", Errc::bad_options,
       holding(as_it_is, {{"bread", "baker", 1}, {"bread", "miller", 1}}),
       "a market cannot be held: the good 'bread' is named twice; name it once"},
      {"a market with a trader named twice", Errc::bad_options,
       holding(as_it_is, {{"bread", "baker", 1}}, {"ann", "ann"}),
       "a market cannot be held: the trader 'ann' is named twice; name it once"},
      {"a market that counts in what is not there", Errc::bad_options,
       holding([](MarketTerms& terms) { terms.numeraire = "gold"; }),
       "a market cannot be held: there is no good 'gold' to count the others in; add it, or take "
       "one that is there"},
      {"a market that goes too fast", Errc::bad_options,
       holding([](MarketTerms& terms) { terms.pace = 2; }),
       "a market cannot be held: its pace is not above 0 and at most 1; give one that is"},
      {"a market without rounds", Errc::bad_options,
       holding([](MarketTerms& terms) { terms.rounds = 0; }),
       "a market cannot be held: it has no rounds; give at least one"},
      {"a consumer that likes nothing", Errc::bad_options,
       by([] { (void)Consumer(Preferences{}, {}); }),
       "a consumer cannot trade: no good has a share above zero; give one to at least one good"},
      {"a consumer that owes bread", Errc::bad_options, by([] {
         (void)Consumer(Preferences{{{"bread", 1}}, 1}, {{"bread", -2}});
       }),
       "a consumer cannot trade: the quantity of bread is negative, too large or no number; give 0 "
       "to 1e15"},
      {"a producer that makes bread of bread", Errc::bad_options, by([] {
         (void)Producer(Technology{"bread", {{"bread", 0.5}}, 1});
       }),
       "a producer cannot trade: it makes bread of itself; make it of others"},
      {"a producer that grows without an end", Errc::bad_options, by([] {
         (void)Producer(Technology{"bread", {{"flour", 1}}, 1});
       }),
       "a producer cannot trade: the sum of its exponents is above 0.99; give smaller ones"},
      {"a producer beyond all measure", Errc::bad_options, by([] {
         (void)Producer(Technology{"bread", {{"flour", 0.5}}, 1e20});
       }),
       "a producer cannot trade: its scale is not above 0 and at most 1e15; give one that is"},
  };
}

}  // namespace

Rows rows_of_decisions() {
  return joined(
      {of_numbers(), of_rules(), of_ballots(), of_contracts(), of_negotiations(), of_markets()});
}

}  // namespace coracle::test
