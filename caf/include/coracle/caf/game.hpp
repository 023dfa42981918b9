// The rules of a game: the actions that are possible in the world that a plan is about. The
// arbiter's agent has them; its clients may have them. Tests:
// caf/tests/negotiation/game_tree_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace coracle::caf {

// States and moves are texts; equal texts are equal states. All functions are pure: the same
// arguments always give the same result.
class Game {
 public:
  virtual ~Game() = default;

  // The result of a move.
  struct Step {
    // The state after the move, and the cost of the move in control cycles; never negative.
    std::string state;
    std::int64_t cost = 0;
    // The reason why the move is illegal in its state; empty: the move is legal.
    std::string fault;
    // True if the move is over.
    bool is_over = true;

    // The result of an illegal move.
    static Step illegal(std::string why) { return {{}, 0, std::move(why), true}; }
  };

  // Carries out a whole move. Clients may send any text, and every text comes here.
  virtual Step apply(const std::string& state, const std::string& move) const = 0;
  // Carries out the next control cycle of a move. Until the move is over, the same move continues
  // from the resulting state; other moves may be legal in that state instead. By default it carries
  // out the whole move.
  virtual Step advance(const std::string& state, const std::string& move) const {
    return apply(state, move);
  }
  // Returns the client whose turn it is, where clients move by turns; empty otherwise.
  virtual std::string turn(const std::string&) const { return {}; }
};

}  // namespace coracle::caf
