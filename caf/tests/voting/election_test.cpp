// One decision as a state machine, without agents.
#include "coracle/caf/voting/election.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::caf {

namespace {

using namespace std::chrono_literals;

const Time start(1s);

// A decision of four members, of whom the last has weight 3, under some charter.
struct Held {
  explicit Held(Charter charter = {}, std::vector<std::string> alternatives = {"a", "b", "c"},
                bool call_peers = false, std::string incumbent = "b")
      : election(std::make_shared<const Charter>(std::move(charter)), voters(),
                 beginning(call_peers, std::move(incumbent)), std::move(alternatives), start) {}

  static std::shared_ptr<const Electorate> voters() {
    return std::make_shared<const Electorate>(std::vector<Member>{
        {"ann", 1, "dan"}, {"bob", 1, "ann"}, {"cy", 1, "bob"}, {"dan", 3, "nobody"}});
  }
  static Progress beginning(bool call_peers, std::string incumbent = "b") {
    Progress progress;
    progress.record.id = 5;
    progress.record.council = "council";
    progress.record.incumbent = std::move(incumbent);
    progress.call_peers = call_peers;
    return progress;
  }
  Answer vote(std::uint32_t member, Ballot ballot, std::uint32_t round = 1) {
    return election.vote(member, {5, round, std::move(ballot), member, 0}, start);
  }
  // Lets the deadline pass.
  const Decision& end() {
    election.on_time(election.deadline());
    return election.record().decision;
  }
  std::size_t incidents() const { return election.record().incidents.size(); }

