// The behaviour of a council, on every realization.
#include "coracle/caf/councillor.hpp"
#include "voters.hpp"

#include <algorithm>

namespace coracle::caf::test {

namespace {

Mind likes(std::vector<std::string> what) {
  Mind mind;
  mind.proposes = {what.front()};
  mind.likes = std::move(what);
  return mind;
}

// The waiting time for voters that do not come: time enough for the others.
Duration not_long(const Assembly& assembly) {
  return assembly.in_virtual_time() ? Duration(400ms) : Duration(1s);
}

Motion motion(std::string subject, std::vector<std::string> alternatives = {}) {
  Motion result;
  result.subject = std::move(subject);
  result.alternatives = std::move(alternatives);
  return result;
}

void peers_see_the_complete_list_before_they_vote(Assembly& assembly) {
  Mind eager = likes({"soup"});
  eager.votes = [](const Agenda& agenda) {
    expect_equal(agenda.alternatives.size(), 3U, "alternatives, each once");
    return choose(agenda.find("salad"));
  };
  assembly.run({}, {eager, likes({"bread", "soup"}), likes({"bread", "soup"}), likes({"salad"})},
               [](Agent& me) -> Task<> {
                 const Decision decision = co_await decide(me, "council", motion("lunch"));
                 expect_equal(decision.co_winners.size(), 2U, "co-winners by plurality");
                 expect_equal(decision.winner, std::string("bread"), "the first of the tied");
                 const Record record = co_await record_of(me, decision.id);
                 expect_equal(record.alternatives.at(0).proposer, 1U, "the senior proposer");
               });
}

void a_rule_on_rankings_uses_all_of_them(Assembly& assembly) {
  Charter charter;
  charter.rule = copeland();
  assembly.run(charter, {likes({"soup"}), likes({"bread", "soup"}), likes({"salad", "soup"})},
               [](Agent& me) -> Task<> {
                 const Decision decision = co_await decide(me, "council", motion("lunch"));
                 expect_equal(decision.winner, std::string("soup"), decision.why);
                 const Record record = co_await record_of(me, decision.id);
                 expect_equal(record.alternatives.size(), 3U, "alternatives");
                 expect_equal(record.polls.at(0).ballots.size(), 3U, "ballots");
                 const Recount again = recount(record);
                 expect(again.faults.empty(), "the record supports its decision");
                 expect_equal(again.decision.winner, decision.winner, "the recount");
               });
}

void every_peer_is_told_of_the_result(Assembly& assembly) {
  Received& received = assembly.received();
  assembly.run({}, {likes({"soup"}), likes({"soup"}), likes({"salad"})}, [&](Agent& me) -> Task<> {
    co_await decide(me, "council", motion("lunch"));
    while (received.decisions().size() < 3) co_await me.pause(1ms);
  });
  for (const auto& [who, decision] : received.decisions()) {
    expect_equal(decision.winner, std::string("soup"), who);
  }
}

void a_silent_peer_is_not_waited_for_beyond_the_deadline(Assembly& assembly) {
  Charter charter;
  charter.propose_within = not_long(assembly);
  charter.vote_within = not_long(assembly);
  Mind silent = likes({"fish"});
  silent.takes = 1h;
  Mind dying = likes({"meat"});
  dying.crashes = true;
  assembly.run(charter, {likes({"soup"}), silent, dying}, [](Agent& me) -> Task<> {
    const Decision decision = co_await decide(me, "council", motion("lunch"));
    expect_equal(decision.winner, std::string("soup"), decision.why);
    const Record record = co_await record_of(me, decision.id);
    expect_equal(record.polls.at(0).present, 1U, "present");
  });
}

void without_a_quorum_there_is_a_result_and_no_decision(Assembly& assembly) {
  Charter charter;
  charter.voting = Quorum::heads(2);
  charter.vote_within = not_long(assembly);
  Mind dying = likes({"meat"});
  dying.crashes = true;
  assembly.run(charter, {likes({"soup"}), dying}, [](Agent& me) -> Task<> {
    const Decision decision = co_await decide(me, "council", motion("lunch"));
    expect(!decision.decided, "no quorum");
    expect_equal(decision.why, std::string("no quorum: 1 of 2 members took part, and 2 is needed"),
                 "why");
  });
}

void an_invalid_ballot_is_refused_with_the_reason_and_without_effect(Assembly& assembly) {
  Charter charter;
  charter.vote_within = not_long(assembly);
  Mind foreign = likes({"soup"});
  foreign.votes = [](const Agenda&) { return choose(7); };
  Mind negative = likes({"salad"});
  negative.votes = [](const Agenda&) {
    Ballot ballot = choose(1);
    ballot.weight = -1;
    return ballot;
  };
  Mind heavy = negative;
  heavy.votes = [](const Agenda&) {
    Ballot ballot = choose(1);
    ballot.weight = 100;
    return ballot;
  };
  Received& received = assembly.received();
  assembly.run(charter, {foreign, negative, heavy, likes({"soup"})}, [&](Agent& me) -> Task<> {
    const Decision decision = co_await decide(me, "council", motion("lunch"));
    expect_equal(decision.winner, std::string("soup"), decision.why);
    const Record record = co_await record_of(me, decision.id);
    expect_equal(record.polls.at(0).ballots.size(), 1U, "ballots that count");
    expect_equal(record.incidents.size(), 3U, "incidents");
    while (received.refusals().size() < 3) co_await me.pause(1ms);
  });
  for (const auto& [who, refusal] : received.refusals()) expect(!refusal.reason.empty(), who);
}

void strangers_and_late_voters_are_refused_and_recorded(Assembly& assembly) {
  assembly.run({}, {likes({"soup"})}, [](Agent& me) -> Task<> {
    const Decision decision = co_await decide(me, "council", motion("lunch"));
    Vote vote;
    vote.id = decision.id;
    vote.round = 1;
    vote.ballot = choose(0);
    const Content content = Content::of(vote);
    co_await me.send("council", content);
    const Message answer = co_await me.receive(of_type(std::string(Refusal::content_type)));
    expect_equal(answer.as<Refusal>().reason, std::string("you do not belong to its electorate"),
                 "the reason");
    const Record record = co_await record_of(me, decision.id);
    expect_equal(record.afterwards.size(), 1U, "incidents after the decision");
    expect(recount(record).faults.empty(), "they change nothing");
  });
}

void a_tie_is_broken_by_new_ballots_about_the_tied(Assembly& assembly) {
  Charter charter;
  charter.ties = Ties({revote(2), lexical()});
  Mind yielding = likes({"salad"});
  yielding.votes = [](const Agenda& agenda) {
    return choose(agenda.find(agenda.round == 1 ? "salad" : "soup"));
  };
  assembly.run(charter, {likes({"soup"}), yielding}, [](Agent& me) -> Task<> {
    const Decision decision = co_await decide(me, "council", motion("lunch"));
    expect_equal(decision.winner, std::string("soup"), decision.why);
    const Record record = co_await record_of(me, decision.id);
    expect_equal(record.polls.size(), 2U, "votes");
    expect(recount(record).faults.empty(), "the record supports its decision");
  });
}

void committed_votes_are_opened_and_checked(Assembly& assembly) {
  Charter charter;
  charter.secrecy = Secrecy::commit_reveal;
  charter.ties = Ties({random()});
  assembly.run(charter, {likes({"soup"}), likes({"salad"}), likes({"bread"})},
               [](Agent& me) -> Task<> {
                 const Decision decision = co_await decide(me, "council", motion("lunch"));
                 expect(decision.decided, decision.why);
                 Record record = co_await record_of(me, decision.id);
                 expect_equal(record.polls.at(0).commitments.size(), 3U, "commitments");
                 expect(recount(record).faults.empty(), "the record supports its decision");
                 std::swap(record.polls[0].ballots[0].ballot, record.polls[0].ballots[1].ballot);
                 expect(!recount(record).faults.empty(), "an exchanged ballot is noticed");
               });
}

void a_secret_vote_can_be_counted_again(Assembly& assembly) {
  Charter charter;
  charter.secrecy = Secrecy::tally_only;
  charter.ties = Ties({random()});
  assembly.run(charter, {likes({"soup"}), likes({"salad"})}, [](Agent& me) -> Task<> {
    const Decision decision = co_await decide(me, "council", motion("lunch"));
    const Record record = co_await record_of(me, decision.id);
    for (const CastBallot& each : record.polls.at(0).ballots) {
      expect_equal(each.member, anonymous, "whose it is");
    }
    expect(recount(record).faults.empty(), "the record supports its decision");
  });
}

void a_motion_that_cannot_be_put_to_a_vote_is_refused(Assembly& assembly) {
  Charter charter;
  charter.rule = median();
  assembly.run(charter, {likes({"3"})}, [](Agent& me) -> Task<> {
    const std::vector<std::string> words = {"many"};
    const std::vector<std::string> numbers = {"3", "5"};
    const Content bad = Content::of(motion("how many?", words));
    const Result<Message> answer = co_await me.ask_result("council", bad);
    expect_error(answer, Errc::refused, "a word");
    const Decision decision = co_await decide(me, "council", motion("how many?", numbers));
    expect_equal(decision.winner, std::string("3"), decision.why);
  });
}

void the_same_question_gets_the_same_decision(Assembly& assembly) {
  assembly.run({}, {likes({"soup"})}, [](Agent& me) -> Task<> {
    Motion once = motion("lunch");
    once.key = 7;
    const Decision first = co_await decide(me, "council", once);
    const Decision second = co_await decide(me, "council", once);
    const Decision other = co_await decide(me, "council", motion("lunch"));
    expect_equal(second.id, first.id, "the same key");
    expect(other.id != first.id, "another question is another decision");
  });
}

void who_joins_takes_part_from_the_next_decision_on(Assembly& assembly) {
  Random& random = assembly.random();
  assembly.run_voters({likes({"soup"})}, [&random](Agent& me) -> Task<> {
    auto council = std::make_unique<Council>(Charter(), members(1), random);
    council->admit([](const Name& who) -> std::optional<Fraction> {
      if (who.within("friends")) return Fraction(5);
      return std::nullopt;
    });
    co_await me.adopt("council", std::move(council));
    const Content joining = Content::of(Joining());
    expect_error(co_await me.ask_result("council", joining), Errc::refused, "a stranger");
    co_await start(me, "friends/ann", [](Agent& ann) -> Task<> {
      const Content wish = Content::of(Joining());
      co_await ann.ask("council", wish);
      co_await ann.send("main", "joined");
      const Message call = co_await ann.receive(of_type(std::string(Call::content_type)));
      Proposals proposals;
      proposals.id = call.as<Call>().id;
      proposals.alternatives.emplace_back("cake");
      const Content offer = Content::of(proposals);
      co_await ann.send("council", offer);
      const Message message = co_await ann.receive(of_type(std::string(Agenda::content_type)));
      const Agenda agenda = message.as<Agenda>();
      Vote vote;
      vote.id = agenda.id;
      vote.round = agenda.round;
      vote.ballot = choose(agenda.find("cake"));
      const Content cast = Content::of(vote);
      co_await ann.send("council", cast);
    });
    co_await me.receive(from("friends/ann"));
    const Decision decision = co_await decide(me, "council", motion("lunch"));
    expect_equal(decision.winner, std::string("cake"), decision.why);
  });
}

void many_decisions_may_be_under_way(Assembly& assembly) {
  assembly.run({}, {likes({"soup"}), likes({"soup", "bread"})}, [](Agent& me) -> Task<> {
    for (int i = 0; i < 20; ++i) {
      co_await start(me, "asker/" + std::to_string(i), [i](Agent& asker) -> Task<> {
        const Decision decision =
            co_await decide(asker, "council", motion("meal " + std::to_string(i)));
        expect_equal(decision.subject, "meal " + std::to_string(i), "whose decision it is");
        expect_equal(decision.winner, std::string("soup"), decision.why);
        co_await asker.send("main", "done");
      });
    }
    for (int i = 0; i < 20; ++i) co_await me.receive();
  });
}

void councils_of_councils_decide_in_two_levels(Assembly& assembly) {
  Random& random = assembly.random();
  // Three wards of three voters; two wards prefer "park", though most voters prefer "road".
  const std::vector<std::string> wishes = {"park", "park", "road", "park", "park",
                                           "road", "road", "road", "road"};
  std::vector<Mind> minds;
  for (const std::string& each : wishes) minds.push_back(likes({each}));
  assembly.run_voters(minds, [&random](Agent& me) -> Task<> {
    std::vector<Member> councillors;
    for (std::size_t ward = 0; ward < 3; ++ward) {
      const std::string own = "ward/" + std::to_string(ward);
      std::vector<Member> voters;
      for (std::size_t i = 0; i < 3; ++i) voters.push_back({peer_name(3 * ward + i), 1, {}});
      co_await me.adopt(own, std::make_unique<Council>(Charter(), voters, random));
      co_await me.adopt(own + "/speaker", std::make_unique<Councillor>(own, random));
      councillors.push_back({own + "/speaker", 1, {}});
    }
    co_await me.adopt("council", std::make_unique<Council>(Charter(), councillors, random));
    const Decision decision = co_await decide(me, "council", motion("the field"));
    expect_equal(decision.winner, std::string("park"), decision.why);
  });
}

[[maybe_unused]] const bool registered = on_every_ground(
    "council", {GROUND_CASE(peers_see_the_complete_list_before_they_vote),
                GROUND_CASE(a_rule_on_rankings_uses_all_of_them),
                GROUND_CASE(every_peer_is_told_of_the_result),
                GROUND_CASE(a_silent_peer_is_not_waited_for_beyond_the_deadline),
                GROUND_CASE(without_a_quorum_there_is_a_result_and_no_decision),
                GROUND_CASE(an_invalid_ballot_is_refused_with_the_reason_and_without_effect),
                GROUND_CASE(strangers_and_late_voters_are_refused_and_recorded),
                GROUND_CASE(a_tie_is_broken_by_new_ballots_about_the_tied),
                GROUND_CASE(committed_votes_are_opened_and_checked),
                GROUND_CASE(a_secret_vote_can_be_counted_again),
                GROUND_CASE(a_motion_that_cannot_be_put_to_a_vote_is_refused),
                GROUND_CASE(the_same_question_gets_the_same_decision),
                GROUND_CASE(who_joins_takes_part_from_the_next_decision_on),
                GROUND_CASE(many_decisions_may_be_under_way),
                GROUND_CASE(councils_of_councils_decide_in_two_levels)});

}  // namespace

}  // namespace coracle::caf::test
