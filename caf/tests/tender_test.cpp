// One contract on its client's side.
#include "coracle/caf/tender.hpp"
#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

#include <random>
#include <set>

namespace coracle::caf {

namespace {

using namespace std::chrono_literals;

Time at(Duration since) { return Time(1h + since); }

Contract some_contract() {
  Contract contract;
  contract.id = 7;
  contract.subject = "dig a hole";
  contract.bid_within = 10s;
  contract.lease = 8s;
  contract.client_penalty = {5, 1};
  contract.bidder_penalty = {3, 2};
  return contract;
}

// A client with bidders "ann", "bob", "cy", and what it tells them.
struct Play {
  explicit Play(Procedure procedure = {}, Contract contract = some_contract(),
                std::vector<std::string> invited = {"ann", "bob", "cy"})
      : tender(std::move(contract), std::move(procedure), "client", std::move(invited), at(0s)) {}

  std::string bid(std::uint32_t who, Amount amount, Duration when = 1s, Items items = 1) {
    return tender.hear(who, Bid{7, tender.contract().round, {{items, amount}}, {}}, at(when));
  }
  std::string accept(std::uint32_t who, AwardNumber award, Duration when = 2s) {
    return tender.hear(who, Acceptance{7, award, 42, holder}, at(when));
  }
  std::string report(std::uint32_t who, AwardNumber award, bool done = true, Duration when = 3s) {
    return tender.hear(who, Report{7, award, true, done, "so", holder}, at(when));
  }
  template <class T>
  std::vector<T> said(std::uint32_t to) {
    for (Saying& each : tender.take_sayings()) all.push_back(std::move(each));
    std::vector<T> found;
    for (const Saying& each : all) {
      const T* what = std::get_if<T>(&each.what);
      const bool is_for = std::find(each.to.begin(), each.to.end(), to) != each.to.end();
      if (what != nullptr && is_for) found.push_back(*what);
    }
    return found;
  }
  const MadeAward& award(AwardNumber number) { return tender.record().awards.at(number - 1); }
  void holds() { BOOST_TEST(retrace(tender.record()).empty()); }

  Tender tender;
  std::vector<Saying> all;
  std::uint64_t holder = 8;  // who speaks for the bidder
};

}  // namespace

BOOST_AUTO_TEST_SUITE(tender)

BOOST_AUTO_TEST_CASE(the_highest_bidder_wins_does_it_and_is_paid_what_it_bid) {
  Play play;
  for (std::uint32_t who = 0; who < 3; ++who) BOOST_TEST(play.said<Contract>(who).size() == 1U);
  BOOST_TEST(play.bid(0, 5) == "");
  BOOST_TEST(play.bid(1, 9) == "");
  BOOST_TEST((play.tender.stage() == Stage::bidding));
  BOOST_TEST(play.bid(2, 7) == "");
  BOOST_TEST((play.tender.stage() == Stage::choosing));
  BOOST_TEST(play.tender.award(at(1s)));
  BOOST_TEST(play.said<Award>(1).at(0).price == 9);
  BOOST_TEST(play.said<Rejection>(0).empty());
  BOOST_TEST(play.accept(1, 1) == "");
  BOOST_TEST(play.said<Lease>(1).at(0).asked == 42);
  BOOST_TEST(play.said<Rejection>(0).size() == 1U);
  BOOST_TEST(play.said<Rejection>(1).empty());
  BOOST_TEST(play.tender.holder(0).value() == 1U);
  BOOST_TEST(play.report(1, 1) == "");
  BOOST_TEST((play.tender.stage() == Stage::over));
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
  BOOST_TEST((alone.tender.stage() == Stage::choosing));
  BOOST_TEST(!alone.tender.award(at(0s)));
  alone.tender.end(false, "nobody", at(0s));
  BOOST_TEST((alone.tender.record().settlement.ended == Ended::no_bids));

  Play refused;
  for (std::uint32_t who = 0; who < 3; ++who)
    BOOST_TEST(refused.tender.hear(who, Decline{7, 1, "busy"}, at(1s)) == "");
  BOOST_TEST((refused.tender.stage() == Stage::choosing));

  Play silent;
  silent.tender.on_time(at(9s));
  BOOST_TEST((silent.tender.stage() == Stage::bidding));
  BOOST_TEST((silent.tender.deadline() == at(10s)));
  silent.tender.on_time(at(10s));
  BOOST_TEST((silent.tender.stage() == Stage::choosing));
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
  BOOST_TEST(play.tender.record().incidents.size() == 10U);
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
  play.tender.on_time(at(14s));  // longer than the lease, by an eighth
  BOOST_TEST((play.award(3).state == AwardState::expired));
  BOOST_TEST((play.tender.stage() == Stage::choosing));
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
  BOOST_TEST(play.accept(1, 1, 9s) == "");  // it asks for the lease again
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
    else play.tender.on_time(at(11s));  // its lease is over
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
  play.tender.on_time(at(11s));  // when the lease of the first one is over
  BOOST_TEST((play.award(1).state == AwardState::released));
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
    BOOST_TEST((play.tender.stage() == Stage::over));
    BOOST_TEST((play.tender.record().settlement.ended == Ended::cancelled));
    BOOST_TEST(play.said<Termination>(1).size() == (stage >= 3 ? 1U : 0U));
    if (stage == 0) BOOST_TEST(play.said<Rejection>(2).size() == 1U);
    if (stage == 3) BOOST_TEST(play.accept(1, 1, 5s).find("terminated") != std::string::npos);
    BOOST_TEST(play.report(1, 1, true, 5s) != "");
    play.tender.end(true, "again", at(6s));
    play.holds();
  }
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
  BOOST_TEST((play.tender.stage() == Stage::waiting));
  BOOST_TEST(play.bid(0, 8, 2s).find("closed") != std::string::npos);
  play.tender.on_time(at(4s));
  BOOST_TEST((play.tender.stage() == Stage::bidding));
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
  BOOST_TEST((play.tender.stage() == Stage::awarded));
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
  BOOST_TEST((play.tender.stage() == Stage::choosing));
  play.tender.hear(0, Decline{7, 1, "it has left"}, at(1s));
  play.tender.award(at(1s));
  BOOST_TEST(play.award(1).bidder == 1U);
  play.tender.give_up(1, "its mailbox is full", at(1s));
  BOOST_TEST((play.award(1).state == AwardState::lapsed));
  BOOST_TEST((play.tender.stage() == Stage::choosing));
  play.tender.end(false, "nobody is left", at(1s));
  play.holds();
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
  // Two who have it at the same time.
  BOOST_TEST(changed([](auto& record) {
               MadeAward second = record.awards[0];
               second.number = 2;
               second.made = 2s;
               record.awards.push_back(second);
               record.settlement.parts.push_back(record.settlement.parts[0]);
             }) > 0U);
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
  BOOST_CHECK_EXCEPTION(tried([](C, P p) { p.reserve = -1; }), Error, is_bad);
  const auto odd = [](C, P p) {
    p.rule = AwardRule("mine", [](auto, auto) { return std::vector<std::uint32_t>{}; });
    p.pricing = Pricing::vickrey;
  };
  BOOST_CHECK_EXCEPTION(tried(odd), Error, is_bad);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf
