// The rules against their definitions, on every small profile.
#include "coracle/caf/voting/rule.hpp"
#include "support/reference.hpp"
#include "tests/support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <iostream>
#include <sstream>

namespace coracle::caf {

namespace {

Profile profile_of(unsigned candidates, const reference::Ballots& ballots) {
  std::vector<Ballot> all;
  for (const reference::Ranking& each : ballots) all.push_back(rank({each.begin(), each.end()}));
  return Profile(candidates, std::move(all));
}

std::string shown(unsigned candidates, const reference::Ballots& ballots) {
  std::ostringstream text;
  text << candidates << " candidates:";
  for (const reference::Ranking& each : ballots) {
    text << " [";
    for (const unsigned c : each) text << c;
    text << ']';
  }
  return text.str();
}

// Compares all rules on one profile. Returns the difference; empty if there is none.
std::string compared(unsigned candidates, const reference::Ballots& ballots) {
  const Profile profile = profile_of(candidates, ballots);
  for (const std::string& name : reference::rules()) {
    const Tally tally = Rule::named(name)->count(profile);
    const reference::Winners wanted = reference::winners(name, candidates, ballots);
    const bool same =
        std::equal(tally.co_winners.begin(), tally.co_winners.end(), wanted.begin(), wanted.end());
    if (!same || !tally.every_way) return name + " on " + shown(candidates, ballots);
    if (tally.co_winners.empty() && tally.why.empty()) return name + " does not say why";
  }
  for (unsigned seats = 1; seats <= 3; ++seats) {
    const auto wanted = reference::committees(candidates, ballots, seats);
    const Tally tally = stv(seats).count(profile);
    const bool same =
        std::equal(tally.committees.begin(), tally.committees.end(), wanted.begin(), wanted.end());
    if (!same) return "stv:" + std::to_string(seats) + " on " + shown(candidates, ballots);
  }
  return {};
}

std::size_t compare_all(unsigned candidates, const reference::Ballots& choices, std::size_t most) {
  std::size_t profiles = 0;
  for (std::size_t ballots = 0; ballots <= most; ++ballots) {
    reference::every_profile(choices, ballots, [&](const reference::Ballots& each) {
      BOOST_TEST_REQUIRE(compared(candidates, each) == "");
      ++profiles;
    });
  }
  return profiles;
}

// Splits each ballot into several parts of its weight.
std::vector<Ballot> in_parts(const std::vector<Ballot>& ballots, std::int64_t parts) {
  std::vector<Ballot> all;
  for (const Ballot& each : ballots) {
    for (std::int64_t i = 0; i < parts; ++i) {
      all.push_back(each);
      all.back().weight = each.weight * Fraction(1, parts);
    }
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rules)

BOOST_AUTO_TEST_CASE(every_rule_is_its_definition_on_every_profile_of_4_candidates_and_4_ballots) {
  const bool is_slow = test::fewer > 1;  // then only up to 2 ballots for 4 candidates
  std::size_t profiles = 0;
  for (unsigned candidates = 1; candidates <= 4; ++candidates) {
    const std::size_t most = candidates == 4 && is_slow ? 2 : 4;
    profiles += compare_all(candidates, reference::complete_rankings(candidates), most);
  }
  BOOST_TEST(profiles == 5 + 15 + 210 + (is_slow ? 325U : 20'475U));
}

BOOST_AUTO_TEST_CASE(every_rule_is_its_definition_where_ballots_leave_candidates_out) {
  for (unsigned candidates = 1; candidates <= 3; ++candidates) {
    compare_all(candidates, reference::all_rankings(candidates), 3);
  }
}

BOOST_AUTO_TEST_CASE(a_weight_counts_like_as_many_ballots) {
  const reference::Ballots choices = reference::complete_rankings(3);
  reference::every_profile(choices, 2, [&](const reference::Ballots& two) {
    reference::Ballots five = {two[0], two[0], two[0], two[1], two[1]};
    std::vector<Ballot> weighted = {rank(two[0]), rank(two[1])};
    weighted[0].weight = Fraction(3, 7);  // the same shares in unusual units
    weighted[1].weight = Fraction(2, 7);
    const Profile profile(3, weighted);
    for (const std::string& name : reference::rules()) {
      const auto wanted = reference::winners(name, 3, five);
      const std::vector<Candidate> found = Rule::named(name)->count(profile).co_winners;
      BOOST_TEST_REQUIRE(std::equal(found.begin(), found.end(), wanted.begin(), wanted.end()),
                         name << " on " << shown(3, five));
    }
  });
}

BOOST_AUTO_TEST_CASE(approval_and_score_are_their_sums_on_every_profile) {
  reference::Ballots subsets;
  for (unsigned set = 0; set < 16; ++set) {
    subsets.emplace_back();
    for (unsigned c = 0; c < 4; ++c) {
      if ((set >> c & 1) != 0) subsets.back().push_back(c);
    }
  }
  reference::every_profile(subsets, 4, [&](const reference::Ballots& each) {
    std::vector<int> sums(4);
    std::vector<Ballot> approvals;
    std::vector<Ballot> grades;
    for (const reference::Ranking& approved : each) {
      approvals.push_back(approve({approved.begin(), approved.end()}));
      std::vector<Fraction> scores(4, Fraction(-1, 3));
      for (const unsigned c : approved) ++sums[c], scores[c] = Fraction(1, 2);
      grades.push_back(grade(scores));
    }
    const int most = *std::max_element(sums.begin(), sums.end());
    std::vector<Candidate> wanted;
    for (Candidate c = 0; c < 4; ++c) {
      if (sums[c] == most) wanted.push_back(c);
    }
    BOOST_TEST_REQUIRE(approval().count(Profile(4, approvals)).co_winners == wanted);
    BOOST_TEST_REQUIRE(score().count(Profile(4, grades)).co_winners == wanted);
  });
}

BOOST_AUTO_TEST_CASE(nobody_wins_by_ballots_that_all_abstain) {
  Ballot weightless = rank({1, 0, 2});
  weightless.approved = weightless.ranking;
  weightless.scores = {1, 3, 1};
  weightless.weight = 0;
  std::vector<Rule> rules = {supermajority({2, 3}), stv(2)};
  for (const std::string& name : rule_names()) rules.push_back(Rule::named(name).value());
  for (const Rule& rule : rules) {
    for (const std::vector<Ballot>& ballots :
         {std::vector<Ballot>(), {Ballot(), Ballot()}, {weightless, Ballot()}}) {
      Profile profile(3, ballots);
      profile.stand_for({1, 2, 3});
      const Tally tally = rule.count(profile);
      BOOST_TEST(tally.co_winners.empty(), rule.name());
      BOOST_TEST(tally.committees.empty(), rule.name());
      BOOST_TEST(tally.why == "nobody has voted: every ballot abstains", rule.name());
    }
  }
}

BOOST_AUTO_TEST_CASE(seats_depend_on_the_shares_of_votes_alone) {
  const std::vector<Ballot> ballots = {rank({1}),    rank({1}),          rank({1}),
                                       rank({1, 3}), rank({1, 3, 0, 2}), rank({0, 1, 2, 3})};
  const auto seated = [](std::vector<Ballot> all) {
    return stv(2).count(Profile(4, std::move(all))).committees;
  };
  const auto wanted = seated(ballots);
  // The quota is 2, so 3 of the 5 votes for candidate 1 pass on: 3/5 each, and 6/5 beat 1.
  BOOST_TEST((wanted == std::vector<std::vector<Candidate>>{{1, 3}}));
  std::vector<Ballot> with_empty = ballots;
  with_empty.emplace_back().weight = Fraction(1, 7);
  BOOST_TEST((seated(with_empty) == wanted));
  for (const std::int64_t parts : {2, 3, 7})
    BOOST_TEST((seated(in_parts(ballots, parts)) == wanted));
  for (const Fraction& factor : {Fraction(1, 100), Fraction(3, 7), Fraction(1000)}) {
    std::vector<Ballot> scaled = ballots;
    for (Ballot& each : scaled) each.weight = each.weight * factor;
    BOOST_TEST((seated(scaled) == wanted));
  }
}

BOOST_AUTO_TEST_CASE(majorities_need_their_share) {
  const auto winners = [](const Rule& rule, std::vector<Ballot> ballots) {
    return rule.count(Profile(3, std::move(ballots))).co_winners;
  };
  const std::vector<Candidate> nobody_wins;
  const std::vector<Candidate> first = {0};
  BOOST_TEST(winners(majority(), {choose(0), choose(1)}) == nobody_wins);
  BOOST_TEST(winners(majority(), {choose(0), choose(0), choose(1)}) == first);
  BOOST_TEST(winners(supermajority({2, 3}), {choose(0), choose(0), choose(1)}) == first);
  BOOST_TEST(winners(supermajority({3, 4}), {choose(0), choose(0), choose(1)}) == nobody_wins);
  BOOST_TEST(winners(unanimity(), {choose(0), choose(0), choose(1)}) == nobody_wins);
  BOOST_TEST(winners(unanimity(), {choose(0), choose(0), Ballot()}) == first);
  BOOST_TEST(winners(unanimity(), {}) == nobody_wins);
  BOOST_CHECK_THROW(supermajority({1, 2}), Error);
}

BOOST_AUTO_TEST_CASE(the_median_is_between_the_two_middle_votes) {
  const auto medians = [](std::vector<Candidate> votes) {
    std::vector<Ballot> ballots;
    for (const Candidate each : votes) ballots.push_back(choose(each));
    Profile profile(4, std::move(ballots));
    profile.stand_for({30, 10, 20, 40});
    return median().count(profile).co_winners;
  };
  using List = std::vector<Candidate>;
  BOOST_TEST(medians({1, 1, 3}) == List({1}));
  BOOST_TEST(medians({0, 1, 3}) == List({0}));
  BOOST_TEST(medians({0, 1}) == List({0, 1}));
  BOOST_TEST(medians({1, 1, 0, 3}) == List({0, 1}));
  BOOST_TEST(medians({}) == List());
  BOOST_TEST(!median().count(Profile(2, {choose(0)})).why.empty());
}

BOOST_AUTO_TEST_CASE(above_ten_candidates_ties_on_the_way_are_broken_in_the_stated_order) {
  std::vector<Candidate> order(11);
  for (Candidate c = 0; c < 11; ++c) order[c] = c;
  std::vector<Ballot> ballots;
  for (int i = 0; i < 11; ++i) {  // each candidate has every place once
    ballots.push_back(rank(order));
    std::rotate(order.begin(), order.begin() + 1, order.end());
  }
  const Profile profile(11, ballots);
  for (const Rule& rule : {irv(), coombs(), ranked_pairs(), stv()}) {
    const Tally tally = rule.count(profile);
    BOOST_TEST(!tally.every_way, rule.name());
    BOOST_TEST(tally.co_winners == std::vector<Candidate>({0}), rule.name());
  }
}

BOOST_AUTO_TEST_CASE(a_name_gives_the_rule_that_has_it) {
  for (const std::string& name : rule_names()) BOOST_TEST(Rule::named(name)->name() == name);
  for (const char* name : {"supermajority:2/3", "stv:3"}) {
    BOOST_TEST(Rule::named(name)->name() == name);
  }
  for (const char* name : {"", "chance", "irv:2", "stv:0", "stv:99", "stv:x", "supermajority",
                           "supermajority:1/2", "supermajority:x"}) {
    BOOST_TEST(!Rule::named(name), name);
  }
}

BOOST_AUTO_TEST_CASE(kemeny_refuses_what_would_take_for_ever) {
  BOOST_CHECK_THROW(kemeny().count(Profile(16, {rank({0})})), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf
