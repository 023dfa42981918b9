#include "parties.hpp"

namespace coracle::caf::test {

void Hall::run(std::vector<std::pair<std::string, Maker>> agents, coracle::test::Body body) {
  Place::run([this, agents, body](Agent& me) -> Task<> {
    for (const auto& [name, make] : agents) {
      std::unique_ptr<Agent> agent = make();
      co_await place(me, name, std::move(agent));
    }
    co_await body(me);
  });
}

Judgement Guest::judge(const Name& arbiter, const PlanNode& node) {
  ++judged_;
  if (judged_ > manner_.dies_after) throw Crash("a client dies while it judges");
  Judgement judgement = Player::judge(arbiter, node);
  if (judged_ == 1) {
    judgement.moves.insert(judgement.moves.begin(), manner_.wishes.begin(), manner_.wishes.end());
  }
  if (judged_ > manner_.mute_after) judgement.worth.best = INT64_MIN;  // refused: invalid
  return judgement;
}

PlanAnswer Guest::answer(const Name& arbiter, const PlanOffer& offer) {
  PlanAnswer answer = Player::answer(arbiter, offer);
  for (std::size_t i = 0; i < offer.plan.clients.size(); ++i) {
    const bool is_mine = offer.plan.clients[i] == name().view();
    if (!manner_.is_stubborn || !is_mine) continue;
    answer.accepts = offer.plan.scores[i] >= asked(arbiter)->threshold;
    answer.reason = "not in time";
  }
  return answer;
}

void Guest::on_outcome(const Name&, const PlanOutcome& outcome) {
  diary_.note(name().str() + (outcome.agreed ? " has agreed" : " hears: " + outcome.why));
}

void Guest::on_progress(const Name&, const PlanProgress& progress) {
  if (progress.done) diary_.note(name().str() + " sees the end");
}

void Guest::on_plan_objection(const Name&, const PlanObjection& objection) {
  diary_.note(name().str() + " hears: " + objection.what + ": " + objection.reason);
}

hanoi::Outcome play(Hall& hall, Match match, hanoi::Story& story) {
  match.options.clients = 2;
  Diary& diary = hall.diary();
  hall.run({{"mover",
             [match, &story] {
               return std::make_unique<hanoi::Mover>(match.setting, match.options, match.change,
                                                     story);
             }},
            {"red",
             [match, &diary] {
               return std::make_unique<Guest>(match.setting, hanoi::Colour::red, match.red,
                                              match.red_manner, diary);
             }},
            {"green",
             [match, &diary] {
               return std::make_unique<Guest>(match.setting, hanoi::Colour::green, match.green,
                                              match.green_manner, diary);
             }}},
           [](Agent& me) -> Task<> { (void)co_await me.receive(); });
  const hanoi::Rules rules(match.setting);
  for (const NegotiationRecord& each : story.negotiations) {
    const auto faults = renegotiate(each, rules);
    expect(faults.empty(), faults.empty() ? "" : faults.front());
  }
  return hanoi::outcome_of(match.setting, story.moves);
}

}  // namespace coracle::caf::test