  Election election;
};

bool counted(const Answer& answer) { return answer.kind == Answer::Kind::counted; }
bool refused(const Answer& answer) {
  return answer.kind == Answer::Kind::refused && !answer.reason.empty();
}

bool holds(const Election& election) { return recount(election.record()).faults.empty(); }

Charter with(void (*change)(Charter&)) {
  Charter charter;
  change(charter);
  return charter;
}

// The charter of a council that decides by `rule` and counts a silent member for what holds now.
Charter silence_keeps(const std::string& rule) {
  Charter charter;
  charter.rule = Rule::named(rule).value();
  charter.absent = Absent::status_quo;
  return charter;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(election)

BOOST_AUTO_TEST_CASE(it_ends_when_all_have_voted_and_weights_count) {
  Held held;
  for (std::uint32_t member = 0; member < 3; ++member)
    BOOST_TEST(counted(held.vote(member, choose(0))));
  BOOST_TEST((held.election.phase() == Phase::voting));
  BOOST_TEST(counted(held.vote(3, choose(1))));
  BOOST_TEST((held.election.phase() == Phase::closed));
  BOOST_TEST(held.election.record().decision.co_winners.size() == 2u);
  BOOST_TEST(held.election.record().decision.winner == "a");
  BOOST_TEST(holds(held.election));
}

BOOST_AUTO_TEST_CASE(a_recount_says_in_what_the_record_differs) {
  Held held;
  for (std::uint32_t member = 0; member < 3; ++member) held.vote(member, choose(0));
  held.vote(3, choose(1));
  const auto fault_with = [&held](void (*change)(Decision&)) {
    Record record = held.election.record();
    change(record.decision);
    const Recount again = recount(record);
    return again.faults.empty() ? std::string("none") : again.faults.front();
  };
  BOOST_TEST(fault_with([](Decision&) {}) == "none");
  BOOST_TEST(fault_with([](Decision& d) { d.winner = "b"; }) ==
             "the ballots give 'a', the record says 'b'");
  BOOST_TEST(fault_with([](Decision& d) { d.co_winners.pop_back(); }) ==
             "by the ballots 'a', 'b' won before ties were broken, the record says 'a'");
  BOOST_TEST(fault_with([](Decision& d) { d.decided = false; }) ==
             "the ballots give 'a', the record says no decision");
}

BOOST_AUTO_TEST_CASE(the_agenda_holds_each_alternative_once_whatever_the_order_of_arrival) {
  Held held({}, {}, true);
  const std::vector<std::string> first = {"z", "a"};
  const std::vector<std::string> second = {"a", "m"};
  BOOST_TEST(counted(held.election.propose(3, first, start)));
  BOOST_TEST(counted(held.election.propose(1, second, start)));
  BOOST_TEST((held.election.propose(1, second, start).kind == Answer::Kind::repeated));
  BOOST_TEST(refused(held.election.propose(1, first, start)));
  held.election.on_time(held.election.deadline());
  BOOST_TEST(held.election.agenda() == std::vector<std::string>({"a", "m", "z"}));
  BOOST_TEST(held.election.record().alternatives[0].proposer == 1u);
  BOOST_TEST(refused(held.election.propose(0, first, start)));
}

BOOST_AUTO_TEST_CASE(proposals_have_limits) {
  Held held(with([](Charter& c) { c.alternatives_each = 2, c.text_limit = 3; }), {}, true);
  BOOST_TEST(refused(held.election.propose(0, {"a", "b", "c"}, start)));
  BOOST_TEST(refused(held.election.propose(0, {"long"}, start)));
  BOOST_TEST(refused(held.election.propose(0, {""}, start)));
  BOOST_TEST(counted(held.election.propose(0, {"abc"}, start)));
}

BOOST_AUTO_TEST_CASE(without_proposals_or_their_quorum_there_is_no_vote) {
  Held nothing({}, {}, true);
  BOOST_TEST(nothing.end().why == "nothing was proposed");
  Held few(with([](Charter& c) { c.proposing = Quorum::share_of_heads({1, 2}); }), {}, true);
  few.election.propose(0, {"a"}, start);
  BOOST_TEST(few.end().why.starts_with("no quorum: 1 of 4 members"));
  BOOST_TEST((few.election.phase() == Phase::closed));
}

BOOST_AUTO_TEST_CASE(a_quorum_by_weight_counts_weight) {
  const auto half = [](Charter& c) { c.voting = Quorum::share_of_weight({1, 2}); };
  Held light(with(half));
  light.vote(0, choose(0));
  light.vote(1, choose(0));
  BOOST_TEST(!light.end().decided);
  Held heavy(with(half));
  heavy.vote(3, choose(2));
  BOOST_TEST(heavy.end().winner == "c");
}

BOOST_AUTO_TEST_CASE(late_early_and_invalid_ballots_have_no_effect_and_are_recorded) {
  Held held;
  BOOST_TEST(refused(held.vote(0, choose(3))));
  BOOST_TEST(refused(held.vote(0, choose(nobody))));
  BOOST_TEST(refused(held.vote(0, rank({1, 1}))));
  BOOST_TEST(refused(held.vote(0, grade({1, 2}))));
  BOOST_TEST(refused(held.vote(0, grade({1, 2, 11}))));
  BOOST_TEST(refused(held.vote(0, grade({1, 2, Fraction(1, 7)}))));
  BOOST_TEST(refused(held.vote(0, choose(0), 2)));
  Ballot negative = choose(0);
  negative.weight = -1;
  BOOST_TEST(refused(held.vote(0, negative)));
  BOOST_TEST(refused(held.election.commit(0, {5, 1, std::string(64, '0')}, start)));
  BOOST_TEST(held.incidents() == 9u);
  BOOST_TEST(counted(held.vote(0, choose(2))));
  BOOST_TEST(held.end().winner == "c");
  BOOST_TEST(refused(held.vote(1, choose(0))));
  BOOST_TEST(held.election.record().afterwards.size() == 1u);
  BOOST_TEST(held.election.record().decision.winner == "c");
  BOOST_TEST(holds(held.election));
}

BOOST_AUTO_TEST_CASE(of_two_ballots_the_charter_says_which_counts) {
  Held first;
  first.vote(0, choose(0));
  BOOST_TEST((first.vote(0, choose(0)).kind == Answer::Kind::repeated));
  BOOST_TEST(refused(first.vote(0, choose(1))));
  BOOST_TEST(first.end().winner == "a");
  Held last(with([](Charter& c) { c.repeated = Repeated::last_counts; }));
  last.vote(0, choose(0));
  BOOST_TEST((last.vote(0, choose(1)).kind == Answer::Kind::replaced));
  BOOST_TEST(last.incidents() == 1u);
  BOOST_TEST(last.end().winner == "b");
}

BOOST_AUTO_TEST_CASE(absent_members_count_as_the_charter_says) {
  Held abstaining;
  abstaining.vote(0, choose(0));
  BOOST_TEST(abstaining.end().winner == "a");
  Held as_before(with([](Charter& c) { c.absent = Absent::status_quo; }));
  as_before.vote(0, choose(0));
  BOOST_TEST(as_before.end().winner == "b");
  BOOST_TEST(holds(as_before.election));
  // cy -> bob -> ann: three votes for "c". The proxy of dan is "nobody", which is no member.
  Held by_proxy(with([](Charter& c) { c.absent = Absent::proxy, c.voting = Quorum::heads(3); }));
  by_proxy.vote(0, choose(2));
  BOOST_TEST(by_proxy.end().winner == "c");
  BOOST_TEST(by_proxy.election.record().polls[0].present == 3u);
  BOOST_TEST(holds(by_proxy.election));
}

BOOST_AUTO_TEST_CASE(silence_keeps_what_holds_now_by_every_rule) {
  for (const std::string& rule : rule_names()) {
    for (const Secrecy secrecy : {Secrecy::open, Secrecy::tally_only}) {
      Charter charter = silence_keeps(rule);
      charter.secrecy = secrecy;
      charter.lowest_score = -5;
      charter.highest_score = 0;
      Held silent(charter, {"1", "2", "3"}, false, "2");
      BOOST_TEST(silent.end().winner == "2", rule);
      BOOST_TEST(silent.election.record().decision.co_winners.size() == 1u, rule);
      BOOST_TEST(holds(silent.election), rule);
    }
  }
}

// On a scale from 0 to 10, ann's weight of 1 gives "a" 10, and the silent weight of 5 gives "b" 50.
BOOST_AUTO_TEST_CASE(who_is_silent_gives_what_holds_now_the_best_score_and_others_the_worst) {
  Held held(silence_keeps("score"));
  held.vote(0, grade({10, 0, 9}));
  BOOST_TEST(held.end().winner == "b");
  Held against(silence_keeps("score"));
  against.vote(3, grade({10, 0, 9}));
  BOOST_TEST(against.end().co_winners == (std::vector<std::string>{"a", "b"}));
  BOOST_TEST(holds(against.election));
}

BOOST_AUTO_TEST_CASE(silence_decides_nothing_where_nothing_holds) {
  for (const char* rule : {"plurality", "score", "schulze", "stv", "approval"}) {
    Held held(silence_keeps(rule), {"abolish", "keep"});
    BOOST_TEST(!held.end().decided, rule);
    BOOST_TEST(held.election.record().decision.why == "nobody has voted", rule);
    BOOST_TEST(holds(held.election), rule);
  }
}

BOOST_AUTO_TEST_CASE(empty_ballots_decide_nothing) {
  for (const std::string& rule : rule_names()) {
    Charter charter;
    charter.rule = Rule::named(rule).value();
    Held held(charter, {"1", "2", "3"});
    for (std::uint32_t member = 0; member < 4; ++member) held.vote(member, Ballot());
    BOOST_TEST((held.election.phase() == Phase::closed));
    BOOST_TEST(!held.election.record().decision.decided, rule);
    BOOST_TEST(held.election.record().decision.why == "nobody has voted: every ballot abstains",
               rule);
    BOOST_TEST(holds(held.election), rule);
  }
}

BOOST_AUTO_TEST_CASE(a_chair_of_no_weight_breaks_ties) {
  auto charter = std::make_shared<Charter>();
  charter->chair = "chair";
  charter->ties = Ties({chair()});
  const std::vector<Member> members = {{"ann", 1, {}}, {"bob", 1, {}}, {"chair", 0, {}}};
  Election held(charter, std::make_shared<const Electorate>(members), Held::beginning(false),
                {"a", "b"}, start);
  held.vote(0, {5, 1, choose(0), 0, 0}, start);
  held.vote(1, {5, 1, choose(1), 0, 0}, start);
  held.vote(2, {5, 1, choose(1), 0, 0}, start);
  BOOST_TEST(held.record().decision.winner == "b");
  BOOST_TEST(holds(held));
}

BOOST_AUTO_TEST_CASE(what_is_committed_to_must_be_opened) {
  Held held(with([](Charter& c) { c.secrecy = Secrecy::commit_reveal; }));
  const Vote ann{5, 1, choose(0), 11, 12};
  const Vote bob{5, 1, choose(1), 13, 14};
  const Vote dan{5, 1, choose(1), 15, 16};
  BOOST_TEST(refused(held.election.vote(0, ann, start)));
  BOOST_TEST(counted(held.election.commit(0, {5, 1, commitment_to(ann, "ann")}, start)));
  BOOST_TEST(counted(held.election.commit(1, {5, 1, commitment_to(bob, "bob")}, start)));
  BOOST_TEST(counted(held.election.commit(3, {5, 1, commitment_to(dan, "dan")}, start)));
  BOOST_TEST(refused(held.election.commit(3, {5, 1, commitment_to(bob, "dan")}, start)));
  held.election.on_time(held.election.deadline());
  BOOST_TEST(counted(held.election.vote(0, ann, start)));
  BOOST_TEST(refused(held.election.vote(1, dan, start)));  // the vote of another member
  BOOST_TEST(refused(held.election.vote(2, ann, start)));  // there is no commitment
  BOOST_TEST(counted(held.election.vote(1, bob, start)));
  BOOST_TEST(held.end().winner == "a");  // dan has not opened his vote
  BOOST_TEST(holds(held.election));
}

BOOST_AUTO_TEST_CASE(a_phase_that_begins_anew_elsewhere_comes_to_the_same_result) {
  Held held;
  held.vote(0, choose(0));
  held.vote(3, choose(2));
  Election other(std::make_shared<const Charter>(), held.election.progress(), start + 1s);
  BOOST_TEST((other.phase() == Phase::voting));
  BOOST_TEST(other.round() == 1u);
  for (std::uint32_t member = 0; member < 4; ++member) {
    other.vote(member, {5, 1, choose(member == 3 ? 2 : 0), member, 0}, start);
  }
  BOOST_TEST(other.record().decision.id == 5u);
  BOOST_TEST(other.record().decision.co_winners.size() == 2u);
  BOOST_TEST(holds(other));
}

BOOST_AUTO_TEST_CASE(an_electorate_without_sense_is_refused) {
  BOOST_CHECK_THROW(Electorate({{"a", -1, {}}}), Error);
  BOOST_CHECK_THROW(Electorate({{"a", 1, {}}, {"a", 1, {}}}), Error);
  BOOST_CHECK_THROW(Electorate({{"", 1, {}}}), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf
