// A hierarchy for tests: ann and bob want something of "site", which needs "crane" for it, which
// needs "engine".
#pragma once

#include "parties.hpp"

#include <map>
#include <string>

namespace coracle::caf::test {

// One work that can be done once: north or south. By itself, or together with that of a level
// below.
class Works final : public Game {
 public:
  Step apply(const std::string& state, const std::string& move) const override {
    if (!state.empty()) return Step::illegal("it is done: " + state);
    if (move != "north" && move != "south") return Step::illegal("there is no such way");
    return {move, move == "north" ? 2 : 3, {}, true};
  }
};

// The way that was agreed upon; "nothing" if the plan is empty.
inline std::string way_of(const Negotiation& negotiation) {
  return negotiation.plan().moves.empty() ? "nothing" : negotiation.plan().moves.front();
}

// A level: it requests from the level below the way that it goes itself.
class Level : public GameAgent {
 public:
  // A callback for the moment at which an agent learns of an agreement, so that a test can inspect
  // it.
  using Told = std::function<void(const std::string& who, const Negotiation& negotiation)>;

  Level(std::string below, std::string cannot, Diary& diary, ArbiterOptions options, Told told = {},
        Random& random = machine_random())
      : GameAgent(std::make_shared<Works>(), "", options, 20s, random),
        below_(std::move(below)),
        cannot_(std::move(cannot)),
        diary_(diary),
        told_(std::move(told)) {}

 protected:
  Task<std::string> prepare(Plan plan) override {
    const std::string what = plan.moves.empty() ? "" : plan.moves.front();
    if (what == cannot_) co_return std::string("it cannot go ") + what;
    co_return co_await GameAgent::prepare(std::move(plan));
  }
  std::vector<Errand> errands(const Plan& plan) override {
    if (below_.empty() || plan.moves.empty()) return {};
    PlanRequest request;
    request.goal = plan.moves.front();
    request.threshold = 1;
    return {{below_, request}};
  }
  // Requests from the level below the way that it goes itself.
  Judgement judge(const Name& arbiter, const PlanNode& node) override {
    const PlanRequest* request = asked(arbiter);
    Judgement judgement;
    if (request == nullptr) return judgement;
    const std::int64_t score = node.state == request->goal ? 1 : 0;
    judgement.worth = {score, node.state.empty() ? 1 : score, node.cost, 0, true};
    if (node.state.empty()) judgement.moves = {request->goal};
    return judgement;
  }
  void on_record(const Negotiation& negotiation) override {
    if (negotiation.stage() == Bargaining::agreed) {
      diary_.note(name().str() + " is bound to " + way_of(negotiation));
    }
    if (told_) told_(name().str(), negotiation);
  }
  Task<std::string> perform(std::string move, Game::Step) override {
    diary_.note(name().str() + " goes " + move);
    co_return std::string();
  }
  Diary& diary() noexcept { return diary_; }

 private:
  std::string below_;
  std::string cannot_;
  Diary& diary_;
  Told told_;
};

// Ann or bob: prefers one way; accepts both.
class Chooser : public Planner {
 public:
  Chooser(std::map<std::string, std::int64_t> likes, Diary& diary)
      : likes_(std::move(likes)), diary_(diary) {}

 protected:
  Task<> act() override {
    PlanRequest what;
    what.threshold = 1;
    const PlanOutcome outcome = co_await request("site", what, 60s);
    const std::string text =
        outcome.agreed ? "hears of " + outcome.plan.moves.at(0) : "hears: " + outcome.why;
    diary_.note(name().str() + " " + text);
    const Content content(text);
    co_await send("main", content);
  }
  Judgement judge(const Name&, const PlanNode& node) override {
    Judgement judgement;
    const auto found = likes_.find(node.state);
    const std::int64_t score = found == likes_.end() ? 0 : found->second;
    judgement.worth = {score, node.state.empty() ? 100 : score, node.cost, 0, true};
    if (!node.state.empty()) return judgement;
    for (const auto& [move, liking] : likes_) judgement.moves.push_back(move);
    return judgement;
  }

 private:
  std::map<std::string, std::int64_t> likes_;
  Diary& diary_;
};

}  // namespace coracle::caf::test
