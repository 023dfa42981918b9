// One contract on its client's side: the invited bidders, their bids, and the winners.
#include "support/tendering.hpp"

#include "coracle/errors.hpp"

#include <map>
#include <set>

namespace coracle::caf::tendering {

BOOST_AUTO_TEST_SUITE(tender)

BOOST_AUTO_TEST_CASE(the_highest_bidder_wins_does_it_and_is_paid_what_it_bid) {
  Play play;
  for (std::uint32_t who = 0; who < 3; ++who) BOOST_TEST(play.said<Contract>(who).size() == 1U);
  BOOST_TEST(play.bid(0, 5) == "");
  BOOST_TEST(play.bid(1, 9) == "");
  BOOST_TEST((play.tender.phase() == TenderPhase::bidding));
  BOOST_TEST(play.bid(2, 7) == "");
  BOOST_TEST((play.tender.phase() == TenderPhase::choosing));
  BOOST_TEST(play.tender.award(at(1s)));
  BOOST_TEST(play.said<Award>(1).at(0).price == 9);
  BOOST_TEST(play.said<Rejection>(0).empty());
  BOOST_TEST(play.accept(1, 1) == "");
  BOOST_TEST(play.said<Lease>(1).at(0).asked == 42);
  BOOST_TEST(play.said<Rejection>(0).size() == 1U);
  BOOST_TEST(play.said<Rejection>(1).empty());
  BOOST_TEST(play.tender.holder(0).value() == 1U);
  BOOST_TEST(play.report(1, 1) == "");
  BOOST_TEST((play.tender.phase() == TenderPhase::over));
  const Settlement& settlement = play.tender.record().settlement;
  BOOST_TEST((settlement.ended == Ended::fulfilled));
  BOOST_TEST(settlement.parts.at(0).bidder == "bob");
  BOOST_TEST(settlement.parts.at(0).result == "so");
  BOOST_TEST(play.said<Settled>(1).at(0).price == 9);
  BOOST_TEST((play.tender.deadline() == Time::max()));
  play.holds();
}

BOOST_AUTO_TEST_CASE(nobody_asked_nobody_who_wants_it_and_no_answer_are_results) {
  Play alone({}, some_contract(), {});
  BOOST_TEST((alone.tender.phase() == TenderPhase::choosing));
  BOOST_TEST(!alone.tender.award(at(0s)));
  alone.tender.end(false, "nobody", at(0s));
  BOOST_TEST((alone.tender.record().settlement.ended == Ended::no_bids));

  Play refused;
  for (std::uint32_t who = 0; who < 3; ++who)
    BOOST_TEST(refused.tender.hear(who, Decline{7, 1, "busy"}, at(1s)) == "");
  BOOST_TEST((refused.tender.phase() == TenderPhase::choosing));

  Play silent;
  silent.tender.on_time(at(9s));
  BOOST_TEST((silent.tender.phase() == TenderPhase::bidding));
  BOOST_TEST((silent.tender.deadline() == at(10s)));
  silent.tender.on_time(at(10s));
  BOOST_TEST((silent.tender.phase() == TenderPhase::choosing));
  silent.tender.end(false, "nobody", at(10s));
  BOOST_TEST((silent.tender.record().settlement.ended == Ended::no_bids));
  silent.holds();
}

BOOST_AUTO_TEST_CASE(a_bid_that_is_late_or_wrong_is_refused_recorded_and_without_effect) {
  Play play;
  BOOST_TEST(play.bid(0, -1).find("negative") != std::string::npos);
  BOOST_TEST(play.bid(0, amount_limit + 1).find("limit") != std::string::npos);
  BOOST_TEST(play.bid(0, 4, 1s, 2).find("does not have") != std::string::npos);
  BOOST_TEST(play.bid(0, 4, 1s, 0).find("no item") != std::string::npos);
  BOOST_TEST(play.tender.hear(0, Bid{7, 1, {}, {}}, at(1s)).find("nothing") != std::string::npos);
  BOOST_TEST(play.tender.hear(0, Bid{7, 2, {{1, 3}}, {}}, at(1s)).find("call") !=
             std::string::npos);
  const Bid large{7, 1, {{1, 3}}, std::string(100'000, 'x')};
  BOOST_TEST(play.tender.hear(0, large, at(1s)).find("bytes") != std::string::npos);
  BOOST_TEST(play.bid(1, 3) == "");
  BOOST_TEST(play.bid(0, 99, 10s).find("too late") != std::string::npos);
  BOOST_TEST(play.tender.award(at(10s)));
  BOOST_TEST(play.bid(0, 99, 11s).find("too late") != std::string::npos);
  BOOST_TEST(play.award(1).bidder == 1U);
  play.accept(1, 1, 11s);
  play.report(1, 1, true, 12s);
  BOOST_TEST(play.bid(0, 99, 13s).find("over") != std::string::npos);
  BOOST_TEST(play.tender.record().incidents.size() == 12U);  // with the silence of ann and cy
  BOOST_TEST(play.tender.record().incidents.at(0).who == "ann");
  BOOST_TEST(play.tender.record().bids.size() == 1U);
  play.holds();
}

BOOST_AUTO_TEST_CASE(until_the_close_the_last_bid_counts_and_a_repeated_one_is_harmless) {
  Play play;
  play.bid(0, 9);
  BOOST_TEST(play.bid(0, 9) == "");
  BOOST_TEST(play.bid(0, 2) == "");
  play.bid(1, 3);
  BOOST_TEST(play.tender.record().bids.size() == 3U);
  play.tender.close();
  BOOST_TEST(play.tender.award(at(1s)));
  BOOST_TEST(play.award(1).bidder == 1U);
  std::string last;
  Play stubborn;
  for (Amount i = 0; i < 100; ++i) last = stubborn.bid(0, i);
  BOOST_TEST(last.find("too many") != std::string::npos);
  play.tender.end(true, "enough", at(2s));
  play.holds();
}

BOOST_AUTO_TEST_CASE(equal_bids_go_to_the_first_or_are_drawn_in_a_way_that_can_be_repeated) {
  std::set<std::uint32_t> winners;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Procedure procedure;
    procedure.seed = seed;
    Play play(procedure);
    for (const std::uint32_t who : {2U, 0U, 1U}) play.bid(who, 4);
    BOOST_TEST(play.tender.award(at(1s)));
    if (seed == 0) BOOST_TEST(play.award(1).bidder == 2U);
    else winners.insert(play.award(1).bidder);
    play.tender.end(true, "enough", at(2s));
    play.holds();
  }
  BOOST_TEST(winners.size() == 3U);
}

BOOST_AUTO_TEST_CASE(equal_sets_of_bundles_are_drawn_too) {
  Contract contract = some_contract();
  contract.items = {"x", "y"};
  std::map<std::uint32_t, int> won;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Procedure procedure;
    procedure.seed = seed;
    Play play(procedure, contract, {"ann", "bob", "cy", "di"});
    play.bid(0, 5, 1s, 0b01);
    play.bid(1, 5, 1s, 0b01);
    play.bid(2, 5, 1s, 0b10);
    play.bid(3, 10, 1s, 0b11);
    BOOST_TEST(play.tender.award(at(1s)));
    for (const MadeAward& each : play.tender.record().awards) ++won[each.bidder];
    play.tender.end(true, "enough", at(2s));
    play.holds();
  }
  // "di" wins where it is drawn first of four; otherwise "cy" wins, with "ann" or "bob".
  for (const std::uint32_t who : {0U, 1U, 3U}) BOOST_TEST(won[who] > 40, who << ": " << won[who]);
  BOOST_TEST(won[3] + won[2] == 300);
  BOOST_TEST(won[0] + won[1] == won[2]);
}

BOOST_AUTO_TEST_CASE(all_bids_can_be_rejected_and_new_ones_asked_for) {
  Procedure procedure;
  procedure.reserve = 6;
  procedure.rounds = 2;
  Play play(procedure);
  play.bid(0, 5);
  play.bid(1, 4);
  play.tender.close();
  BOOST_TEST(!play.tender.award(at(1s)));
  Contract softer = some_contract();
  softer.subject = "dig a small hole";
  softer.items = {"no", "such", "items"};
  play.tender.announce_again(softer, 3s, at(1s));
  BOOST_TEST(play.said<Rejection>(0).size() == 1U);
  BOOST_TEST((play.tender.phase() == TenderPhase::waiting));
  BOOST_TEST(play.bid(0, 8, 2s).find("closed") != std::string::npos);
  play.tender.on_time(at(4s));
  BOOST_TEST((play.tender.phase() == TenderPhase::bidding));
  const Contract again = play.said<Contract>(0).at(1);
  BOOST_TEST(again.subject == "dig a small hole");
  BOOST_TEST(again.round == 2U);
  BOOST_TEST(again.items.empty());
  BOOST_TEST(play.tender.hear(0, Bid{7, 1, {{1, 99}}, {}}, at(5s)) != "");
  play.bid(0, 7, 5s);
  play.tender.close();
  BOOST_TEST(play.tender.award(at(5s)));
  play.accept(0, 1, 6s);
  play.report(0, 1, false, 7s);
  BOOST_TEST((play.award(1).state == AwardState::failed));
  play.tender.end(false, "nobody is left", at(8s));
  BOOST_TEST((play.tender.record().settlement.ended == Ended::failed));
  play.holds();
}

BOOST_AUTO_TEST_CASE(bundles_go_to_several_and_what_one_of_them_does_not_do_goes_to_others) {
  Contract contract = some_contract();
  contract.items = {"wood", "stone", "roof"};
  Procedure procedure;
  procedure.keep_bids = true;
  procedure.rule = Best::lowest;
  procedure.pricing = Pricing::vickrey;
  Play play(procedure, contract, {"ann", "bob", "cy", "di"});
  play.bid(0, 10, 1s, 0b011);
  play.bid(1, 7, 1s, 0b100);
  play.bid(2, 20, 1s, 0b111);
  play.bid(3, 9, 1s, 0b100);
  BOOST_TEST(play.tender.award(at(1s)));
  BOOST_TEST(play.tender.record().awards.size() == 2U);
  BOOST_TEST(play.award(1).bidder == 0U);
  BOOST_TEST(play.award(1).price == 13);
  BOOST_TEST(play.award(2).bidder == 1U);
  BOOST_TEST(play.award(2).price == 9);
  play.accept(0, 1);
  play.accept(1, 2);
  play.report(0, 1);
  BOOST_TEST((play.tender.phase() == TenderPhase::awarded));
  play.report(1, 2, false);
  BOOST_TEST(play.award(3).bidder == 3U);
  BOOST_TEST(play.award(3).price == 9);
  play.accept(3, 3);
  play.report(3, 3, false);
  play.tender.end(false, "nobody is left", at(4s));
  BOOST_TEST((play.tender.record().settlement.ended == Ended::partly));
  play.holds();
}

BOOST_AUTO_TEST_CASE(who_cannot_be_reached_or_leaves_is_not_waited_for) {
  Play play;
  play.bid(0, 9);
  play.bid(1, 5);
  play.tender.give_up(2, "its mailbox is full", at(1s));
  BOOST_TEST((play.tender.phase() == TenderPhase::choosing));
  play.tender.hear(0, Decline{7, 1, "it has left"}, at(1s));
  play.tender.award(at(1s));
  BOOST_TEST(play.award(1).bidder == 1U);
  play.tender.give_up(1, "its mailbox is full", at(1s));
  BOOST_TEST((play.award(1).state == AwardState::lapsed));
  BOOST_TEST((play.tender.phase() == TenderPhase::choosing));
  play.tender.end(false, "nobody is left", at(1s));
  play.holds();
}

BOOST_AUTO_TEST_CASE(
    terms_that_cannot_be_announced_again_end_the_contract_and_its_record_says_why) {
  Play play;
  for (std::uint32_t who = 0; who < 3; ++who) play.tender.hear(who, Decline{7, 1, ""}, at(1s));
  Contract terms = some_contract();
  terms.bid_within = 40s;
  terms.bid_holds = 30s;
  play.tender.announce_again(terms, 0s, at(1s));
  BOOST_TEST((play.tender.phase() == TenderPhase::over));
  const Settlement& settlement = play.tender.record().settlement;
  BOOST_TEST((settlement.ended == Ended::no_bids));
  BOOST_TEST(settlement.why ==
             "contract 'dig a hole' cannot be announced: its bids expire no later than the bidding "
             "ends, so that no award could be accepted; give a bid_holds above its bid_within");
  play.holds();
}

BOOST_AUTO_TEST_CASE(a_bidder_that_has_not_answered_in_time_is_noted) {
  Play play;
  play.bid(1, 9, 2s);
  play.tender.hear(2, Decline{7, 1, "not for me"}, at(2s));
  play.tender.on_time(at(10s));
  const std::vector<Incident>& incidents = play.tender.record().incidents;
  BOOST_TEST_REQUIRE(incidents.size() == 1U);
  BOOST_TEST(incidents[0].who == "ann");
  BOOST_TEST(incidents[0].what == "silence");
  BOOST_TEST(incidents[0].reason == "it has not answered call 1 in time");
  play.tender.award(at(10s));
  play.accept(1, 1, 10s);
  play.report(1, 1, true, 11s);
  play.holds();
}

BOOST_AUTO_TEST_CASE(what_cannot_be_announced_is_said_at_once) {
  const auto is_bad = [](const Error& error) { return error.errc() == Errc::bad_options; };
  const auto tried = [](auto change) {
    Contract contract = some_contract();
    Procedure procedure;
    change(contract, procedure);
    Play play(procedure, contract);
  };
  using C = Contract&;
  using P = Procedure&;
  BOOST_CHECK_EXCEPTION(tried([](C c, P) { c.items.resize(65, "x"); }), Error, is_bad);
  BOOST_CHECK_EXCEPTION(tried([](C c, P) { c.lease = 0s; }), Error, is_bad);
  BOOST_CHECK_EXCEPTION(tried([](C c, P) { c.bid_within = -1s; }), Error, is_bad);
  BOOST_CHECK_EXCEPTION(tried([](C, P p) { p.accept_within = 0s; }), Error, is_bad);
  BOOST_CHECK_EXCEPTION(tried([](C c, P) { c.bid_holds = c.bid_within - 1s; }), Error, is_bad);
  BOOST_CHECK_EXCEPTION(tried([](C c, P) { c.bid_holds = c.bid_within; }), Error, is_bad);
  BOOST_CHECK_EXCEPTION(tried([](C, P p) { p.reserve = -1; }), Error, is_bad);
  const auto odd = [](C, P p) {
    p.rule = AwardRule("mine", [](auto, auto) { return std::vector<std::uint32_t>{}; });
    p.pricing = Pricing::vickrey;
  };
  BOOST_CHECK_EXCEPTION(tried(odd), Error, is_bad);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf::tendering
