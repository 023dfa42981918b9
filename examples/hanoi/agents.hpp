// The three agents of the benchmark: red and green want their pieces moved, mover has the arm.
#pragma once

#include "search.hpp"

#include <coracle/caf/game_agent.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hanoi {

// Later than any plan ends: no deadline.
inline constexpr std::int64_t whenever = (1 << 20) - 1;

// The worth of being complete at a time, for one colour: in time is worth more than anything late,
// earlier more than later, and never is worth nothing.
std::int64_t worth_at(std::int64_t time, std::int64_t deadline);

// Wants the pieces of its colour to be where they belong, by a deadline. A message with a number
// sets a new deadline.
class Player : public coracle::caf::Planner {
 public:
  Player(Setting setting, Colour colour, std::int64_t deadline)
      : setting_(setting), colour_(colour), deadline_(deadline), distance_(setting, colour) {}

 protected:
  coracle::Task<> act() override;
  coracle::Task<> on_other(const coracle::Message& message) override;
  coracle::caf::Judgement judge(const coracle::Name& arbiter,
                                const coracle::caf::PlanNode& node) override;

 private:
  coracle::caf::PlanRequest request() const;

  Setting setting_;
  Colour colour_;
  std::int64_t deadline_;
  Distance distance_;
};

// Deadlines that change while the arm moves.
struct Change {
  std::int64_t cycle = -1;  // -1: never
  std::int64_t red = whenever;
  std::int64_t green = whenever;
};

// The records that mover keeps for later.
struct Story {
  std::vector<coracle::caf::NegotiationRecord> negotiations;
  // Called once a plan is agreed upon, and after each move of the arm.
  std::function<void(const coracle::caf::Plan& plan)> on_plan;
  std::function<void(const Moved& moved, std::int64_t cycle, const Board& board)> on_move;
  std::vector<Made> moves;
  std::string fault;
};

// Has the arm. Sends a message to "main" when it is done.
class Mover : public coracle::caf::GameAgent {
 public:
  // `story` must outlive this agent.
  Mover(Setting setting, coracle::caf::ArbiterOptions options, Change change, Story& story)
      : GameAgent(std::make_shared<Rules>(setting), Board::start(setting).text(), options),
        setting_(std::move(setting)),
        change_(change),
        story_(story) {}

 protected:
  coracle::Task<std::string> perform(std::string move, coracle::caf::Game::Step cycle) override;
  void on_record(const coracle::caf::Negotiation& negotiation) override;
  void on_end(const coracle::caf::PlanProgress& last) override;

 private:
  coracle::Task<> tell_main(std::string text);

  Setting setting_;
  Change change_;
  Story& story_;
  char lifted_from_ = 'A';
};

// Makes red, green and mover agree on a plan and carry it out.
void play(const Setting& setting, coracle::caf::ArbiterOptions options, std::int64_t red_deadline,
          std::int64_t green_deadline, Change change, Story& story);

}  // namespace hanoi
