// The growth of a tree of moves and the choice from it, compared with all plans of random games.
#include "support/trees.hpp"

#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

namespace coracle::caf::negotiating {

namespace {

const char* const orders[] = {"mutual", "nash", "utilitarian", "leximin", "lexicographic"};

std::string end_of(const GameTree& tree) { return tree.node(tree.choice().value()).state; }

// Computes the choice backwards from the leaves, one by one.
std::string played(const RandomGame& game, const std::vector<Interest>& clients,
                   const std::string& state, bool is_paranoid) {
  const auto moves = game.moves(state);
  if (moves.empty()) return state;
  const auto of = [&](const std::string& name) {
    std::uint32_t i = 0;
    while (clients[i].client != name) ++i;
    return i;
  };
  const std::uint32_t mover = of(game.turn(state));
  const std::uint32_t hunted = of(game.turn(""));
  std::string best;
  bool is_first = true;
  for (const std::string& each : moves) {
    const std::string end = played(game, clients, state + each, is_paranoid);
    const auto of_hunted = game.score(end, hunted) - game.score(best, hunted);
    const auto of_mover = game.score(end, mover) - game.score(best, mover);
    const bool is_better =
        is_paranoid ? (mover == hunted ? of_hunted > 0 : of_hunted < 0) : of_mover > 0;
    if (is_first || is_better) best = end;
    is_first = false;
  }
  return best;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(game_tree)

BOOST_AUTO_TEST_CASE(a_tree_that_is_exhausted_chooses_as_well_as_who_sees_all_plans) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const auto count = static_cast<std::uint32_t>(2 + seed % 3);
    const RandomGame game(seed, 5, count);
    const auto clients = some_interests(count);
    for (const char* each : orders) {
      const Selection rule = Selection::named(each).value();
      const Ranked best = best_of(ranked(game, count), rule, clients);
      for (const bool knows_best : {false, true}) {
        GameTree tree(game, clients, rule, {}, "", 0, {});
        grow(tree, game, knows_best);
        BOOST_TEST(tree.is_exhausted());
        const Outlook chosen = tree.outlook(tree.choice().value());
        BOOST_TEST_REQUIRE(
            (rule.compare(chosen, {best.scores, best.cost}, clients) == 0),
            "seed " << seed << ", " << each << ": " << end_of(tree) << ", not " << best.state);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(who_knows_what_may_come_need_not_see_all_of_it) {
  const RandomGame game(3, 6, 2);
  GameTree blind(game, some_interests(2), utilitarian(), {}, "", 0, {});
  GameTree knowing(game, some_interests(2), utilitarian(), {}, "", 0, {});
  grow(blind, game, false);
  grow(knowing, game, true);
  BOOST_TEST(blind.size() == game.all().size());
  BOOST_TEST(knowing.size() < blind.size() / 2);
  BOOST_TEST(end_of(knowing) == end_of(blind));
}

BOOST_AUTO_TEST_CASE(nothing_is_chosen_that_another_plan_in_the_tree_is_better_than_for_all) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const RandomGame game(seed, 5, 3);
    for (const char* each : orders) {
      for (const std::uint32_t budget : {3U, 17U, 60U, 1000U}) {
        GrowthLimits limits;
        limits.nodes = budget;
        limits.batch = 4;
        GameTree tree(game, some_interests(3), Selection::named(each).value(), limits, "", 0, {});
        grow(tree, game, false);
        const NodeId chosen = tree.choice().value();
        for (NodeId id = 0; id < tree.size(); ++id) {
          if (!tree.node(id).is_candidate) continue;
          const bool is_dominated = is_as_good(tree.outlook(id), tree.outlook(chosen)) &&
                                    !is_as_good(tree.outlook(chosen), tree.outlook(id));
          BOOST_TEST_REQUIRE(!is_dominated, "seed " << seed << ", " << each);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(more_budget_never_gives_a_worse_plan_and_the_budget_is_kept) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RandomGame game(seed, 6, 3);
    const auto clients = some_interests(3);
    for (const char* each : orders) {
      const Selection rule = Selection::named(each).value();
      std::vector<std::int64_t> scores;
      std::int64_t cost = 0;
      for (std::uint32_t budget = 1; budget < 200; budget += budget < 30 ? 1 : 13) {
        GrowthLimits limits;
        limits.nodes = budget;
        limits.batch = 5;
        GameTree tree(game, clients, rule, limits, "", 0, {});
        grow(tree, game, false);
        BOOST_TEST_REQUIRE(tree.size() <= budget);
        const Outlook chosen = tree.outlook(tree.choice().value());
        if (!scores.empty()) {
          BOOST_TEST_REQUIRE((rule.compare(chosen, {scores, cost}, clients) >= 0),
                             "seed " << seed << ", " << each << ", budget " << budget);
        }
        scores.assign(chosen.scores.begin(), chosen.scores.end());
        cost = chosen.cost;
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_front_has_all_plans_that_nobody_can_better_for_all) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const RandomGame game(seed, 5, 2);
    GameTree tree(game, some_interests(2), pareto(), {}, "", 0, {});
    grow(tree, game, seed % 2 == 0);
    std::set<std::pair<std::vector<std::int64_t>, std::int64_t>> found;
    std::set<std::pair<std::vector<std::int64_t>, std::int64_t>> wanted;
    for (const NodeId each : tree.front()) {
      const Outlook plan = tree.outlook(each);
      found.emplace(std::vector<std::int64_t>(plan.scores.begin(), plan.scores.end()), plan.cost);
    }
    const auto all = ranked(game, 2);
    for (const Ranked& each : all) {
      const Outlook plan{each.scores, each.cost};
      const bool is_best = std::none_of(all.begin(), all.end(), [&](const Ranked& other) {
        const Outlook more{other.scores, other.cost};
        return is_as_good(more, plan) && !is_as_good(plan, more);
      });
      if (is_best) wanted.emplace(each.scores, each.cost);
    }
    BOOST_TEST_REQUIRE((found == wanted), "seed " << seed);
    const Ranked best = best_of(all, utilitarian(), some_interests(2));
    BOOST_TEST((utilitarian().compare(tree.outlook(tree.choice().value()), {best.scores, best.cost},
                                      some_interests(2)) == 0));
  }
}

BOOST_AUTO_TEST_CASE(where_clients_move_by_turns_each_takes_what_is_best_for_itself) {
  std::size_t differ = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const auto count = static_cast<std::uint32_t>(2 + seed % 2);
    const RandomGame game(seed, 5, count, true);
    const auto clients = some_interests(count);
    std::string ends[2];
    for (const bool is_paranoid : {false, true}) {
      GameTree tree(game, clients, is_paranoid ? paranoid() : max_n(), {}, "", 0, {});
      grow(tree, game, false);
      BOOST_TEST(tree.size() == game.all().size());
      const std::string wanted = played(game, clients, "", is_paranoid);
      const std::uint32_t first = 0;
      const std::string end = end_of(tree);
      BOOST_TEST_REQUIRE(game.moves(end).empty());
      if (is_paranoid) BOOST_TEST_REQUIRE(game.score(end, first) == game.score(wanted, first));
      ends[is_paranoid ? 1 : 0] = end;
    }
    differ += ends[0] != ends[1] ? 1 : 0;
  }
  BOOST_TEST(differ > 10U);
}

BOOST_AUTO_TEST_CASE(without_equal_scores_turns_lead_to_one_plan_only) {
  // Each state has a score of its own.
  class Lone final : public Game {
   public:
    Step apply(const std::string& state, const std::string& move) const override {
      if (state.size() == 3 || (move != "a" && move != "b")) return Step::illegal("no such move");
      return {state + move, 1, {}, true};
    }
    std::string turn(const std::string& state) const override {
      return state.size() % 2 == 0 ? "ann" : "bob";
    }
  };
  const Lone game;
  // The plans aaa … bbb, for ann and for bob.
  const std::int64_t scores[8][2] = {{3, 1}, {8, 2}, {4, 9}, {5, 3},
                                     {2, 4}, {7, 5}, {9, 6}, {1, 8}};
  GameTree tree(game, {{"ann"}, {"bob"}}, max_n(), {}, "", 0, {});
  std::vector<std::string> refused;
  do {
    for (std::uint32_t i = 0; i < 2; ++i) {
      for (const PlanNode& each : tree.draft(i)) {
        std::size_t place = 0;
        for (const char move : each.state) place = 2 * place + (move == 'b' ? 1 : 0);
        Judgement judgement{each.node, {0, 100, each.cost, 0, true}, {"a", "b"}};
        if (each.state.size() == 3)
          judgement = {each.node, {scores[place][i], 100, 3, 0, true}, {}};
        BOOST_TEST(tree.judge(i, judgement, refused) == "");
      }
    }
  } while (tree.grow());
  // ann chooses last: aa→b (8,2), ab→b (5,3), ba→b (7,5), bb→a (9,6). Before that, bob chooses: a→b
  // (5,3), b→b (9,6).
  BOOST_TEST(end_of(tree) == "bba");
}

BOOST_AUTO_TEST_CASE(every_way_in_the_tree_is_legal_and_whoever_answers_first_makes_no_difference) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RandomGame game(seed, 5, 3);
    std::vector<std::string> shapes;
    for (int order = 0; order < 2; ++order) {
      GrowthLimits limits;
      limits.nodes = 80;
      GameTree tree(game, some_interests(3), leximin(), limits, "", 0, {});
      std::vector<std::string> refused;
      do {
        for (std::uint32_t i = 0; i < 3; ++i) {
          const std::uint32_t client = order == 0 ? i : 2 - i;
          for (const PlanNode& each : tree.draft(client)) {
            Judgement judgement = judged(game, each, client, false);
            // Each client has its own wishes, in its own order.
            std::erase_if(judgement.moves, [&](const std::string& move) {
              return static_cast<std::uint32_t>(move[0] - 'a') == client;
            });
            if (order == 1) std::reverse(judgement.moves.begin(), judgement.moves.end());
            BOOST_TEST(tree.judge(client, judgement, refused) == "");
          }
        }
      } while (tree.grow());
      std::string shape;
      for (NodeId id = 0; id < tree.size(); ++id) {
        const GameNode& node = tree.node(id);
        shape += std::to_string(node.parent) + node.move + std::to_string(node.sponsors) + " ";
        std::string state;
        std::int64_t cost = 0;
        for (const std::string& move : tree.plan(id).moves) {
          const Game::Step step = game.apply(state, move);
          BOOST_TEST_REQUIRE(step.fault == "");
          state = step.state;
          cost += step.cost;
        }
        BOOST_TEST((state == node.state && cost == node.cost));
      }
      shapes.push_back(shape);
    }
    BOOST_TEST_REQUIRE(shapes[0] == shapes[1], "seed " << seed);
  }
}

BOOST_AUTO_TEST_CASE(what_is_illegal_or_makes_no_sense_is_refused_with_its_reason) {
  const RandomGame game(1, 3, 2);
  GameTree tree(game, some_interests(2), nash(), {}, "", 0, {});
  std::vector<std::string> refused;
  BOOST_TEST(tree.judge(0, {7, {}, {}}, refused) == "there is no node 7");
  BOOST_TEST(tree.judge(0, {0, {5, 4, 0, 0, true}, {}}, refused).find("is less than") !=
             std::string::npos);
  BOOST_TEST(tree.judge(0, {0, {INT64_MAX, INT64_MAX, 0, 0, true}, {}}, refused).find("beyond") !=
             std::string::npos);
  BOOST_TEST(refused.empty());
  BOOST_TEST(tree.judge(0, {0, {1, 9, 0, 0, true}, {"z", game.moves("")[0]}}, refused) == "");
  BOOST_TEST_REQUIRE(refused.size() == 1U);
  BOOST_TEST(refused[0] == "move 'z' at node 0: 'z' does not go there");
  BOOST_TEST(tree.judge(0, {0, {2, 9, 0, 0, true}, {}}, refused) == "node 0 is judged already");
  BOOST_TEST(tree.judge(1, {0, {1, 9, 0, 0, true}, {}}, refused) == "");
  BOOST_TEST(tree.grow());
  BOOST_TEST(tree.size() == 2U);
  BOOST_TEST(tree.worth(0, 0).score == 1);
  BOOST_TEST(tree.propose({"z"}).find("move 1 ('z') is illegal") == 0U);
  const std::vector<Interest> many(65);
  BOOST_CHECK_THROW(GameTree(game, many, nash(), {}, "", 0, {}), Error);
}

BOOST_AUTO_TEST_CASE(of_two_ways_to_a_state_the_better_one_is_followed) {
  // A line of places: "-" goes back, "+" goes on, "*" goes two on at a high cost.
  class Line final : public Game {
   public:
    Step apply(const std::string& state, const std::string& move) const override {
      const int place = std::stoi(state) + (move == "-" ? -1 : move == "+" ? 1 : 2);
      if (place < 0 || place > 9) return Step::illegal("it ends there");
      return {std::to_string(place), move == "*" ? 9 : 1, {}, true};
    }
  };
  const Line game;
  for (const bool merges : {true, false}) {
    GrowthLimits limits;
    limits.nodes = 2000;
    limits.merges = merges;
    GameTree tree(game, {{"ann", 1, 0, 1, 0}}, mutually_agreeable(), limits, "0", 0, {});
    std::vector<std::string> refused;
    do {
      for (const PlanNode& each : tree.draft(0)) {
        const bool is_there = each.state == "7";
        const std::int64_t end = is_there ? each.cost : each.cost + 1;
        Judgement judgement{
            each.node, {is_there ? 100 - each.cost : 0, 100 - end, end, 0, true}, {}};
        if (!is_there) judgement.moves = {"-", "+", "*"};
        (void)tree.judge(0, judgement, refused);
      }
    } while (tree.grow());
    BOOST_TEST(tree.plan(tree.choice().value()).moves.size() == 7U);
    if (merges) BOOST_TEST(tree.size() < 60U);
    else BOOST_TEST(tree.size() > 200U);
  }
}

BOOST_AUTO_TEST_CASE(a_plan_that_is_struck_is_not_chosen_again_and_one_who_is_dropped_has_no_say) {
  const RandomGame game(5, 5, 2);
  const auto clients = some_interests(2);
  GameTree tree(game, clients, utilitarian(), {}, "", 0, {});
  grow(tree, game, true);
  auto all = ranked(game, 2);
  for (int i = 0; i < 5; ++i) {
    const Ranked best = best_of(all, utilitarian(), clients);
    const NodeId chosen = tree.choice().value();
    BOOST_TEST(
        (utilitarian().compare(tree.outlook(chosen), {best.scores, best.cost}, clients) == 0));
    const std::string state = tree.node(chosen).state;
    std::erase_if(all, [&](const Ranked& each) { return each.state == state; });
    tree.strike(chosen);
    grow(tree, game, true);
  }
  GameTree other(game, clients, utilitarian(), {}, "", 0, {});
  other.drop(1);
  grow(other, game, true);
  for (Ranked& each : all = ranked(game, 2)) each.scores[1] = 0;
  const Ranked best = best_of(all, utilitarian(), clients);
  BOOST_TEST(other.outlook(other.choice().value()).scores[0] == best.scores[0]);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf::negotiating
