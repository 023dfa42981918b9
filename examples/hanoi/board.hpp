// The puzzle of the paper's section 2.3.1: an arm, three pegs on one table and a far one on
// another, red and green pieces. What may be moved, and how many control cycles that takes.
#pragma once

#include <coracle/caf/game.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hanoi {

// Exact answers are found for as many pieces.
inline constexpr std::size_t most_pieces = 8;
inline constexpr int pegs = 4;

enum class Layout {
  rail,  // A, B, C and D in a row
  flat,  // D is as far from each of the others
};

enum class Colour { red, green };

// The pieces' colours from the smallest to the largest, where the pegs are, and where red goes.
struct Setting {
  std::string colours = "GRGR";
  Layout layout = Layout::rail;
  // The way between the tables.
  int far = 3;
  // "B", "C", or "any": all on one of them.
  std::string target = "any";

  std::size_t pieces() const noexcept { return colours.size(); }
  Colour colour(std::size_t piece) const {
    return colours[piece] == 'R' ? Colour::red : Colour::green;
  }
  // What is wrong with it; empty: nothing.
  std::string fault() const;

  // Where a peg is: 0, 1 and 2 on the first table, beyond that the way to the far one.
  int place(int peg) const noexcept { return peg < 3 ? peg : 2 + far; }
  // How many cycles the arm needs from one place to another, and where it is after the first.
  int distance(int from, int to) const noexcept;
  int towards(int from, int to) const noexcept;
};

// Where everything is. As text: the peg of each piece, the arm's place, and whether it is up (^) or
// down (v): "AAAB 1v". A piece that the arm holds has "-" for its peg.
struct Board {
  std::string where;
  int arm = 0;
  bool is_low = false;

  static Board start(const Setting& setting) {
    return {std::string(setting.pieces(), 'A'), 0, false};
  }
  // False when it is no such text.
  static bool read(const Setting& setting, std::string_view text, Board& board);
  std::string text() const;

  // The piece that the arm holds, or -1.
  int held() const noexcept;
  // The smallest piece on a peg, or -1.
  int top(int peg) const noexcept;
  // Whether all pieces of a colour are where they belong.
  bool is_complete(const Setting& setting, Colour colour) const;
};

// A piece to a peg: "0C".
std::string move_text(int piece, int peg);
inline std::size_t piece_of(std::string_view move) noexcept {
  return static_cast<std::size_t>(move[0] - '0');
}
// All moves that are legal there.
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

// One move of a plan, as people read it.
struct Moved {
  int piece = 0;
  char from = 'A';
  char to = 'A';
};

// What a plan comes to: its moves, and when each colour is complete and stays so (-1: never).
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

// What moves have come to.
Outcome outcome_of(const Setting& setting, const std::vector<Made>& moves);
// Carries out moves from the start. Fails with Errc::bad_options for an illegal one.
Outcome carry_out(const Setting& setting, const std::vector<std::string>& moves);

}  // namespace hanoi
