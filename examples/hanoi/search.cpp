#include "search.hpp"

#include <algorithm>
#include <tuple>

namespace hanoi {

namespace {

constexpr std::int32_t unknown = -1;

// A state between two moves: two bits for the peg of each piece, and two for that of the arm.
using State = std::uint32_t;

// The graph of those states. The arm is down at its peg, and a move begins by going up.
class Graph {
 public:
  explicit Graph(const Setting& setting) : setting_(setting), pieces_(setting.pieces()) {
    for (int from = 0; from < pegs; ++from) {
      for (int to = 0; to < pegs; ++to) {
        way_[from][to] = setting.distance(setting.place(from), setting.place(to));
        longest_ = std::max(longest_, 2 * way_[from][to] + 4);
      }
    }
  }

  std::size_t size() const noexcept { return std::size_t{1} << (2 * pieces_ + 2); }
  int peg(State state, std::size_t piece) const noexcept { return state >> (2 + 2 * piece) & 3; }
  int arm(State state) const noexcept { return state & 3; }
  int top(State state, int at) const noexcept {
    for (std::size_t piece = 0; piece < pieces_; ++piece) {
      if (peg(state, piece) == at) return static_cast<int>(piece);
    }
    return -1;
  }
  State with(State state, int piece, int to, int arm_at) const noexcept {
    const int shift = 2 + 2 * piece;
    return (state & ~(State{3} << shift) & ~State{3}) | static_cast<State>(to) << shift |
           static_cast<State>(arm_at);
  }
  std::int32_t cost(int arm_at, int from, int to) const noexcept {
    return 4 + way_[arm_at][from] + way_[from][to];
  }
  bool is_complete(State state, Colour colour) const {
    return board(state).is_complete(setting_, colour);
  }
  Board board(State state) const {
    Board board{std::string(pieces_, 'A'), setting_.place(arm(state)), true};
    for (std::size_t i = 0; i < pieces_; ++i)
      board.where[i] = static_cast<char>('A' + peg(state, i));
    return board;
  }
  std::vector<State> complete(bool red, bool green) const {
    std::vector<State> found;
    for (State state = 0; state < size(); state += 4) {
      if ((red && !is_complete(state, Colour::red)) ||
          (green && !is_complete(state, Colour::green)))
        continue;
      for (State at = 0; at < 4; ++at) found.push_back(state + at);
    }
    return found;
  }

  // Each move from a state: see(piece, to, next, cost).
  template <class See>
  void moves(State state, See see) const {
    for (int from = 0; from < pegs; ++from) {
      const int piece = top(state, from);
      for (int to = 0; piece >= 0 && to < pegs; ++to) {
        const int below = top(state, to);
        if (to == from || (below >= 0 && below < piece)) continue;
        see(piece, to, with(state, piece, to, to), cost(arm(state), from, to));
      }
    }
  }
  // Each move to a state: the piece under the arm was moved last.
  template <class See>
  void moves_back(State state, See see) const {
    const int to = arm(state);
    const int piece = top(state, to);
    for (int from = 0; piece >= 0 && from < pegs; ++from) {
      const int below = top(state, from);
      if (from == to || (below >= 0 && below < piece)) continue;
      for (int at = 0; at < pegs; ++at) {
        see(piece, from, with(state, piece, from, at), cost(at, from, to));
      }
    }
  }

  // The cycles from `sources` to every state, or from every state to them; only moves of `colour`.
  std::vector<std::int32_t> spread(const std::vector<State>& sources, bool is_back,
                                   std::optional<Colour> colour = std::nullopt) const {
    std::vector<std::int32_t> cycles(size(), unknown);
    const auto room = static_cast<std::size_t>(longest_) + 1;
    std::vector<std::vector<State>> due(room);  // by time, in a ring
    std::size_t waiting = sources.size();
    for (const State each : sources) cycles[each] = 0;
    due[0] = sources;
    for (std::int32_t now = 0; waiting > 0; ++now) {
      std::vector<State> present = std::move(due[static_cast<std::size_t>(now) % room]);
      due[static_cast<std::size_t>(now) % room].clear();
      waiting -= present.size();
      for (const State state : present) {
        if (cycles[state] != now) continue;
        const auto see = [&](int piece, int, State next, std::int32_t more) {
          if (colour && setting_.colour(static_cast<std::size_t>(piece)) != *colour) return;
          if (cycles[next] != unknown && cycles[next] <= now + more) return;
          cycles[next] = now + more;
          due[static_cast<std::size_t>(now + more) % room].push_back(next);
          ++waiting;
        };
        if (is_back) moves_back(state, see);
        else moves(state, see);
      }
    }
    return cycles;
  }

