// A pair ends by time, by a cancel, or by a lost message. A broker passes answers back.
#include "coracle/acl/protocols/session.hpp"

#include "support/pair.hpp"

namespace coracle::acl {

using test::agent;
using test::at;
using test::by_ann;
using test::by_bob;
using test::Pair;
using test::say;
using namespace std::chrono_literals;
using Act = Performative;

BOOST_AUTO_TEST_SUITE(session_ending)

BOOST_AUTO_TEST_CASE(a_pair_expires_on_both_sides_when_nobody_answers_in_time) {
  for (const Protocol* protocol : all_protocols()) {
    if (protocol->first != State::asked) continue;
    Pair pair(*protocol, 5s);
    BOOST_TEST((pair.ann.deadline() == at(5s)));
    BOOST_TEST((pair.bob.deadline() == at(5s)));
    pair.ann.on_time(at(5s) - 1ns);
    BOOST_TEST(pair.ann.state() == State::asked);
    pair.ann.on_time(at(5s));
    pair.bob.on_time(at(5s));
    BOOST_TEST(pair.ann.outcome() == Outcome::expired);
    BOOST_TEST(pair.bob.outcome() == Outcome::expired);
    BOOST_TEST((pair.ann.deadline() == Time::max()));
    BOOST_TEST(!pair.bob.say(say(Act::not_understood), at(5s)).has_value());
  }
}

BOOST_AUTO_TEST_CASE(a_message_that_comes_at_the_deadline_is_too_late) {
  Pair pair(request_protocol, 5s);
  BOOST_TEST(pair.ann.hear(pair.forged(by_bob, Act::inform), at(5s)) == Heard::out_of_sequence);
  BOOST_TEST(pair.ann.outcome() == Outcome::expired);
  BOOST_TEST(!pair.bob.say(say(Act::inform), at(6s)).has_value());
}

BOOST_AUTO_TEST_CASE(an_agreement_ends_the_time_for_the_answer) {
  Pair pair(request_protocol, 5s);
  pair.tell(by_bob, say(Act::agree, 1s));
  BOOST_TEST((pair.ann.deadline() == Time::max()));
  BOOST_TEST((pair.bob.deadline() == Time::max()));
}

BOOST_AUTO_TEST_CASE(a_proposal_that_is_not_accepted_in_its_own_time_expires) {
  Pair pair(contract_net_protocol, 5s);
  pair.now = at(2s);
  pair.tell(by_bob, Act::propose, 10s);
  BOOST_TEST((pair.ann.deadline() == at(12s)));
  BOOST_TEST((pair.bob.deadline() == at(12s)));
  BOOST_TEST(!pair.ann.say(say(Act::accept_proposal), at(12s)).has_value());
  BOOST_TEST(pair.bob.hear(pair.forged(by_ann, Act::accept_proposal), at(12s)) ==
             Heard::out_of_sequence);
  BOOST_TEST(pair.bob.outcome() == Outcome::expired);
}

BOOST_AUTO_TEST_CASE(an_award_can_limit_the_time_for_the_result) {
  Pair pair(contract_net_protocol);
  pair.tell(by_bob, Act::propose);
  pair.tell(by_ann, Act::accept_proposal, 7s);
  pair.ann.on_time(at(7s));
  BOOST_TEST(pair.ann.outcome() == Outcome::expired);
}

BOOST_AUTO_TEST_CASE(a_bidder_that_is_silent_stays_in_the_auction) {
  for (const Protocol* protocol : {&english_auction_protocol, &dutch_auction_protocol}) {
    Pair pair(*protocol, 5s);
    BOOST_TEST((pair.ann.deadline() == Time::max()));
    pair.tell(by_ann, Act::cfp, 3s);
    pair.ann.on_time(at(3s));
    BOOST_TEST(pair.ann.state() == State::joined);
    // The bid that comes too late is none, and the next call finds the bidder as it is.
    const Message late = pair.forged(by_bob, Act::propose);
    BOOST_TEST(pair.ann.hear(late, at(4s)) == Heard::out_of_sequence);
    pair.now = at(4s);
    pair.tell(by_ann, Act::cfp, 3s);
    pair.tell(by_bob, Act::propose);
  }
}

BOOST_AUTO_TEST_CASE(a_call_that_overtakes_a_bid_finds_the_bidder) {
  Pair pair(english_auction_protocol);
  pair.tell(by_ann, Act::cfp);
  const auto bid = pair.bob.say(say(Act::propose), pair.now);
  const auto call = pair.ann.say(say(Act::cfp), pair.now);
  BOOST_TEST(pair.ann.hear(*bid, pair.now) == Heard::out_of_sequence);
  BOOST_TEST(pair.bob.hear(*call, pair.now) == Heard::taken);
  BOOST_TEST(pair.bob.state() == State::asked);
}

BOOST_AUTO_TEST_CASE(a_cancel_ends_the_pair_if_the_participant_permits_it) {
  for (const Protocol* protocol : all_protocols()) {
    for (const auto& [state, way] : test::ways(*protocol)) {
      Pair pair = test::pair_in(*protocol, way);
      const auto cancel = pair.ann.cancel(say(Act::cancel), pair.now);
      BOOST_TEST_REQUIRE(cancel.has_value());
      BOOST_TEST(cancel->performative == Act::cancel);
      BOOST_TEST(cancel->in_reply_to == "");
      BOOST_TEST(pair.bob.hear(*cancel, pair.now) == Heard::cancel_asked);
      BOOST_TEST(pair.bob.is_cancelling());
      BOOST_TEST(pair.bob.state() == state);
      const auto done = pair.bob.answer_cancel(true, std::string(), pair.now);
      BOOST_TEST(pair.ann.hear(*done, pair.now) == Heard::taken);
      BOOST_TEST(pair.ann.outcome() == Outcome::cancelled);
      BOOST_TEST(pair.bob.outcome() == Outcome::cancelled);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_participant_that_does_not_cancel_goes_on) {
  Pair pair(request_protocol);
  pair.tell(by_bob, Act::agree);
  BOOST_TEST(!pair.bob.answer_cancel(true, std::string(), pair.now).has_value());
  const auto cancel = pair.ann.cancel(say(Act::cancel), pair.now);
  BOOST_TEST(!pair.ann.cancel(say(Act::cancel), pair.now).has_value());
  BOOST_TEST(pair.bob.hear(*cancel, pair.now) == Heard::cancel_asked);
  Message wrong = pair.forged(by_bob, Act::agree);
  wrong.in_reply_to = cancel->reply_with;
  BOOST_TEST(pair.ann.hear(wrong, pair.now) == Heard::out_of_sequence);
  const auto no = pair.bob.answer_cancel(false, std::string("(busy)"), pair.now);
  BOOST_TEST(no->performative == Act::failure);
  BOOST_TEST(pair.ann.hear(*no, pair.now) == Heard::cancel_refused);
  BOOST_TEST(!pair.ann.is_cancelling());
  pair.tell(by_bob, Act::inform);
  BOOST_TEST(pair.ann.outcome() == Outcome::done);
  BOOST_TEST(!pair.ann.cancel(say(Act::cancel), pair.now).has_value());
  BOOST_TEST(!pair.bob.cancel(say(Act::cancel), pair.now).has_value());
}

BOOST_AUTO_TEST_CASE(a_cancel_and_a_result_may_cross) {
  Pair pair(request_protocol);
  const auto cancel = pair.ann.cancel(say(Act::cancel), pair.now);
  const auto result = pair.bob.say(say(Act::inform), pair.now);
  BOOST_TEST(pair.bob.hear(*cancel, pair.now) == Heard::out_of_sequence);
  BOOST_TEST(pair.ann.hear(*result, pair.now) == Heard::taken);
  BOOST_TEST(pair.ann.outcome() == Outcome::done);
}

BOOST_AUTO_TEST_CASE(a_cancel_that_nobody_answers_ends_the_pair_in_its_time) {
  Pair pair(subscribe_protocol);
  pair.tell(by_bob, Act::agree);
  (void)pair.ann.cancel(say(Act::cancel, 2s), pair.now);
  BOOST_TEST((pair.ann.deadline() == at(2s)));
  BOOST_TEST(pair.ann.hear(pair.forged(by_bob, Act::inform), at(1s)) == Heard::taken);
  pair.ann.on_time(at(2s));
  BOOST_TEST(pair.ann.outcome() == Outcome::cancelled);
}

BOOST_AUTO_TEST_CASE(the_report_of_a_platform_that_a_message_was_lost_ends_the_pair) {
  for (const char* ams : {"ams", "AMS"}) {
    Pair pair(request_protocol);
    Message report = pair.forged(by_bob, Act::failure);
    report.sender = agent(ams);
    BOOST_TEST(pair.ann.hear(report, pair.now) == Heard::taken);
    BOOST_TEST(pair.ann.outcome() == Outcome::lost);
    BOOST_TEST((pair.ann.heard() == report));
  }
  // The report of another platform, about another message, or another act is none.
  Pair pair(request_protocol);
  Message report = pair.forged(by_bob, Act::failure);
  report.sender = agent("ams@elsewhere");
  BOOST_TEST(pair.ann.hear(report, pair.now) == Heard::foreign);
  report.sender = agent("ams");
  report.in_reply_to = "guessed";
  BOOST_TEST(pair.ann.hear(report, pair.now) == Heard::foreign);
  report = pair.forged(by_bob, Act::inform);
  report.sender = agent("ams");
  BOOST_TEST(pair.ann.hear(report, pair.now) == Heard::foreign);
  BOOST_TEST(pair.ann.outcome() == Outcome::open);
  // A participant hears that its proposal was lost.
  Pair net(contract_net_protocol);
  const Message bid = net.tell(by_bob, Act::propose);
  report = net.forged(by_ann, Act::failure);
  report.sender = agent("ams");
  report.in_reply_to = bid.reply_with;
  BOOST_TEST(net.bob.hear(report, net.now) == Heard::taken);
  BOOST_TEST(net.bob.outcome() == Outcome::lost);
}

BOOST_AUTO_TEST_CASE(the_answers_that_a_broker_passes_back_are_relayed) {
  Pair pair(brokering_protocol);
  pair.ann.expect_answers_to("inner");
  pair.tell(by_bob, Act::agree);
  for (const Act act : {Act::agree, Act::inform, Act::failure, Act::refuse}) {
    Message answer = pair.forged(by_bob, act);
    answer.in_reply_to = "inner";
    BOOST_TEST(pair.ann.hear(answer, pair.now) == Heard::relayed);
    BOOST_TEST(pair.ann.state() == State::relaying);
    answer.sender = agent("cy");
    BOOST_TEST(pair.ann.hear(answer, pair.now) == Heard::foreign);
  }
  pair.tell(by_bob, Act::inform);
  BOOST_TEST(pair.ann.outcome() == Outcome::done);
}

BOOST_AUTO_TEST_CASE(the_answers_to_a_recruiters_message_come_from_anybody) {
  Pair pair(recruiting_protocol);
  pair.ann.expect_answers_to("inner");
  Message answer = pair.forged(by_bob, Act::inform);
  answer.sender = agent("cy");
  answer.in_reply_to = "inner";
  // It may overtake the recruiter's agreement.
  BOOST_TEST(pair.ann.hear(answer, pair.now) == Heard::relayed);
  pair.tell(by_bob, Act::agree);
  BOOST_TEST(pair.ann.hear(answer, pair.now) == Heard::relayed);
  answer.in_reply_to = "guessed";
  BOOST_TEST(pair.ann.hear(answer, pair.now) == Heard::foreign);
}

BOOST_AUTO_TEST_CASE(a_pair_that_its_owner_has_left_takes_nothing_more) {
  Pair pair(request_protocol);
  pair.ann.end(Outcome::closed);
  pair.ann.end(Outcome::lost);
  BOOST_TEST(pair.ann.outcome() == Outcome::closed);
  BOOST_TEST(pair.ann.hear(pair.forged(by_bob, Act::inform), pair.now) == Heard::out_of_sequence);
  BOOST_TEST(!pair.ann.can_say(Act::not_understood));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::acl
