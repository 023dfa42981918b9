// Games for tests of negotiation: a tree that follows from a seed, and clients that know all of it.
#pragma once

#include "coracle/caf/negotiation/negotiation.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace coracle::caf::negotiating {

// States are the moves that lead to them: "", "a", "ab". In each state, some of a, b, c are legal,
// down to some depth. Each move has a cost, and each state has a value for each client.
class RandomGame final : public Game {
 public:
  RandomGame(std::uint64_t seed, std::size_t depth, std::uint32_t clients, bool by_turns = false)
      : seed_(seed), depth_(depth), clients_(clients), by_turns_(by_turns) {}

  Step apply(const std::string& state, const std::string& move) const override;
  std::string turn(const std::string& state) const override;

  std::vector<std::string> moves(const std::string& state) const;
  std::int64_t score(const std::string& state, std::uint32_t client) const;
  // Returns the greatest value of any state from `state` on.
  std::int64_t best(const std::string& state, std::uint32_t client) const;
  // Returns all states.
  std::vector<std::string> all() const;
  std::int64_t cost(const std::string& state) const;

 private:
  std::uint64_t number(const std::string& state, std::uint64_t what) const;

  std::uint64_t seed_;
  std::size_t depth_;
  std::uint32_t clients_;
  bool by_turns_;
};

// Returns the clients "ann", "bob", "cy" … of such a game, with thresholds that can sometimes be
// met.
std::vector<Interest> some_interests(std::uint32_t count);
// Returns the judgement of client `number` of `game` about a node. The client wishes for every
// legal move.
Judgement judged(const RandomGame& game, const PlanNode& node, std::uint32_t number,
                 bool knows_best);

// Grows `tree` until nothing is to be judged, with all clients' judgements.
void grow(GameTree& tree, const RandomGame& game, bool knows_best);

// A plan, given by its last state, with each client's score and the cost.
struct Ranked {
  std::vector<std::int64_t> scores;
  std::int64_t cost = 0;
  std::string state;
};
std::vector<Ranked> ranked(const RandomGame& game, std::uint32_t clients);
Ranked best_of(const std::vector<Ranked>& all, const Selection& rule,
               const std::vector<Interest>& clients);

}  // namespace coracle::caf::negotiating
