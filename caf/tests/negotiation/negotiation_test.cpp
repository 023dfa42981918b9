// One negotiation: drafts, critiques, offers, silence, and its record.
#include "support/trees.hpp"

#include "coracle/errors.hpp"
#include "coracle/typed.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>
#include <functional>

namespace coracle::caf::negotiating {

using namespace std::chrono_literals;

namespace {

Time at(Duration since) { return Time(1h + since); }

NegotiationOptions options(Selection rule = utilitarian()) {
  NegotiationOptions options;
  options.rule = std::move(rule);
  options.limits.batch = 4;
  return options;
}

// A negotiation of "ann", "bob" … about a random game, and the messages to them.
struct Play {
  explicit Play(std::uint64_t seed = 5, NegotiationOptions how = options(), std::uint32_t count = 2)
      : game(seed, 5, count), negotiation(beginning(count), std::move(how), game, at(0s)) {}

  static Beginning beginning(std::uint32_t count) {
    Beginning beginning;
    beginning.id = 7;
    beginning.arbiter = "mover";
    beginning.clients = some_interests(count);
    return beginning;
  }
  template <class What>
  std::vector<What> sent(std::uint32_t to) {
    for (Uttering& each : negotiation.take_utterings()) utterings.push_back(std::move(each));
    std::vector<What> found;
    for (const Uttering& each : utterings) {
      const What* what = std::get_if<What>(&each.what);
      if (what != nullptr && each.to == to) found.push_back(*what);
    }
    return found;
  }
  PlanCritique critique(std::uint32_t client, const PlanDraft& draft) const {
    PlanCritique critique{draft.negotiation, draft.epoch, draft.round, {}};
    for (const PlanNode& each : draft.nodes) {
      critique.judgements.push_back(judged(game, each, client, true));
    }
    return critique;
  }
  PlanAnswer answer(const PlanOffer& offer, bool accepts = true) const {
    return {offer.negotiation, offer.epoch, offer.number, accepts, accepts ? "" : "no", {}};
  }
  // Clients that are not in `mute` reply to everything, accepting by `accepts`, until there are no
  // more messages.
  void converse(std::uint64_t mute = 0,
                const std::function<bool(std::uint32_t, const Plan&)>& accepts = {}) {
    for (;;) {
      std::vector<Uttering> now = negotiation.take_utterings();
      if (now.empty()) break;
      for (const Uttering& each : now) {
        utterings.push_back(each);
        if ((mute >> each.to & 1) != 0) continue;
        if (const auto* draft = std::get_if<PlanDraft>(&each.what)) {
          BOOST_TEST(negotiation.hear(each.to, critique(each.to, *draft), at(1s)) == "");
        } else if (const auto* offer = std::get_if<PlanOffer>(&each.what)) {
          const bool yes = !accepts || accepts(each.to, offer->plan);
          BOOST_TEST(negotiation.hear(each.to, answer(*offer, yes), at(1s)) == "");
        }
      }
    }
  }
  void holds() const {
    const auto faults = renegotiate(negotiation.record(), game);
    BOOST_TEST(faults.empty(), (faults.empty() ? "" : faults.front()));
  }

