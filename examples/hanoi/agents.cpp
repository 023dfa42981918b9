#include "agents.hpp"

#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <algorithm>
#include <charconv>

namespace hanoi {

using namespace coracle;

std::int64_t worth_at(std::int64_t time, std::int64_t deadline) {
  const std::int64_t late = std::max<std::int64_t>(1, whenever + 1 - time);
  return time <= deadline ? whenever + 1 + late : late;
}

caf::PlanRequest Player::request() const {
  caf::PlanRequest request;
  request.goal = colour_ == Colour::red ? "red" : "green";
  request.threshold = worth_at(deadline_, deadline_);
  return request;
}

Task<> Player::act() {
  const caf::PlanRequest first = request();
  co_await change("mover", first);
}

Task<> Player::on_other(const Message& message) {
  const std::string_view text = message.text();
  (void)std::from_chars(text.data(), text.data() + text.size(), deadline_);
  const caf::PlanRequest other = request();
  co_await change("mover", other);
  if (message.is_request()) {
    const Content done("done");
    co_await reply(message, done);
  }
}

// The note is the time since which the colour is complete, plus one; zero: it is not complete.
caf::Judgement Player::judge(const Name&, const caf::PlanNode& node) {
  caf::Judgement judgement;
  caf::Worth& worth = judgement.worth;
  Board board;
  if (!Board::read(setting_, node.state, board)) return judgement;
  const bool is_moved = !node.move.empty() && colour_ == setting_.colour(piece_of(node.move));
  if (board.is_complete(setting_, colour_)) {
    worth.note = node.before.note > 0 && !is_moved ? node.before.note : node.cost + 1;
    worth.score = worth_at(worth.note - 1, deadline_);
    worth.best = worth.score;
    worth.ends = node.cost;
    return judgement;
  }
  worth.ends = node.cost + distance_.from(board);
  worth.best = worth_at(worth.ends, deadline_);
  judgement.moves = legal_moves(board);
  // A plan that moves a piece twice in succession wastes time.
  if (!node.move.empty()) {
    std::erase_if(judgement.moves, [&](const auto& each) { return each[0] == node.move[0]; });
  }
  return judgement;
}

void Mover::on_record(const caf::Negotiation& negotiation) {
  story_.negotiations.push_back(negotiation.record());
  if (negotiation.stage() == caf::Bargaining::agreed) {
    if (story_.on_plan) story_.on_plan(negotiation.plan());
  } else if (negotiation.stage() == caf::Bargaining::failed &&
             negotiation.record().outcome.why != "a request has changed") {
    story_.fault = negotiation.record().outcome.why;
    spawn(tell_main("over"));
  }
}

Task<std::string> Mover::perform(std::string move, caf::Game::Step cycle) {
  Board before;
  Board after;
  (void)Board::read(setting_, state(), before);
  (void)Board::read(setting_, cycle.state, after);
  const auto piece = piece_of(move);
  if (before.held() < 0 && after.held() >= 0) lifted_from_ = before.where[piece];
  if (cycle.is_over) {
    const bool is_back = lifted_from_ == move[1];
    if (!is_back) story_.moves.push_back({move, cost() + cycle.cost});
    if (story_.on_move) {
      story_.on_move({move[0] - '0', lifted_from_, move[1]}, cost() + cycle.cost, after);
    }
  }
  if (cost() + cycle.cost == change_.cycle) {
    const Content red(std::to_string(change_.red));
    const Content green(std::to_string(change_.green));
    (void)co_await ask("red", red);
    (void)co_await ask("green", green);
  }
  co_return std::string();
}

void Mover::on_end(const caf::PlanProgress& last) {
  story_.fault = last.fault;
  spawn(tell_main("over"));
}

Task<> Mover::tell_main(std::string text) {
  const Content content(text);
  co_await send("main", content);
}

void play(const Setting& setting, caf::ArbiterOptions options, std::int64_t red_deadline,
          std::int64_t green_deadline, Change change, Story& story) {
  Node node(open());
  Port main(node, "main");
  options.clients = 2;
  node.adopt("mover", std::make_unique<Mover>(setting, options, change, story));
  node.adopt("red", std::make_unique<Player>(setting, Colour::red, red_deadline));
  node.adopt("green", std::make_unique<Player>(setting, Colour::green, green_deadline));
  (void)main.receive();
}

}  // namespace hanoi
