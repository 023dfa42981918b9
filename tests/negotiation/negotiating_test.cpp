// The behaviour of arbiters and planners, on every realization, with the paper's puzzle.
#include "parties.hpp"

#include <algorithm>

namespace coracle::caf::test {

namespace {

using hanoi::Outcome;
using hanoi::Story;

void expect_times(const Outcome& outcome, std::int64_t red, std::int64_t green) {
  expect_equal(outcome.red, red, "when red is complete");
  expect_equal(outcome.green, green, "when green is complete");
}

void without_deadlines_the_arm_travels_as_little_as_can_be(Hall& hall) {
  Story story;
  const Outcome outcome = play(hall, {}, story);
  expect_times(outcome, 11, 34);
  expect_equal(story.negotiations.size(), 1U, "negotiations");
  expect(story.negotiations[0].outcome.plan.is_mutual, "both agree");
  expect(hall.diary().has("red has agreed"), hall.diary().all());
  expect(hall.diary().has("green has agreed"), hall.diary().all());
}

void a_tight_deadline_is_met_at_the_cost_of_the_other(Hall& hall) {
  Match match;
  match.green = 32;
  Story story;
  expect_times(play(hall, match, story), 41, 32);
}

void where_not_both_can_be_met_one_is(Hall& hall) {
  Match match;
  match.red = 11;
  match.green = 32;
  Story story;
  const Outcome outcome = play(hall, match, story);
  expect((outcome.red == 11) != (outcome.green == 32), "one of them, not both");
  expect(!story.negotiations[0].outcome.plan.is_mutual, "that is not agreeable to both");
}

void an_illegal_move_is_refused_with_its_reason_and_changes_nothing(Hall& hall) {
  Match match;
  match.red_manner.wishes = {"1C", "9Z", "0A"};
  Story story;
  expect_times(play(hall, match, story), 11, 34);
  const Diary& diary = hall.diary();
  expect(diary.has("red hears: critique: move '1C' at node 0: piece 0 lies on it"), diary.all());
  expect(diary.has("move '9Z' at node 0: a move is the number of a piece and a peg"), diary.all());
  expect(diary.has("move '0A' at node 0: it is there already"), diary.all());
  expect_equal(story.negotiations[0].incidents.size(), 3U, "incidents");
}

void a_judgement_that_makes_no_sense_counts_as_none_and_it_ends(Hall& hall) {
  Match match;
  match.green_manner.mute_after = 3;
  Story story;
  const Outcome outcome = play(hall, match, story);
  expect_equal(outcome.red, 11, "red gets what it wants");
  expect(hall.diary().has("green hears: critique: node"), hall.diary().all());
}

void who_dies_does_not_hold_up_the_others(Hall& hall) {
  Match match;
  match.options.negotiation.answer_within = match.options.negotiation.within = 1h;
  match.options.negotiation.silent = Silent::dropped;
  // Only the request of 'green' exists: the agent has ended, and its end is known.
  Story story;
  Diary& diary = hall.diary();
  hall.run({{"mover",
             [match, &story] {
               ArbiterOptions options = match.options;
               options.clients = 2;
               return std::make_unique<hanoi::Mover>(match.setting, options, match.change, story);
             }},
            {"red",
             [match, &diary] {
               return std::make_unique<Guest>(match.setting, hanoi::Colour::red, match.red,
                                              Manner(), diary);
             }}},
           [](Agent& me) -> Task<> {
             co_await coracle::test::start(me, "green", [](Agent& green) -> Task<> {
               const Content content = Content::of(PlanRequest{"green", 5, 0, 1, 0, false, {}});
               co_await green.send("mover", content);
             });
             const Message over = co_await me.receive();
             expect_equal(over.text(), std::string("over"), "what mover says");
           });
  const Outcome outcome = hanoi::outcome_of(match.setting, story.moves);
  expect_equal(outcome.red, 11, "red is complete");
  expect(renegotiate(story.negotiations.back(), hanoi::Rules(match.setting)).empty(), "it holds");
}

void what_strangers_say_or_ask_wrongly_is_refused(Hall& hall) {
  Story story;
  const Match match;
  hall.run(
      {{"mover",
        [match, &story] {
          return std::make_unique<hanoi::Mover>(match.setting, match.options, match.change, story);
        }}},
      [](Agent& me) -> Task<> {
        const auto asks = [](Agent& self, PlanRequest request) -> Task<Result<Message>> {
          const Content content = Content::of(std::move(request));
          co_return co_await self.ask_result("mover", content, 10s);
        };
        PlanRequest wrong;
        wrong.weight = 0;
        expect_error(co_await asks(me, wrong), Errc::refused, "a weight of zero");
        wrong = {};
        wrong.moves = {"1C"};
        expect_error(co_await asks(me, wrong), Errc::refused, "a move that is illegal");
        wrong = {};
        wrong.threshold = INT64_MAX;
        expect_error(co_await asks(me, wrong), Errc::refused, "a threshold beyond limits");
        const Content answer = Content::of(PlanAnswer{1, 1, 1, true, {}, {}});
        co_await me.send("mover", answer);
        const Message first = co_await me.receive();
        expect_equal(first.as<PlanObjection>().reason, "there is no negotiation now", "answer");
        const Content go = Content::of(PlanGo{1, 1});
        co_await me.send("mover", go);
        const Message second = co_await me.receive();
        expect_equal(second.as<PlanObjection>().what, "go", "a go without a plan");
      });
  expect(story.negotiations.empty(), "nothing was negotiated");
}

void a_stubborn_client_gets_another_plan_or_none(Hall& hall) {
  Match match;
  match.red = 11;
  match.green = 32;
  match.red_manner.is_stubborn = true;
  match.green_manner.is_stubborn = true;
  match.options.negotiation.offers = 5;
  Story story;
  const Outcome outcome = play(hall, match, story);
  expect(outcome.moves.empty(), "nothing is done");
  expect(story.fault.find("none of 5 plans was taken") == 0, story.fault);
}

void a_deadline_that_changes_midway_changes_the_plan(Hall& hall) {
  Match match;
  match.setting.colours = "RG";
  match.change = {2, hanoi::whenever, 15};
  Story story;
  const Outcome outcome = play(hall, match, story);
  // Without the change, red is put on C and green comes second. Now green hurries, and red, which
  // the arm already holds, is put aside.
  expect(story.negotiations.size() >= 2, "it was negotiated again");
  expect_equal(outcome.green, 14, "when green is complete");
  expect_equal(outcome.red, 23, "when red is complete");
  const NegotiationRecord& last = story.negotiations.back();
  expect_equal(last.beginning.cost, 2, "the cycle in which it was changed");
  expect(story.negotiations[0].outcome.plan.moves != last.outcome.plan.moves, "another plan");
}

void to_reconsider_in_every_cycle_changes_nothing_without_a_reason(Hall& hall) {
  Match match;
  match.options.reconsiders = true;
  Story story;
  const Outcome outcome = play(hall, match, story);
  expect_times(outcome, 11, 34);
  expect_equal(story.negotiations.size(), 34U, "one negotiation for each cycle");
}

const bool registered_negotiating = on_every_ground(
    "negotiating", {GROUND_CASE(without_deadlines_the_arm_travels_as_little_as_can_be),
                    GROUND_CASE(a_tight_deadline_is_met_at_the_cost_of_the_other),
                    GROUND_CASE(where_not_both_can_be_met_one_is),
                    GROUND_CASE(an_illegal_move_is_refused_with_its_reason_and_changes_nothing),
                    GROUND_CASE(a_judgement_that_makes_no_sense_counts_as_none_and_it_ends),
                    GROUND_CASE(who_dies_does_not_hold_up_the_others),
                    GROUND_CASE(what_strangers_say_or_ask_wrongly_is_refused),
                    GROUND_CASE(a_stubborn_client_gets_another_plan_or_none),
                    GROUND_CASE(a_deadline_that_changes_midway_changes_the_plan),
                    GROUND_CASE(to_reconsider_in_every_cycle_changes_nothing_without_a_reason)});

}  // namespace

}  // namespace coracle::caf::test
