// Participants of a negotiation that behave as a test specifies.
#pragma once

#include "hanoi/agents.hpp"
#include "support/societies/diary.hpp"
#include "support/societies/grounds.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace coracle::caf::test {

using namespace std::chrono_literals;
using coracle::test::Crash;
using coracle::test::Diary;
using coracle::test::expect;
using coracle::test::expect_equal;
using coracle::test::expect_error;
using coracle::test::on_every_ground;

// A society for a test of negotiations.
class Hall : public coracle::test::Place {
 public:
  using Place::Place;
  using Maker = std::function<std::unique_ptr<Agent>()>;

  // Makes those agents, on its nodes in turn, and runs `body` as "main".
  void run(std::vector<std::pair<std::string, Maker>> agents, coracle::test::Body body);
  Diary& diary() noexcept { return diary_; }

 private:
  Diary diary_;
};

// --- the puzzle ---

// The behaviour of red or green, beyond the example.
struct Manner {
  // Additional wishes, at the first node that it sees.
  std::vector<std::string> wishes;
  // The number of judged nodes after which it dies, or sends nothing any more.
  std::size_t dies_after = SIZE_MAX;
  std::size_t mute_after = SIZE_MAX;
  // Accepts only plans that are in time for it.
  bool is_stubborn = false;
};

// A player of the example with an optional misbehaviour.
class Guest : public hanoi::Player {
 public:
  Guest(hanoi::Setting setting, hanoi::Colour colour, std::int64_t deadline, Manner manner,
        Diary& diary)
      : Player(std::move(setting), colour, deadline), manner_(std::move(manner)), diary_(diary) {}

 protected:
  Judgement judge(const Name& arbiter, const PlanNode& node) override;
  PlanAnswer answer(const Name& arbiter, const PlanOffer& offer) override;
  void on_outcome(const Name& arbiter, const PlanOutcome& outcome) override;
  void on_progress(const Name& arbiter, const PlanProgress& progress) override;
  void on_plan_objection(const Name& arbiter, const PlanObjection& objection) override;

 private:
  Manner manner_;
  Diary& diary_;
  std::size_t judged_ = 0;
};

// A game with red, green and mover.
struct Match {
  hanoi::Setting setting{"GRG", hanoi::Layout::rail, 3, "C"};
  std::int64_t red = hanoi::whenever;
  std::int64_t green = hanoi::whenever;
  ArbiterOptions options;
  hanoi::Change change;
  Manner red_manner;
  Manner green_manner;
};

// Plays it in `hall` and returns the outcome; expects that all negotiations can be retraced.
hanoi::Outcome play(Hall& hall, Match match, hanoi::Story& story);

}  // namespace coracle::caf::test
