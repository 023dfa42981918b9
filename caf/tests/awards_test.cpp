// One contract on its client's side: the course of awards.
#include "support/tendering.hpp"

namespace coracle::caf::tendering {

BOOST_AUTO_TEST_SUITE(awards)

BOOST_AUTO_TEST_CASE(who_refuses_or_does_not_answer_is_passed_over_for_the_next_best) {
  Procedure procedure;
  procedure.accept_within = 2s;
  Play play(procedure);
  play.bid(0, 5);
  play.bid(1, 9);
  play.bid(2, 7);
  play.tender.award(at(1s));
  BOOST_TEST(play.tender.hear(1, Withdrawal{7, 1, "no room", 0}, at(2s)) == "");
  BOOST_TEST((play.award(1).state == AwardState::refused));
  BOOST_TEST(play.award(2).bidder == 2U);
  play.tender.on_time(at(4s));
  BOOST_TEST((play.award(2).state == AwardState::lapsed));
  BOOST_TEST(play.award(3).bidder == 0U);
  BOOST_TEST(play.accept(2, 2, 4s).find("lapsed") != std::string::npos);
  BOOST_TEST(play.accept(0, 3, 5s) == "");
  BOOST_TEST(play.tender.holder(0).value() == 3U);
  play.tender.on_time(at(14s));  // the lease and an eighth of it are over
  BOOST_TEST((play.award(3).state == AwardState::expired));
  BOOST_TEST((play.tender.phase() == TenderPhase::choosing));
  BOOST_TEST(!play.tender.award(at(14s)));
  play.tender.end(false, "nobody is left", at(14s));
  BOOST_TEST((play.tender.record().settlement.ended == Ended::failed));
  play.holds();
}

BOOST_AUTO_TEST_CASE(a_report_of_an_old_award_is_refused) {
  Procedure procedure;
  procedure.keep_bids = true;
  Play play(procedure);
  play.bid(0, 5);
  play.bid(1, 9);
  play.tender.close();
  play.tender.award(at(1s));
  play.accept(1, 1, 2s);
  BOOST_TEST(play.said<Rejection>(0).empty());
  BOOST_TEST(play.accept(1, 1, 9s) == "");  // the bidder renews its lease
  BOOST_TEST(play.said<Lease>(1).size() == 2U);
  play.tender.on_time(at(17s));
  BOOST_TEST((play.award(1).state == AwardState::running));
  play.tender.on_time(at(18s));
  BOOST_TEST((play.award(1).state == AwardState::expired));
  BOOST_TEST(play.award(2).bidder == 0U);
  BOOST_TEST(play.report(1, 1, true, 19s).find("expired") != std::string::npos);
  BOOST_TEST(play.report(1, 2, true, 19s).find("no such award") != std::string::npos);
  BOOST_TEST(play.report(0, 2, true, 19s).find("offered") != std::string::npos);
  BOOST_TEST(!play.tender.is_current(1, 1));
  BOOST_TEST(play.tender.is_current(0, 2));
  play.accept(0, 2, 19s);
  play.report(0, 2, true, 20s);
  BOOST_TEST(play.tender.record().settlement.parts.at(0).bidder == "ann");
  play.holds();
}

BOOST_AUTO_TEST_CASE(who_takes_too_long_is_stopped_before_another_gets_it) {
  Procedure procedure;
  procedure.keep_bids = true;
  procedure.fulfil_within = 3s;
  for (const bool answers : {true, false}) {
    Play play(procedure);
    play.bid(0, 5);
    play.bid(1, 9);
    play.tender.close();
    play.tender.award(at(1s));
    play.accept(1, 1, 2s);
    play.tender.on_time(at(5s));
    BOOST_TEST((play.award(1).state == AwardState::revoking));
    BOOST_TEST(play.said<Termination>(1).size() == 1U);
    BOOST_TEST(play.tender.record().awards.size() == 1U);
    BOOST_TEST(play.tender.holder(0).value() == 1U);
    BOOST_TEST(play.accept(1, 1, 6s).find("revoked") != std::string::npos);
    if (answers) BOOST_TEST(play.tender.hear(1, Released{7, 1, 8}, at(6s)) == "");
    else play.tender.on_time(at(11s));  // the lease has ended
    BOOST_TEST((play.award(1).state == AwardState::released));
    BOOST_TEST(play.award(2).bidder == 0U);
    play.tender.end(true, "enough", at(12s));
    play.holds();
  }
}

BOOST_AUTO_TEST_CASE(an_award_belongs_to_the_agent_that_accepted_it_not_to_its_name) {
  Play play;
  play.bid(1, 9);
  play.tender.close();
  play.tender.award(at(1s));
  play.accept(1, 1, 2s);
  play.holder = 9;
  BOOST_TEST(play.accept(1, 1, 3s).find("another agent") != std::string::npos);
  BOOST_TEST(play.report(1, 1, true, 3s).find("another agent") != std::string::npos);
  BOOST_TEST(play.tender.hear(1, Withdrawal{7, 1, "what?", 0}, at(3s)) != "");
  BOOST_TEST((play.award(1).state == AwardState::running));
  play.tender.terminate(1, "stop", at(4s));
  BOOST_TEST(play.tender.hear(1, Released{7, 1, 9}, at(4s)) != "");
  BOOST_TEST((play.award(1).state == AwardState::revoking));
  play.tender.on_time(at(11s));  // the end of the first agent's lease
  BOOST_TEST((play.award(1).state == AwardState::released));
}

BOOST_AUTO_TEST_CASE(an_award_of_an_agent_that_has_ended_is_free_at_once) {
  for (const EndReason reason : {EndReason::stopped, EndReason::crashed}) {
    Procedure procedure;
    procedure.keep_bids = true;
    Play play(procedure);
    play.bid(0, 5);
    play.bid(1, 9);
    play.tender.close();
    play.tender.award(at(1s));
    play.life = {1, 4};
    play.accept(1, 1, 2s);
    play.tender.ended(1, Ending("bob", {1, 3}, reason), at(3s));  // an earlier incarnation of the
                                                                  // name
    BOOST_TEST((play.award(1).state == AwardState::running));
    play.tender.ended(1, Ending("bob", {1, 4}, reason, "so"), at(4s));
    BOOST_TEST((play.award(1).state == AwardState::gone));
    BOOST_TEST(play.award(1).text.find(to_string(reason)) != std::string::npos);
    BOOST_TEST(play.award(2).bidder == 0U);
    BOOST_TEST(play.accept(1, 1, 5s).find("gone") != std::string::npos);
    play.accept(0, 2, 5s);
    play.report(0, 2, true, 6s);
    play.holds();
  }
}

BOOST_AUTO_TEST_CASE(an_award_of_an_agent_that_may_live_is_free_when_its_lease_ends) {
  for (const EndReason reason : {EndReason::unreachable, EndReason::expired, EndReason::fenced}) {
    Play play;
    play.bid(1, 9);
    play.tender.close();
    play.tender.award(at(1s));
    play.life = {1, 4};
    play.accept(1, 1, 2s);
    play.tender.ended(1, Ending("bob", {1, 4}, reason), at(4s));
    BOOST_TEST((play.award(1).state == AwardState::running));
    play.tender.on_time(at(11s));
    BOOST_TEST((play.award(1).state == AwardState::expired));
  }
}

BOOST_AUTO_TEST_CASE(who_has_ended_is_not_waited_for_wherever_the_contract_stands) {
  Play bidding;
  bidding.bid(0, 5);
  bidding.bid(1, 9);
  bidding.tender.ended(1, Ending("bob", {1, 4}, EndReason::unreachable), at(2s));
  bidding.tender.ended(2, Ending("cy", {1, 5}, EndReason::unreachable), at(2s));
  BOOST_TEST((bidding.tender.phase() == TenderPhase::choosing));
  bidding.tender.award(at(2s));
  BOOST_TEST(bidding.award(1).bidder == 0U);  // bob's bid is taken back
  bidding.tender.ended(0, Ending("ann", {1, 6}, EndReason::unreachable), at(3s));
  BOOST_TEST((bidding.award(1).state == AwardState::lapsed));

  Play revoking;
  revoking.bid(1, 9);
  revoking.tender.close();
  revoking.tender.award(at(1s));
  revoking.life = {1, 4};
  revoking.accept(1, 1, 2s);
  revoking.tender.terminate(1, "stop", at(3s));
  revoking.tender.ended(1, Ending("bob", {1, 4}, EndReason::crashed), at(4s));
  BOOST_TEST((revoking.award(1).state == AwardState::released));
  revoking.tender.end(true, "enough", at(5s));
  revoking.tender.ended(1, Ending("bob", {1, 4}, EndReason::crashed), at(6s));
  revoking.holds();
}

BOOST_AUTO_TEST_CASE(breaking_ones_word_costs_what_was_agreed) {
  Play bidder;
  bidder.bid(1, 9);
  bidder.tender.close();
  bidder.tender.award(at(1s));
  bidder.accept(1, 1, 2s);
  bidder.tender.hear(1, Withdrawal{7, 1, "a better one", 8}, at(6s));
  BOOST_TEST((bidder.award(1).state == AwardState::withdrawn));
  BOOST_TEST(bidder.said<Settled>(1).at(0).penalty == 3 + 2 * 4);
  BOOST_TEST(bidder.tender.record().settlement.bidders_owe == 11);
  bidder.tender.end(false, "nobody is left", at(6s));
  bidder.holds();

  Play client;
  client.bid(1, 9);
  client.tender.close();
  client.tender.award(at(1s));
  client.accept(1, 1, 2s);
  BOOST_TEST(client.tender.terminate(1, "not needed", at(5s)));
  BOOST_TEST(!client.tender.terminate(1, "not needed", at(5s)));
  BOOST_TEST(!client.tender.terminate(2, "not needed", at(5s)));
  BOOST_TEST(client.said<Termination>(1).at(0).penalty == 5 + 1 * 3);
  BOOST_TEST(client.report(1, 1, true, 5s).find("revoked") != std::string::npos);
  client.tender.end(true, "enough", at(6s));
  BOOST_TEST(client.tender.record().settlement.client_owes == 8);
  client.holds();
  BOOST_TEST((Penalty{amount_limit, amount_limit}.after(24h * 365)) == amount_limit);
}

BOOST_AUTO_TEST_CASE(a_contract_can_be_cancelled_in_each_of_its_stages) {
  for (int stage = 0; stage < 6; ++stage) {
    Procedure procedure;
    procedure.rounds = 2;
    Play play(procedure);
    if (stage == 1) play.tender.close();
    if (stage == 2) play.tender.close(), play.tender.announce_again(some_contract(), 5s, at(1s));
    if (stage >= 3) play.bid(1, 9), play.tender.close(), play.tender.award(at(1s));
    if (stage >= 4) play.accept(1, 1, 2s);
    if (stage == 5) play.tender.terminate(1, "stop", at(3s));
    play.tender.end(true, "not needed any more", at(4s));
    BOOST_TEST((play.tender.phase() == TenderPhase::over));
    BOOST_TEST((play.tender.record().settlement.ended == Ended::cancelled));
    BOOST_TEST(play.said<Termination>(1).size() == (stage >= 3 ? 1U : 0U));
    if (stage == 0) BOOST_TEST(play.said<Rejection>(2).size() == 1U);
    if (stage == 3) BOOST_TEST(play.accept(1, 1, 5s).find("terminated") != std::string::npos);
    BOOST_TEST(play.report(1, 1, true, 5s) != "");
    play.tender.end(true, "again", at(6s));
    play.holds();
  }
}

BOOST_AUTO_TEST_CASE(a_record_that_was_changed_does_not_hold) {
  Play play;
  play.bid(0, 5);
  play.bid(1, 9);
  play.tender.close();
  play.tender.award(at(1s));
  play.accept(1, 1);
  play.report(1, 1);
  play.holds();
  const auto changed = [&](auto change) {
    ContractRecord record = play.tender.record();
    change(record);
    return retrace(record).size();
  };
  BOOST_TEST(changed([](auto& record) { record.bids[0].offerings[0].amount = 10; }) > 0U);
  BOOST_TEST(changed([](auto& record) { record.bids[0].offerings[0].amount = -1; }) > 0U);
  BOOST_TEST(changed([](auto& record) { record.bids[0].bidder = 9; }) > 0U);
  BOOST_TEST(changed([](auto& record) { record.awards[0].bidder = 0; }) > 0U);
  BOOST_TEST(changed([](auto& record) { record.awards[0].price = 8; }) > 0U);
  BOOST_TEST(changed([](auto& record) { record.awards.clear(); }) > 0U);
  BOOST_TEST(changed([](auto& record) { record.awards.push_back(record.awards[0]); }) > 0U);
  BOOST_TEST(changed([](auto& record) { record.settlement.parts.clear(); }) > 0U);
  BOOST_TEST(changed([](auto& record) { record.settlement.client_owes = 1; }) > 0U);
  BOOST_TEST(changed([](auto& record) { record.rule = "lowest"; }) > 0U);
  // Two bidders have the item at the same time.
  BOOST_TEST(changed([](auto& record) {
               MadeAward second = record.awards[0];
               second.number = 2;
               second.made = 2s;
               record.awards.push_back(second);
               record.settlement.parts.push_back(record.settlement.parts[0]);
             }) > 0U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf::tendering
