// The puzzle of the paper's section 2.3.1: an arm, three pegs on one table and a far one on
// another, red and green pieces. The rules for moves, and the control cycles that they take.
#pragma once

#include <coracle/caf/game.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hanoi {

// The largest number of pieces for which exact answers are found.
inline constexpr std::size_t most_pieces = 8;
inline constexpr int pegs = 4;

enum class Layout {
  rail,  // A, B, C and D in a row
  flat,  // D is equally far from each of the others
};

enum class Colour { red, green };

// The colours of the pieces from the smallest to the largest, the layout of the pegs, and red's
// target.
struct Setting {
  std::string colours = "GRGR";
  Layout layout = Layout::rail;
  // The distance between the tables.
  int far = 3;
  // "B", "C", or "any": all on one of them.
  std::string target = "any";

  std::size_t pieces() const noexcept { return colours.size(); }
  Colour colour(std::size_t piece) const {
    return colours[piece] == 'R' ? Colour::red : Colour::green;
  }
  // A description of the mistake in the setting; empty: there is none.
  std::string fault() const;

  // The place of a peg: 0, 1 and 2 on the first table, beyond that the distance to the far one.
  int place(int peg) const noexcept { return peg < 3 ? peg : 2 + far; }
  // The number of cycles that the arm needs between two places, and its place after the first
  // cycle.
  int distance(int from, int to) const noexcept;
  int towards(int from, int to) const noexcept;
};

// The state of the puzzle. As text: the peg of each piece, the arm's place, and whether the arm is
// up (^) or down (v): "AAAB 1v". A piece that the arm holds has "-" for its peg.
struct Board {
  std::string where;
  int arm = 0;
  bool is_low = false;

  static Board start(const Setting& setting) {
    return {std::string(setting.pieces(), 'A'), 0, false};
  }
  // Returns false when the text is not of that form.
  static bool read(const Setting& setting, std::string_view text, Board& board);
  std::string text() const;

  // The piece that the arm holds, or -1.
  int held() const noexcept;
  // The smallest piece on a peg, or -1.
  int top(int peg) const noexcept;
  // Returns whether all pieces of a colour are where they belong.
  bool is_complete(const Setting& setting, Colour colour) const;
};

// The text of a move of a piece to a peg: "0C".
std::string move_text(int piece, int peg);
inline std::size_t piece_of(std::string_view move) noexcept {
  return static_cast<std::size_t>(move[0] - '0');
}
// All moves that are legal in a state.
std::vector<std::string> legal_moves(const Board& board);

// The rules.
class Rules final : public coracle::caf::Game {
 public:
  explicit Rules(Setting setting) : setting_(std::move(setting)) {}

  Step apply(const std::string& state, const std::string& move) const override;
  Step advance(const std::string& state, const std::string& move) const override;
  const Setting& setting() const noexcept { return setting_; }

 private:
  std::string fault_of(const std::string& state, const std::string& move, Board& board) const;

  Setting setting_;
};

// One move of a plan, in a form for people.
struct Moved {
  int piece = 0;
  char from = 'A';
  char to = 'A';
};

// The result of a plan: its moves, and when each colour is complete and stays so (-1: never).
struct Outcome {
  std::vector<Moved> moves;
  std::int64_t red = -1;
  std::int64_t green = -1;
  std::int64_t cycles = 0;
};

// A move, and the cycle in which its piece was put down.
struct Made {
  std::string move;
  std::int64_t cycle = 0;
};

// The result of moves.
Outcome outcome_of(const Setting& setting, const std::vector<Made>& moves);
// Carries out moves from the start. Fails with Errc::bad_options for an illegal one.
Outcome carry_out(const Setting& setting, const std::vector<std::string>& moves);

}  // namespace hanoi