 private:
  Setting setting_;
  std::size_t pieces_;
  int way_[pegs][pegs];
  std::int32_t longest_ = 0;
};

// A point of the front: until `turn` all pieces may move, after it only the pieces of `last`.
struct Point {
  std::int64_t red = 0;
  std::int64_t green = 0;
  State turn = 0;
  Colour last = Colour::green;
};

// The arm begins above, so the first move does not begin by going up.
constexpr std::int64_t begins_above = 1;

std::vector<Point> non_dominated(std::vector<Point> points) {
  std::sort(points.begin(), points.end(), [](const Point& one, const Point& other) {
    return std::tie(one.red, one.green) < std::tie(other.red, other.green);
  });
  std::vector<Point> front;
  for (const Point& each : points) {
    if (front.empty() || each.green < front.back().green) front.push_back(each);
  }
  return front;
}

// The moves that lead to `state`, found by the cycles from the start.
std::vector<std::string> way_to(const Graph& graph, const std::vector<std::int32_t>& cycles,
                                State state) {
  std::vector<std::string> moves;
  while (cycles[state] > 0) {
    std::optional<State> before;
    graph.moves_back(state, [&](int, int, State from, std::int32_t cost) {
      if (cycles[from] != unknown && cycles[from] + cost == cycles[state]) before = from;
    });
    moves.push_back(move_text(graph.top(state, graph.arm(state)), graph.arm(state)));
    state = *before;
  }
  std::reverse(moves.begin(), moves.end());
  return moves;
}

// The moves from `state` on, found by the cycles that are left.
void way_on(const Setting& setting, const Graph& graph, const std::vector<std::int32_t>& left,
            Colour colour, State state, std::vector<std::string>& moves) {
  while (left[state] > 0) {
    std::optional<State> after;
    std::string move;
    graph.moves(state, [&](int piece, int to, State next, std::int32_t cost) {
      if (setting.colour(static_cast<std::size_t>(piece)) != colour) return;
      if (left[next] == unknown || left[next] + cost != left[state]) return;
      after = next;
      move = move_text(piece, to);
    });
    moves.push_back(move);
    state = *after;
  }
}

}  // namespace

Distance::Distance(Setting setting, Colour colour) : setting_(std::move(setting)), colour_(colour) {
  const Graph graph(setting_);
  const bool is_red = colour == Colour::red;
  cycles_ = graph.spread(graph.complete(is_red, !is_red), true);
}

std::int64_t Distance::from(const Board& board) const {
  if (board.is_complete(setting_, colour_)) return 0;
  const auto known = [this](const Board& between) {
    State state = 0;
    for (std::size_t i = between.where.size(); i-- > 0;) {
      state = state << 2 | static_cast<State>(between.where[i] - 'A');
    }
    const int arm = between.arm > 2 ? 3 : between.arm;
    return std::int64_t{cycles_[state << 2 | static_cast<State>(arm)]};
  };
  const bool is_at_peg = board.arm <= 2 || board.arm == setting_.place(3);
  if (board.is_low && board.held() < 0 && is_at_peg) return known(board);
  // The board is in the middle of a move.
  const Rules rules(setting_);
  std::int64_t least = INT32_MAX;
  for (const std::string& each : legal_moves(board)) {
    const Rules::Step step = rules.apply(board.text(), each);
    Board after;
    (void)Board::read(setting_, step.state, after);
    least = std::min(least, step.cost + known(after));
  }
  return least;
}

Optimum optimum(const Setting& setting) {
  const Graph graph(setting);
  const auto from_start = graph.spread({0}, false);
  const auto both = graph.complete(true, true);
  const auto green_left = graph.spread(both, true, Colour::green);
  const auto red_left = graph.spread(both, true, Colour::red);
  Optimum best;
  const auto earliest = [&](const std::vector<State>& states) {
    std::int64_t least = INT32_MAX;
    for (const State each : states) {
      if (from_start[each] == unknown) continue;
      least = std::min(least, std::max<std::int64_t>(0, from_start[each] - begins_above));
    }
    return least;
  };
  best.red = earliest(graph.complete(true, false));
  best.green = earliest(graph.complete(false, true));
  best.both = earliest(both);
  std::vector<Point> points;
  for (State state = 0; state < graph.size(); ++state) {
    if (from_start[state] == unknown) continue;
    const std::int64_t now = from_start[state] - begins_above;
    const auto first = std::max<std::int64_t>(0, now);
    if (green_left[state] != unknown && graph.is_complete(state, Colour::red)) {
      points.push_back(
          {first, std::max<std::int64_t>(0, now + green_left[state]), state, Colour::green});
    }
    if (red_left[state] != unknown && graph.is_complete(state, Colour::green)) {
      points.push_back(
          {std::max<std::int64_t>(0, now + red_left[state]), first, state, Colour::red});
    }
  }
  const std::vector<Point> front = non_dominated(std::move(points));
  for (const Point& each : front) best.front.emplace_back(each.red, each.green);
  const Point& quickest =
      *std::min_element(front.begin(), front.end(), [](const Point& one, const Point& other) {
        const auto key = [](const Point& point) {
          return std::pair(std::max(point.red, point.green), point.red + point.green);
        };
        return key(one) < key(other);
      });
  best.plan = way_to(graph, from_start, quickest.turn);
  way_on(setting, graph, quickest.last == Colour::green ? green_left : red_left, quickest.last,
         quickest.turn, best.plan);
  return best;
}

}  // namespace hanoi
