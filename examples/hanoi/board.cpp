#include "board.hpp"

#include <coracle/errors.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace hanoi {

using coracle::Errc;
using coracle::Error;

namespace {

int peg_of(char letter) { return letter >= 'A' && letter <= 'D' ? letter - 'A' : -1; }

}  // namespace

std::string Setting::fault() const {
  if (colours.empty() || pieces() > most_pieces)
    return "give 1 to 8 pieces, such as --colours GRGR";
  if (colours.find_first_not_of("RG") != std::string::npos) return "colours are R and G";
  if (far < 1 || far > 1000) return "the way between the tables is 1 to 1000 cycles";
  if (target != "B" && target != "C" && target != "any") return "the target is B, C or any";
  return {};
}

int Setting::distance(int from, int to) const noexcept {
  const bool is_between = (from > 2) != (to > 2);
  if (layout == Layout::flat && is_between) return std::max(from, to) - 2;
  return std::abs(from - to);
}

int Setting::towards(int from, int to) const noexcept {
  const bool is_between = (from > 2) != (to > 2);
  if (from == to) return from;
  if (layout == Layout::flat && is_between) {
    if (from > 2) return from == 3 ? to : from - 1;
    return 3;
  }
  return from < to ? from + 1 : from - 1;
}

bool Board::read(const Setting& setting, std::string_view text, Board& board) {
  const std::size_t count = setting.pieces();
  if (text.size() < count + 3 || text[count] != ' ') return false;
  board.where = text.substr(0, count);
  if (board.where.find_first_not_of("ABCD-") != std::string::npos) return false;
  const char* const end = text.data() + text.size() - 1;
  const auto number = std::from_chars(text.data() + count + 1, end, board.arm);
  if (number.ec != std::errc() || number.ptr != end) return false;
  if (board.arm < 0 || board.arm > setting.place(3)) return false;
  board.is_low = *end == 'v';
  return board.is_low || *end == '^';
}

std::string Board::text() const { return where + ' ' + std::to_string(arm) + (is_low ? 'v' : '^'); }

int Board::held() const noexcept {
  const auto found = where.find('-');
  return found == std::string::npos ? -1 : static_cast<int>(found);
}

int Board::top(int peg) const noexcept {
  const auto found = where.find(static_cast<char>('A' + peg));
  return found == std::string::npos ? -1 : static_cast<int>(found);
}

bool Board::is_complete(const Setting& setting, Colour colour) const {
  char goal = colour == Colour::green ? 'D' : '\0';
  if (colour == Colour::red && setting.target != "any") goal = setting.target[0];
  for (std::size_t i = 0; i < where.size(); ++i) {
    if (setting.colour(i) != colour) continue;
    if (goal == '\0' && (where[i] == 'B' || where[i] == 'C')) goal = where[i];
    if (where[i] != goal) return false;
  }
  return true;
}

std::string move_text(int piece, int peg) {
  return {static_cast<char>('0' + piece), static_cast<char>('A' + peg)};
}

std::vector<std::string> legal_moves(const Board& board) {
  std::vector<std::string> moves;
  const int held = board.held();
  for (int from = 0; from < pegs; ++from) {
    const int piece = held >= 0 ? held : board.top(from);
    if (piece < 0) continue;
    for (int to = 0; to < pegs; ++to) {
      const int below = board.top(to);
      const bool is_there = held < 0 && to == from;
      if (!is_there && (below < 0 || below > piece)) moves.push_back(move_text(piece, to));
    }
    if (held >= 0) break;
  }
  return moves;
}

// The reason why a move is illegal in a state; empty: it is legal, and `board` is the state.
std::string Rules::fault_of(const std::string& state, const std::string& move, Board& board) const {
  if (!Board::read(setting_, state, board)) return "'" + state + "' is no state of this puzzle";
  const int to = move.size() == 2 ? peg_of(move[1]) : -1;
  const int piece = move.size() == 2 ? move[0] - '0' : -1;
  if (to < 0 || piece < 0 || piece >= static_cast<int>(setting_.pieces())) {
    return "a move is the number of a piece and a peg, such as 0C";
  }
  const int held = board.held();
  if (held >= 0 && held != piece) return "the arm holds piece " + std::to_string(held);
  const int from = held >= 0 ? -1 : peg_of(board.where[static_cast<std::size_t>(piece)]);
  if (from == to) return "it is there already";
  if (held < 0 && board.top(from) != piece) {
    return "piece " + std::to_string(board.top(from)) + " lies on it";
  }
  const int below = board.top(to);
  if (below >= 0 && below < piece) return "piece " + std::to_string(below) + " there is smaller";
  return {};
}

Rules::Step Rules::apply(const std::string& state, const std::string& move) const {
  Board board;
  if (std::string fault = fault_of(state, move, board); !fault.empty()) {
    return Step::illegal(std::move(fault));
  }
  const auto piece = static_cast<std::size_t>(move[0] - '0');
  const int to = setting_.place(peg_of(move[1]));
  std::int64_t cost = board.is_low ? 1 : 0;
  if (board.held() < 0) {
    const int from = setting_.place(peg_of(board.where[piece]));
    cost += setting_.distance(board.arm, from) + 2;  // down and up
    board.arm = from;
  }
  cost += setting_.distance(board.arm, to) + 1;
  board.where[piece] = move[1];
  board.arm = to;
  board.is_low = true;
  return {board.text(), cost, {}, true};
}

Rules::Step Rules::advance(const std::string& state, const std::string& move) const {
  Board board;
  if (std::string fault = fault_of(state, move, board); !fault.empty()) {
    return Step::illegal(std::move(fault));
  }
  const auto piece = static_cast<std::size_t>(move[0] - '0');
  const bool holds = board.held() >= 0;
  const int to = setting_.place(peg_of(holds ? move[1] : board.where[piece]));
  bool is_over = false;
  if (board.is_low) {
    board.is_low = false;
  } else if (board.arm != to) {
    board.arm = setting_.towards(board.arm, to);
  } else {
    board.is_low = true;
    board.where[piece] = holds ? move[1] : '-';
    is_over = holds;
  }
  return {board.text(), 1, {}, is_over};
}

Outcome outcome_of(const Setting& setting, const std::vector<Made>& moves) {
  Outcome outcome;
  Board board = Board::start(setting);
  const auto look = [&](Colour colour, std::int64_t& since) {
    if (!board.is_complete(setting, colour)) since = -1;
    else if (since < 0) since = outcome.cycles;
  };
  look(Colour::red, outcome.red);
  look(Colour::green, outcome.green);
  for (const Made& each : moves) {
    const std::size_t piece = piece_of(each.move);
    outcome.moves.push_back({static_cast<int>(piece), board.where[piece], each.move[1]});
    board.where[piece] = each.move[1];
    outcome.cycles = each.cycle;
    // A piece that moves from one good place to another had not reached its final place.
    (setting.colour(piece) == Colour::red ? outcome.red : outcome.green) = -1;
    look(Colour::red, outcome.red);
    look(Colour::green, outcome.green);
  }
  return outcome;
}

Outcome carry_out(const Setting& setting, const std::vector<std::string>& moves) {
  const Rules rules(setting);
  std::string state = Board::start(setting).text();
  std::vector<Made> made;
  std::int64_t cycle = 0;
  for (const std::string& each : moves) {
    const Rules::Step step = rules.apply(state, each);
    if (!step.fault.empty()) throw Error(Errc::bad_options, "move '" + each + "': " + step.fault);
    state = step.state;
    cycle += step.cost;
    made.push_back({each, cycle});
  }
  return outcome_of(setting, made);
}

}  // namespace hanoi
