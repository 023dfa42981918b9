// The behaviour of clients and bidders, on every realization.
#include "traders.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace coracle::caf::test {

namespace {

Skill silent() {
  Skill skill;
  skill.is_silent = true;
  return skill;
}

Task<> say(Boss& me, const char* who, const char* what, ContractId id) {
  Post post(who, Content(what));
  post.header("contract", std::to_string(id));
  co_await me.send(post);
}

void the_highest_bidder_is_awarded_and_fulfils(Market& market) {
  market.run({{"ann", offers(3)}, {"bob", offers(8)}, {"cy", offers(5)}}, [](Boss& me) -> Task<> {
    const Contract what = task("dig");
    const Settlement settlement = co_await me.contract(what, only("ann", "bob", "cy"));
    expect(settlement.ended == Ended::fulfilled, to_string(settlement.ended));
    expect_equal(settlement.parts.at(0).bidder, std::string("bob"), "who has won");
    expect_equal(settlement.parts.at(0).result, std::string("bob did it"), "what came of it");
    expect_equal(settlement.parts.at(0).price, 8, "the price");
    expect_equal(me.records.size(), 1U, "records");
    expect_traced(me);
  });
  expect_equal(market.diary().count("bob works on dig"), 1U, "how often it was done");
  expect(!market.diary().has("ann works"), "only one works");
}

void the_lowest_and_the_second_price_and_a_rule_of_ones_own(Market& market) {
  market.run({{"ann", offers(3)}, {"bob", offers(8)}, {"cy", offers(5)}}, [](Boss& me) -> Task<> {
    const Contract what = task("dig");
    const Invitation all = only("ann", "bob", "cy");
    Procedure how;
    how.rule = Best::lowest;
    Settlement settlement = co_await me.contract(what, all, how);
    expect_equal(settlement.parts.at(0).bidder, std::string("ann"), "the lowest");
    how.pricing = Pricing::vickrey;
    settlement = co_await me.contract(what, all, how);
    expect_equal(settlement.parts.at(0).price, 5, "the second lowest price");
    how.rule = Best::highest;
    settlement = co_await me.contract(what, all, how);
    expect_equal(settlement.parts.at(0).price, 5, "the second highest price");
    expect_traced(me);
    how.pricing = Pricing::first_price;
    how.rule = AwardRule("median", [](std::span<const Offer> offers, Items) {
      std::vector<std::uint32_t> order(offers.size());
      for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
      std::sort(order.begin(), order.end(),
                [&](auto a, auto b) { return offers[a].amount < offers[b].amount; });
      return std::vector<std::uint32_t>{order[order.size() / 2]};
    });
    settlement = co_await me.contract(what, all, how);
    expect_equal(settlement.parts.at(0).bidder, std::string("cy"), "by one's own rule");
    expect(retrace(me.records.back(), how.rule).empty(), "its record holds");
  });
}

void without_bidders_bids_or_answers_it_ends_without(Market& market) {
  Skill busy;
  busy.amount.reset();
  market.run({{"ann", busy}, {"bob", silent()}}, [](Boss& me) -> Task<> {
    Contract what = task("dig");
    Settlement settlement = co_await me.contract(what);
    expect(settlement.ended == Ended::no_bids, "nobody has registered");
    settlement = co_await me.contract(what, only("ann"));
    expect(settlement.ended == Ended::no_bids, "all refuse");
    what.bid_within = 100ms;
    Procedure how;
    how.rounds = 2;
    how.back_off = 10ms;
    settlement = co_await me.contract(what, only("ann", "bob"), how);
    expect(settlement.ended == Ended::no_bids, "nobody answers");
    expect_equal(me.records.back().contract.round, 2U, "it was announced twice");
    settlement = co_await me.contract(what, only("nobody/of/that/name"));
    expect(settlement.ended == Ended::no_bids, "there is no such bidder");
    expect_traced(me);
  });
}

void what_is_too_late_or_not_ones_own_is_refused_with_the_reason(Market& market) {
  market.run({{"ann", silent()}, {"bob", offers(5)}, {"cy", offers(9)}}, [](Boss& me) -> Task<> {
    Contract what = task("dig");
    what.id = me.number();
    what.bid_within = some_time;
    const Settlement settlement = co_await me.contract(what, only("ann", "bob"));
    expect_equal(settlement.parts.at(0).bidder, std::string("bob"), "who has won");
    co_await say(me, "bob", "bid", what.id);
    co_await say(me, "cy", "bid", what.id);
    co_await say(me, "cy", "report", what.id);
    co_await say(me, "bob", "report", what.id);
    co_await say(me, "bob", "accept", what.id);
    co_await say(me, "cy", "bid", what.id + 1000);
    const auto refused = [&] { return me.record_of(what.id)->incidents.size(); };
    while (refused() < 6) co_await me.pause(1ms);  // with ann's missing bid
    expect_equal(me.record_of(what.id)->settlement.parts.size(), 1U, "parts, as before");
    // There is not even a last message: the next contract is served after all of these.
    (void)co_await me.contract(task("fill"), only("bob", "cy"));
    expect_traced(me);
  });
  const Diary& diary = market.diary();
  expect(diary.has("bob hears: bid: the contract is over"), diary.all());
  expect(diary.has("cy hears: bid: you were not invited"), diary.all());
  expect(diary.has("cy hears: report: you were not invited"), diary.all());
  expect(diary.has("bob hears: report: the award does not run"), diary.all());
  expect(diary.has("bob hears: acceptance: the award is over"), diary.all());
  expect(diary.has("cy hears: bid: there is no such contract"), diary.all());
}

void a_negative_bid_is_refused_and_another_one_wins(Market& market) {
  market.run({{"ann", offers(-7)}, {"bob", offers(5)}}, [](Boss& me) -> Task<> {
    Contract what = task("dig");
    what.bid_within = some_time;
    const Settlement settlement = co_await me.contract(what, only("ann", "bob"));
    expect_equal(settlement.parts.at(0).bidder, std::string("bob"), "who has won");
    expect_equal(me.records.at(0).incidents.size(), 2U, "incidents: it is wrong, and no answer");
  });
  expect(market.diary().has("ann hears: bid: the amount -7 is negative"), market.diary().all());
}

void an_award_that_was_not_bid_for_is_refused(Market& market) {
  market.run({{"ann", offers(5)}}, [](Boss& me) -> Task<> {
    const Content content = Content::of(Award{77, 1, 1, 1, 5, 5});
    co_await me.send("ann", content);
    const Settlement settlement = co_await me.contract(task("dig"), only("ann"));
    expect(settlement.ended == Ended::fulfilled, "ann goes on");
  });
  expect(market.diary().has("boss hears: ") == false, market.diary().all());
  expect_equal(market.diary().count("ann works on dig"), 1U, "work");
}

void bidders_register_or_are_found_and_must_be_eligible(Market& market) {
  Skill registers = offers(5);
  registers.clients = {"boss"};
  registers.properties.set("bids_on", "transport").set("wheels", 4);
  Skill clumsy = registers;
  clumsy.amount = 9;
  clumsy.properties.set("wheels", 2);
  Skill unwanted = registers;
  unwanted.properties.set("wheels", 0);
  Skill found = offers(7);
  found.properties.set("bids_on", "transport").set("wheels", 6);
  market.run({{"ann", registers}, {"bob", clumsy}, {"cy", unwanted}, {"di", found}},
             [](Boss& me) -> Task<> {
               co_await me.has_registered(3);
               Settlement settlement = co_await me.contract(task("carry"));
               expect_equal(settlement.parts.at(0).bidder, std::string("bob"), "registered");
               Invitation strong;
               strong.eligible = where("wheels") >= 4;
               settlement = co_await me.contract(task("carry"), strong);
               expect_equal(settlement.parts.at(0).bidder, std::string("ann"), "eligible");
               strong.interested = Query(where("bids_on") == "transport");
               for (;;) {  // until the directory knows all bidders
                 settlement = co_await me.contract(task("carry"), strong);
                 if (me.records.back().invited.size() == 2) break;
                 co_await me.pause(1ms);
               }
               expect_equal(settlement.parts.at(0).bidder, std::string("di"), "found");
             });
  expect(market.diary().has("boss refuses cy"), market.diary().all());
}

void terms_can_be_changed_until_somebody_bids(Market& market) {
  Skill picky;
  picky.bids = [](const Contract& contract) -> std::optional<Bid> {
    if (contract.subject != "dig a little") return std::nullopt;
    return Bid::of(contract, 2);
  };
  market.run({{"ann", picky}}, [](Boss& me) -> Task<> {
    me.decides = [&me](Tender& tender) {
      if (tender.award(me.now())) return;
      Contract terms = tender.contract();
      terms.subject += terms.round == 2 ? " a little" : "";
      if (terms.round < 5) tender.announce_again(terms, {}, me.now());
    };
    const Settlement settlement = co_await me.contract(task("dig"), only("ann"));
    expect(settlement.ended == Ended::fulfilled, "at last");
    expect_equal(me.records.at(0).contract.round, 3U, "calls");
    Contract dull = task("fill");
    const Settlement none = co_await me.contract(dull, only("ann"));
    expect(none.ended == Ended::no_bids, "who decides nothing ends it");
    expect_equal(me.records.at(1).contract.round, 5U, "calls");
  });
}

void bundles_go_to_those_who_are_best_together(Market& market) {
  const auto wants = [](Items items, Amount amount) {
    Skill skill;
    skill.capacity = 3;
    skill.bids = [items, amount](const Contract&) { return Bid{0, 0, {{items, amount}}, {}}; };
    return skill;
  };
  market.run({{"ann", wants(0b011, 6)}, {"bob", wants(0b111, 9)}, {"cy", wants(0b100, 4)}},
             [](Boss& me) -> Task<> {
               Contract what = task("build");
               what.items = {"wood", "stone", "roof"};
               const Settlement settlement = co_await me.contract(what, only("ann", "bob", "cy"));
               expect(settlement.ended == Ended::fulfilled, to_string(settlement.ended));
               // The first bidder comes first.
               std::map<std::string, Items> parts;
               for (const auto& part : settlement.parts) parts[part.bidder] = part.items;
               expect_equal(settlement.parts.size(), 2U, "parts");
               expect_equal(parts["ann"], Items(0b011), "wood and stone");
               expect_equal(parts["cy"], Items(0b100), "the roof");
               expect_traced(me);
             });
}

const bool registered_contracts = on_every_ground(
    "contracts", {GROUND_CASE(the_highest_bidder_is_awarded_and_fulfils),
                  GROUND_CASE(the_lowest_and_the_second_price_and_a_rule_of_ones_own),
                  GROUND_CASE(without_bidders_bids_or_answers_it_ends_without),
                  GROUND_CASE(what_is_too_late_or_not_ones_own_is_refused_with_the_reason),
                  GROUND_CASE(a_negative_bid_is_refused_and_another_one_wins),
                  GROUND_CASE(an_award_that_was_not_bid_for_is_refused),
                  GROUND_CASE(bidders_register_or_are_found_and_must_be_eligible),
                  GROUND_CASE(terms_can_be_changed_until_somebody_bids),
                  GROUND_CASE(bundles_go_to_those_who_are_best_together)});

}  // namespace

}  // namespace coracle::caf::test