  RandomGame game;
  Negotiation negotiation;
  std::vector<Uttering> utterings;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(negotiation)

BOOST_AUTO_TEST_CASE(the_best_plan_is_offered_taken_prepared_and_made_known) {
  Play play;
  BOOST_TEST(play.sent<PlanDraft>(0).size() == 1U);
  BOOST_TEST(play.sent<PlanDraft>(1).at(0).nodes.size() == 1U);
  Play other;
  other.converse();
  BOOST_TEST((other.negotiation.stage() == Bargaining::preparing));
  const Ranked best = best_of(ranked(other.game, 2), utilitarian(), some_interests(2));
  BOOST_TEST(other.negotiation.plan().scores == best.scores, boost::test_tools::per_element());
  BOOST_TEST(other.sent<PlanOutcome>(0).empty());
  other.negotiation.prepared("", at(2s));
  BOOST_TEST((other.negotiation.stage() == Bargaining::agreed));
  for (std::uint32_t i = 0; i < 2; ++i) {
    BOOST_TEST(other.sent<PlanOutcome>(i).at(0).agreed);
    BOOST_TEST((other.sent<PlanOutcome>(i).at(0).plan == other.negotiation.plan()));
  }
  BOOST_TEST(other.negotiation.record().is_exhausted);
  other.holds();
}

BOOST_AUTO_TEST_CASE(a_plan_that_is_not_taken_or_cannot_be_done_gives_way_to_the_next_best) {
  Play play;
  std::vector<Plan> refused;
  play.converse(0, [&](std::uint32_t client, const Plan& plan) {
    if (client == 0 && refused.size() < 2) {
      refused.push_back(plan);
      return false;
    }
    return true;
  });
  BOOST_TEST((play.negotiation.stage() == Bargaining::preparing));
  refused.push_back(play.negotiation.plan());
  play.negotiation.prepared("the crane is broken", at(2s));
  play.converse();
  BOOST_TEST((play.negotiation.stage() == Bargaining::preparing));
  play.negotiation.prepared("", at(3s));
  auto all = ranked(play.game, 2);
  for (const Plan& each : refused) {
    const Ranked best = best_of(all, utilitarian(), some_interests(2));
    BOOST_TEST(each.scores == best.scores, boost::test_tools::per_element());
    std::string state;
    for (const std::string& move : each.moves) state += move;
    std::erase_if(all, [&](const Ranked& one) { return one.state == state; });
  }
  BOOST_TEST(play.negotiation.record().incidents.size() == 3U);
  play.holds();
}

BOOST_AUTO_TEST_CASE(a_counter_plan_is_looked_at_and_an_illegal_one_is_refused) {
  NegotiationOptions how = options();
  how.limits.nodes = 6;
  Play play(5, how);
  const auto all = ranked(play.game, 2);
  std::string longest;
  for (const Ranked& each : all)
    longest = each.state.size() > longest.size() ? each.state : longest;
  std::vector<std::string> moves;
  for (const char each : longest) moves.emplace_back(1, each);
  NegotiationOptions more = options();
  more.limits.nodes = 12;
  more.limits.batch = 1;
  Play talk(5, more);
  bool has_countered = false;
  std::string fault;
  while (!talk.negotiation.is_over() && talk.negotiation.stage() != Bargaining::preparing) {
    for (const Uttering& each : talk.negotiation.take_utterings()) {
      if (const auto* draft = std::get_if<PlanDraft>(&each.what)) {
        auto critique = talk.critique(each.to, *draft);
        for (Judgement& one : critique.judgements)
          one.moves.resize(std::min<std::size_t>(1, one.moves.size()));
        (void)talk.negotiation.hear(each.to, critique, at(1s));
      } else if (const auto* offer = std::get_if<PlanOffer>(&each.what)) {
        PlanAnswer answer = talk.answer(*offer, has_countered);
        if (!has_countered) answer.counter = each.to == 0 ? moves : std::vector<std::string>{"z"};
        if (each.to == 1) has_countered = true;
        fault += talk.negotiation.hear(each.to, answer, at(1s));
      }
    }
  }
  BOOST_TEST(fault.find("move 1 ('z') is illegal") == 0U, fault);
  bool is_there = false;
  for (NodeId id = 0; id < talk.negotiation.tree().size(); ++id) {
    is_there = is_there || talk.negotiation.tree().node(id).state == longest;
  }
  BOOST_TEST(is_there);
  talk.negotiation.end("enough", at(2s));
  talk.holds();
}

BOOST_AUTO_TEST_CASE(what_is_late_repeated_or_of_another_time_changes_nothing) {
  Play play;
  const PlanDraft draft = play.sent<PlanDraft>(0).at(0);
  const PlanCritique right = play.critique(0, draft);
  PlanCritique wrong = right;
  wrong.epoch = 3;
  BOOST_TEST(play.negotiation.hear(0, wrong, at(1s)).find("it belongs to negotiation 7.3") == 0U);
  wrong = right;
  wrong.round = 9;
  BOOST_TEST(play.negotiation.hear(0, wrong, at(1s)).find("it answers draft 9") == 0U);
  BOOST_TEST(play.negotiation.hear(0, right, at(1s)) == "");
  wrong = right;
  wrong.judgements[0].worth.score = -3;
  BOOST_TEST(play.negotiation.hear(0, wrong, at(1s)) == "this draft is answered already");
  BOOST_TEST(play.negotiation.hear(1, PlanAnswer{7, 1, 1, true, {}, {}}, at(1s)).find("offer 1") ==
             0U);
  BOOST_TEST(play.negotiation.record().incidents.size() == 4U);
  BOOST_TEST(play.negotiation.record().heard.size() == 1U);
  BOOST_TEST(play.negotiation.hear(1, play.critique(1, draft), at(1s)) == "");
  play.converse();
  play.negotiation.prepared("", at(1s));
  Play undisturbed;
  undisturbed.converse();
  undisturbed.negotiation.prepared("", at(1s));
  BOOST_TEST((play.negotiation.record().outcome == undisturbed.negotiation.record().outcome));
  BOOST_TEST(play.negotiation.hear(0, right, at(2s)) == "the tree does not grow now");
  play.holds();
}

BOOST_AUTO_TEST_CASE(an_illegal_move_is_refused_with_its_reason_and_the_others_count) {
  Play play;
  Play same;
  PlanCritique critique = play.critique(0, play.sent<PlanDraft>(0).at(0));
  critique.judgements[0].moves.insert(critique.judgements[0].moves.begin(), "z");
  BOOST_TEST(play.negotiation.hear(0, critique, at(1s)) ==
             "move 'z' at node 0: 'z' does not go there");
  BOOST_TEST(play.negotiation.record().incidents.at(0).who == "ann");
  (void)play.negotiation.hear(1, play.critique(1, play.sent<PlanDraft>(1).at(0)), at(1s));
  play.converse();
  play.negotiation.prepared("", at(1s));
  same.converse();
  same.negotiation.prepared("", at(1s));
  BOOST_TEST((play.negotiation.record().outcome == same.negotiation.record().outcome));
  play.holds();
}

BOOST_AUTO_TEST_CASE(whoever_is_silent_is_dealt_with_by_the_policy_and_it_ends) {
  for (const Silent silent : {Silent::repeats, Silent::abstains, Silent::dropped}) {
    NegotiationOptions how = options();
    how.silent = silent;
    Play play(5, how);
    play.converse(0b10);
    BOOST_TEST((play.negotiation.stage() == Bargaining::growing));
    BOOST_TEST((play.negotiation.deadline() == at(2s)));
    play.negotiation.on_time(at(2s));
    BOOST_TEST(play.negotiation.is_silent(1));
    play.converse(0b10);
    BOOST_TEST((play.negotiation.stage() == Bargaining::preparing));
    play.negotiation.prepared("", at(3s));
    BOOST_TEST(play.sent<PlanOutcome>(1).at(0).is_without_you);
    BOOST_TEST(!play.sent<PlanOutcome>(0).at(0).is_without_you);
    // The other client gets what is best for it.
    std::int64_t best = -100;
    for (const Ranked& each : ranked(play.game, 2)) best = std::max(best, each.scores[0]);
    BOOST_TEST(play.negotiation.plan().scores.at(0) == best);
    play.holds();
    Play gone(5, how);
    gone.negotiation.give_up(0, "it has died", at(1s));
    gone.negotiation.give_up(1, "it has died", at(1s));
    BOOST_TEST((gone.negotiation.stage() == Bargaining::failed ||
                gone.negotiation.stage() == Bargaining::preparing));
    gone.negotiation.end("enough", at(1s));
    gone.holds();
  }
}

BOOST_AUTO_TEST_CASE(who_falls_silent_at_an_offer_does_not_hold_it_up) {
  Play play;
  while (play.negotiation.stage() == Bargaining::growing) {
    for (const Uttering& each : play.negotiation.take_utterings()) {
      const auto* draft = std::get_if<PlanDraft>(&each.what);
      (void)play.negotiation.hear(each.to, play.critique(each.to, *draft), at(1s));
    }
  }
  BOOST_TEST((play.negotiation.stage() == Bargaining::offering));
  play.negotiation.on_time(at(2s));
  BOOST_TEST((play.negotiation.stage() == Bargaining::offering));
  play.negotiation.on_time(at(3s));
  BOOST_TEST((play.negotiation.stage() == Bargaining::preparing));
  play.negotiation.prepared("", at(3s));
  play.holds();
}

BOOST_AUTO_TEST_CASE(when_the_time_is_over_the_best_plan_that_is_there_counts) {
  NegotiationOptions how = options();
  how.within = 5s;
  how.answer_within = 10s;
  how.limits.batch = 1;
  Play play(5, how);
  for (int round = 0; round < 4; ++round) {
    for (const Uttering& each : play.negotiation.take_utterings()) {
      const auto* draft = std::get_if<PlanDraft>(&each.what);
      BOOST_TEST_REQUIRE(draft != nullptr);
      (void)play.negotiation.hear(each.to, play.critique(each.to, *draft), at(4s));
    }
  }
  BOOST_TEST((play.negotiation.stage() == Bargaining::growing));
  BOOST_TEST((play.negotiation.deadline() == at(5s)));
  (void)play.negotiation.take_utterings();  // nobody replies to the last draft
  play.negotiation.on_time(at(5s));
  BOOST_TEST((play.negotiation.stage() == Bargaining::offering));
  BOOST_TEST(!play.negotiation.record().is_exhausted);
  BOOST_TEST(play.negotiation.record().nodes < play.game.all().size());
  // After a rejection, the next best of the present plans is offered.
  play.converse(0, [](std::uint32_t, const Plan&) { return false; });
  BOOST_TEST((play.negotiation.stage() == Bargaining::failed));
  play.holds();
}

BOOST_AUTO_TEST_CASE(nobody_is_made_to_take_what_it_refuses_and_infeasible_ways_are_not_taken) {
  Play never;
  never.converse(0, [](std::uint32_t, const Plan&) { return false; });
  BOOST_TEST((never.negotiation.stage() == Bargaining::failed));
  BOOST_TEST(!never.negotiation.record().outcome.agreed);
  BOOST_TEST(never.negotiation.record().outcome.plan.moves.empty());
  never.holds();
  Play picky;
  for (;;) {
    const auto utterings = picky.negotiation.take_utterings();
    if (utterings.empty()) break;
    for (const Uttering& each : utterings) {
      if (const auto* draft = std::get_if<PlanDraft>(&each.what)) {
        PlanCritique critique = picky.critique(each.to, *draft);
        for (std::size_t i = 0; i < critique.judgements.size(); ++i) {
          // bob finds every plan with b infeasible.
          if (each.to == 1 && draft->nodes[i].move == "b")
            critique.judgements[i].worth.feasible = false;
        }
        (void)picky.negotiation.hear(each.to, critique, at(1s));
      } else if (const auto* offer = std::get_if<PlanOffer>(&each.what)) {
        (void)picky.negotiation.hear(each.to, picky.answer(*offer), at(1s));
      }
    }
  }
  picky.negotiation.prepared("", at(1s));
  for (const std::string& move : picky.negotiation.plan().moves) BOOST_TEST(move != "b");
  auto all = ranked(picky.game, 2);
  std::erase_if(all, [](const Ranked& each) { return each.state.find('b') != std::string::npos; });
  const Ranked best = best_of(all, utilitarian(), some_interests(2));
  BOOST_TEST(picky.negotiation.plan().scores == best.scores, boost::test_tools::per_element());
  picky.holds();
}

BOOST_AUTO_TEST_CASE(the_rest_of_a_plan_is_looked_at_first_so_that_a_small_budget_keeps_it) {
  const RandomGame game(5, 5, 2);
  const Ranked best = best_of(ranked(game, 2), utilitarian(), some_interests(2));
  BOOST_TEST_REQUIRE(!best.state.empty());
  NegotiationOptions how = options();
  how.limits.nodes = static_cast<std::uint32_t>(1 + best.state.size());
  Beginning beginning = Play::beginning(2);
  for (const char each : best.state) beginning.rest.emplace_back(1, each);
  Negotiation negotiation(beginning, how, game, at(0s));
  Play play;
  while (negotiation.stage() == Bargaining::growing) {
    for (const Uttering& each : negotiation.take_utterings()) {
      const auto* draft = std::get_if<PlanDraft>(&each.what);
      (void)negotiation.hear(each.to, play.critique(each.to, *draft), at(1s));
    }
  }
  BOOST_TEST(negotiation.plan().scores == best.scores, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_record_that_was_changed_does_not_hold_and_one_that_has_travelled_does) {
  Play play;
  play.converse();
  play.negotiation.prepared("", at(1s));
  const NegotiationRecord& record = play.negotiation.record();
  const Content content = Content::of(NegotiationRecord(record)).encoded();
  BOOST_TEST(renegotiate(content.as<NegotiationRecord>(), play.game).empty());
  const auto is_caught = [&](const std::function<void(NegotiationRecord&)>& change) {
    NegotiationRecord other = record;
    change(other);
    return !renegotiate(other, play.game).empty();
  };
  BOOST_TEST(!is_caught([](NegotiationRecord&) {}));
  BOOST_TEST(is_caught([](NegotiationRecord& one) { one.outcome.plan.moves.pop_back(); }));
  BOOST_TEST(is_caught([](NegotiationRecord& one) { one.outcome.agreed = false; }));
  BOOST_TEST(is_caught([](NegotiationRecord& one) { one.heard.pop_back(); }));
  BOOST_TEST(is_caught([](NegotiationRecord& one) { one.heard.erase(one.heard.begin()); }));
  BOOST_TEST(is_caught([](NegotiationRecord& one) { one.heard[0].client = 9; }));
  BOOST_TEST(is_caught([](NegotiationRecord& one) {
    one.heard[0].critique.judgements[0].moves.clear();
    one.heard[1].critique.judgements[0].moves.clear();
  }));
  BOOST_TEST(is_caught([](NegotiationRecord& one) { one.nodes += 1; }));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf::negotiating
