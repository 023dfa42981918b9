#include "trees.hpp"

#include <algorithm>

namespace coracle::caf::negotiating {

std::uint64_t RandomGame::number(const std::string& state, std::uint64_t what) const {
  std::uint64_t value = seed_ * 0x9e3779b97f4a7c15U + what;
  const auto mix = [&value] {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
    value ^= value >> 27;
  };
  mix();
  for (const char each : state) {
    value += static_cast<unsigned char>(each);
    mix();
  }
  mix();
  return value >> 8;
}

std::vector<std::string> RandomGame::moves(const std::string& state) const {
  std::vector<std::string> moves;
  if (state.size() >= depth_) return moves;
  for (const char* each : {"a", "b", "c"}) {
    if (number(state + each, 1) % 4 != 0) moves.push_back(each);
  }
  return moves;
}

Game::Step RandomGame::apply(const std::string& state, const std::string& move) const {
  const auto legal = moves(state);
  if (std::find(legal.begin(), legal.end(), move) == legal.end()) {
    return Step::illegal("'" + move + "' does not go there");
  }
  return {state + move, static_cast<std::int64_t>(1 + number(state + move, 2) % 5), {}, true};
}

std::string RandomGame::turn(const std::string& state) const {
  if (!by_turns_) return {};
  return some_interests(clients_)[state.size() % clients_].client;
}

std::int64_t RandomGame::score(const std::string& state, std::uint32_t client) const {
  return static_cast<std::int64_t>(number(state, 100 + client) % 20) - 5;
}

std::int64_t RandomGame::best(const std::string& state, std::uint32_t client) const {
  std::int64_t best = score(state, client);
  for (const std::string& each : moves(state))
    best = std::max(best, this->best(state + each, client));
  return best;
}

std::vector<std::string> RandomGame::all() const {
  std::vector<std::string> all = {""};
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const std::string& each : moves(all[i])) all.push_back(all[i] + each);
  }
  return all;
}

std::int64_t RandomGame::cost(const std::string& state) const {
  std::int64_t cost = 0;
  for (std::size_t i = 0; i < state.size(); ++i) {
    cost += apply(state.substr(0, i), state.substr(i, 1)).cost;
  }
  return cost;
}

std::vector<Interest> some_interests(std::uint32_t count) {
  const char* const names[] = {"ann", "bob", "cy", "di"};
  std::vector<Interest> interests;
  for (std::uint32_t i = 0; i < count; ++i) {
    interests.push_back({names[i], 8 - i, -1, 1 + i, i % 2});
  }
  return interests;
}

Judgement judged(const RandomGame& game, const PlanNode& node, std::uint32_t number,
                 bool knows_best) {
  Judgement judgement;
  judgement.node = node.node;
  judgement.worth.score = game.score(node.state, number);
  judgement.worth.best = knows_best ? game.best(node.state, number) : 100;
  judgement.worth.ends = node.cost;
  judgement.moves = game.moves(node.state);
  return judgement;
}

void grow(GameTree& tree, const RandomGame& game, bool knows_best) {
  std::vector<std::string> refused;
  const auto clients = static_cast<std::uint32_t>(tree.clients().size());
  do {
    for (std::uint32_t i = 0; i < clients; ++i) {
      for (const PlanNode& each : tree.draft(i)) {
        (void)tree.judge(i, judged(game, each, i, knows_best), refused);
      }
    }
  } while (tree.grow());
}

std::vector<Ranked> ranked(const RandomGame& game, std::uint32_t clients) {
  std::vector<Ranked> all;
  for (const std::string& each : game.all()) {
    Ranked one{{}, game.cost(each), each};
    for (std::uint32_t i = 0; i < clients; ++i) one.scores.push_back(game.score(each, i));
    all.push_back(std::move(one));
  }
  return all;
}

Ranked best_of(const std::vector<Ranked>& all, const Selection& rule,
               const std::vector<Interest>& clients) {
  const Ranked* best = &all.front();
  for (const Ranked& each : all) {
    const Outlook one{each.scores, each.cost};
    if (rule.compare(one, {best->scores, best->cost}, clients) > 0) best = &each;
  }
  return *best;
}

}  // namespace coracle::caf::negotiating
