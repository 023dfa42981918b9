#include "coracle/caf/voting/ties.hpp"

#include <rapidcheck.h>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

namespace coracle::caf {

namespace {

using Tied = std::vector<Candidate>;

Tied settled(const char* ties, const Tied& tied, TieContext context = {}) {
  static const Profile profile(
      4, {rank({0, 1, 2, 3}), rank({1, 0, 2, 3}), rank({2, 1, 0, 3}), rank({3, 1, 0, 2})});
  if (context.profile == nullptr) context.profile = &profile;
  return Ties::named(ties)->settle(tied, context).left;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ties)

BOOST_AUTO_TEST_CASE(each_strategy_prefers_what_its_name_says) {
  BOOST_TEST(settled("lexical", {1, 2, 3}) == Tied({1}));
  BOOST_TEST(settled("none", {1, 2}) == Tied({1, 2}));
  BOOST_TEST(settled("", {1, 2}) == Tied({1, 2}));
  BOOST_TEST(settled("runoff:plurality", {0, 1, 3}) == Tied({1}));
  BOOST_TEST(settled("second:borda", {0, 2, 3}) == Tied({0}));
  BOOST_TEST(settled("second:borda,lexical", {2, 3}) == Tied({2}));
  TieContext context;
  context.incumbent = 2;
  BOOST_TEST(settled("status_quo", {1, 2}, context) == Tied({2}));
  BOOST_TEST(settled("status_quo", {0, 1}, context) == Tied({0, 1}));
  const Ballot chair = rank({3, 1, 0});
  context.chair = &chair;
  BOOST_TEST(settled("chair", {0, 1}, context) == Tied({1}));
  BOOST_TEST(settled("chair", {2}, context) == Tied({2}));
  context.seniority = {2, 1, 1, 0};
  BOOST_TEST(settled("seniority", {0, 1, 2}, context) == Tied({1, 2}));
  BOOST_TEST(settled("status_quo,seniority", {0, 3}, context) == Tied({3}));
}

// By runoff, 1 wins over 0 although 0 has more first places. So the winners by the second rule come
// before the candidates with the best score there.
BOOST_AUTO_TEST_CASE(a_second_rule_prefers_its_winners_and_then_its_scores) {
  std::vector<Ballot> ballots = {rank({0, 1, 2}), rank({1, 0, 2}), rank({2, 1, 0})};
  for (std::size_t i = 0; i < 3; ++i) ballots[i].weight = Fraction(4 - std::int64_t(i));
  const Profile profile(3, ballots);
  BOOST_TEST(runoff().count(profile).co_winners == Tied({1}));
  TieContext context;
  context.profile = &profile;
  BOOST_TEST(settled("second:runoff", {0, 1}, context) == Tied({1}));
  BOOST_TEST(settled("second:runoff", {0, 2}, context) == Tied({0}));
  BOOST_TEST(settled("second:condorcet", {0, 2}, context) == Tied({0, 2}));
}

BOOST_AUTO_TEST_CASE(a_chain_goes_on_with_what_is_left_and_says_who_narrowed_it) {
  TieContext context;
  context.incumbent = 9;
  const Profile profile(4, {choose(0)});
  context.profile = &profile;
  const TieOutcome outcome = Ties::named("status_quo,lexical,random")->settle({1, 2}, context);
  BOOST_TEST(outcome.left == Tied({1}));
  BOOST_TEST(outcome.by == std::vector<std::string>({"lexical"}));
  BOOST_TEST(settled("none,lexical", {1, 2}) == Tied({1, 2}));
}

BOOST_AUTO_TEST_CASE(a_revote_is_asked_for_as_often_as_it_says) {
  const Ties ties = Ties::named("revote:2,lexical").value();
  TieContext context;
  for (context.revotes = 0; context.revotes < 2; ++context.revotes) {
    const TieOutcome outcome = ties.settle({0, 1}, context);
    BOOST_TEST(outcome.revote);
    BOOST_TEST(outcome.left == Tied({0, 1}));
  }
  BOOST_TEST(!ties.settle({0, 1}, context).revote);
  BOOST_TEST(ties.settle({0, 1}, context).left == Tied({0}));
}

BOOST_AUTO_TEST_CASE(chance_is_decided_by_the_seed_alone_and_gives_everybody_a_chance) {
  std::set<Candidate> chosen;
  for (int i = 0; i < 100; ++i) {
    TieContext context;
    context.seed = std::to_string(i);
    const Tied once = settled("random", {0, 1, 3}, context);
    BOOST_TEST(once == settled("random", {0, 1, 3}, context));
    BOOST_TEST_REQUIRE(once.size() == 1u);
    chosen.insert(once.front());
  }
  BOOST_TEST(chosen == std::set<Candidate>({0, 1, 3}));
}

BOOST_AUTO_TEST_CASE(every_rule_goes_with_every_strategy) {
  const bool held = rc::check([] {
    const auto size = *rc::gen::inRange<Candidate>(1, 6);
    std::vector<Ballot> ballots;
    for (int i = *rc::gen::inRange(0, 7); i > 0; --i) {
      Tied order;
      for (Candidate c = 0; c < size; ++c) order.push_back(c);
      for (std::size_t k = order.size(); k > 1; --k) {
        std::swap(order[k - 1], order[*rc::gen::inRange<std::size_t>(0, k)]);
      }
      order.resize(*rc::gen::inRange<std::size_t>(0, size + 1));
      ballots.push_back(rank(order));
      ballots.back().approved = order;
      ballots.back().scores.emplace(size, Fraction(i, 3));
      ballots.back().weight = Fraction(*rc::gen::inRange(0, 5), 2);
    }
    Profile profile(size, ballots);
    profile.stand_for(std::vector<Fraction>(size, 1));
    const Ballot chair = choose(size - 1);
    TieContext context;
    context.profile = &profile;
    context.seed = "s";
    context.chair = &chair;
    for (const std::string& name : rule_names()) {
      const Tally tally = Rule::named(name)->count(profile);
      RC_ASSERT(std::is_sorted(tally.co_winners.begin(), tally.co_winners.end()));
      if (tally.co_winners.empty()) continue;
      for (const char* ties : {"random", "status_quo", "chair", "revote", "lexical", "seniority",
                               "none", "runoff:irv", "second:condorcet", "second:score"}) {
        const TieOutcome outcome = Ties::named(ties)->settle(tally.co_winners, context);
        RC_ASSERT(!outcome.left.empty());
        for (const Candidate each : outcome.left) {
          RC_ASSERT(std::binary_search(tally.co_winners.begin(), tally.co_winners.end(), each));
        }
      }
    }
  });
  BOOST_TEST(held);
}

BOOST_AUTO_TEST_CASE(candidates_and_voters_may_change_their_places) {
  const bool held = rc::check([] {
    const Candidate size = *rc::gen::inRange<Candidate>(1, 7);
    const auto shuffled = [](Tied list) {
      for (std::size_t k = list.size(); k > 1; --k) {
        std::swap(list[k - 1], list[*rc::gen::inRange<std::size_t>(0, k)]);
      }
      return list;
    };
    Tied all;
    for (Candidate c = 0; c < size; ++c) all.push_back(c);
    const Tied names = shuffled(all);
    std::vector<Ballot> ballots;
    std::vector<Ballot> renamed;
    for (int i = *rc::gen::inRange(1, 8); i > 0; --i) {
      ballots.push_back(rank(shuffled(all)));
      renamed.insert(renamed.begin(), ballots.back());
      for (Candidate& each : renamed.front().ranking) each = names[each];
    }
    for (const std::string& rule : rule_names()) {
      Tied wanted = Rule::named(rule)->count(Profile(size, ballots)).co_winners;
      for (Candidate& each : wanted) each = names[each];
      std::sort(wanted.begin(), wanted.end());
      RC_ASSERT(Rule::named(rule)->count(Profile(size, renamed)).co_winners == wanted);
    }
  });
  BOOST_TEST(held);
}

BOOST_AUTO_TEST_CASE(a_name_that_is_none_is_refused_with_those_that_exist) {
  for (const char* name : {"coin", "revote:0", "revote:x", "runoff:coin", "second:", "lexical:2"}) {
    const Result<Ties> ties = Ties::named(name);
    BOOST_TEST(!ties, name);
  }
  BOOST_TEST(Ties::named("chair,runoff:irv,random")->name() == "chair,runoff:irv,random");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf
