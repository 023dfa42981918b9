// What can be done in the world that a plan is about: the rules of the game. The arbiter's agent
// knows them; its clients may. Contract: caf/tests/game_tree_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace coracle::caf {

// States and moves are texts; equal texts are equal states. All of it is pure: the same question
// always has the same answer.
class Game {
 public:
  virtual ~Game() = default;

  // What comes of a move.
  struct Step {
    // The state after it, and what it has cost, in control cycles; never negative.
    std::string state;
    std::int64_t cost = 0;
    // Why the move is illegal in its state; empty: it is legal.
    std::string fault;
    // Whether the move is over.
    bool is_over = true;

    // An illegal one.
    static Step illegal(std::string why) { return {{}, 0, std::move(why), true}; }
  };

  // All of a move. Whatever text somebody sends comes here.
  virtual Step apply(const std::string& state, const std::string& move) const = 0;
  // The next control cycle of a move; until it is over, the same move goes on from the state that
  // this gives, and others may be legal there instead. Otherwise all of it.
  virtual Step advance(const std::string& state, const std::string& move) const {
    return apply(state, move);
  }
  // The client whose turn it is, where clients move by turns; otherwise nobody's.
  virtual std::string turn(const std::string&) const { return {}; }
};

}  // namespace coracle::caf
