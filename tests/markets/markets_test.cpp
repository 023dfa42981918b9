// The behaviour of markets, on every realization.
#include "fair.hpp"

#include <cmath>

namespace coracle::caf::test {

namespace {

// They spend half of their money on each good: of 6 apples and 3 pears, pears cost twice as much.
Visitor ann() {
  Visitor visitor;
  visitor.name = "ann";
  visitor.has = {{"apples", 6}};
  return visitor;
}

Visitor bob() {
  Visitor visitor;
  visitor.name = "bob";
  visitor.has = {{"pears", 3}};
  return visitor;
}

// A visitor whose presence changes the balance.
Visitor cy() {
  Visitor visitor;
  visitor.name = "cy";
  visitor.likes.shares["apples"] = 9;
  visitor.has = {{"pears", 30}};
  return visitor;
}

// Short enough for a trader that never bids, long enough for a busy one.
MarketTerms quick_terms() {
  MarketTerms terms;
  terms.bid_within = 1500ms;
  terms.clear_within = 5s;
  return terms;
}

void expect_simple(const MarketResult& result) {
  expect(result.converged, result.why);
  expect_near(result.prices.price_of("apples").value(), 1, "the price of apples");
  expect_near(result.prices.price_of("pears").value(), 2, "the price of pears");
  expect_near(result.quantity("ann", "apples"), -3, "what ann gives");
  expect_near(result.quantity("ann", "pears"), 1.5, "what ann gets");
  expect_near(result.quantity("bob", "pears"), -1.5, "what bob gives");
}

void prices_balance_what_all_want_with_what_there_is(Fair& fair) {
  fair.run({}, {ann(), bob()}, [](Agent& me) -> Task<> {
    const MarketResult result = co_await hold_trade(me, "market");
    expect_simple(result);
    const MarketRecord record = co_await traced_record(me, result.id);
    expect_equal(record.market, std::string("market"), "whose record it is");
    expect_equal(record.rounds.size(), std::size_t{result.rounds}, "rounds");
    expect_equal(record.incidents.size(), 0U, "incidents");
  });
  expect_equal(fair.refusals().size(), 0U, "refusals");
}

void who_has_traded_once_has_nothing_more_to_trade(Fair& fair) {
  fair.run({}, {ann(), bob()}, [](Agent& me) -> Task<> {
    const MarketResult first = co_await hold_trade(me, "market");
    expect_simple(first);
    std::vector<double> begin = {1, 5};
    const MarketResult second = co_await hold_trade(me, "market", begin);
    expect(second.converged, second.why);
    expect(second.id != first.id, "another trade has another number");
    expect_near(second.prices.price_of("pears").value(), 2, "the price of pears");
    expect_near(second.quantity("ann", "pears"), 0, "what ann gets");
  });
}

void producers_make_what_is_worth_it(Fair& fair) {
  const Technology bakery = {"bread", {{"work", 0.5}}, 3};
  Visitor robinson;
  robinson.name = "robinson";
  robinson.likes = {{{"bread", 0.6}, {"work", 0.4}}, 1};
  robinson.has = {{"work", 24}};
  robinson.holdings = {{bakery, 1}};
  fair.run({}, {good("work"), good("bread")}, {robinson}, {{"bakery", bakery}},
           [](Agent& me) -> Task<> {
             const MarketResult result = co_await hold_trade(me, "market");
             expect(result.converged, result.why);
             const double work = 0.3 * 24 / 0.7;
             expect_near(result.quantity("bakery", "work"), work, "work");
             expect_near(result.quantity("robinson", "bread"), 3 * std::sqrt(work), "bread");
             (void)co_await traced_record(me, result.id);
           });
}

void who_falls_silent_or_dies_is_left_out(Fair& fair) {
  Visitor silent = cy();
  silent.silent_from = 2;
  Visitor dying = cy();
  dying.name = "di";
  dying.dies_at = 1;
  fair.run(quick_terms(), {ann(), bob(), silent, dying}, [](Agent& me) -> Task<> {
    const MarketResult result = co_await hold_trade(me, "market");
    expect_simple(result);
    expect_near(result.quantity("cy", "pears"), 0, "what cy gets");
    const MarketRecord record = co_await traced_record(me, result.id);
    expect_equal(record.incidents.size(), 2U, "incidents");
    expect_equal(record.incidents.at(0).who, std::string("di"), "who was silent first");
  });
}

void an_auctioneer_that_is_not_there_ends_it(Fair& fair) {
  MarketTerms terms;
  terms.bid_within = 20ms;
  terms.clear_within = 50ms;
  Good pears = good("pears");
  pears.auctioneer = "nobody";
  fair.run(terms, {good("apples"), pears}, {ann(), bob()}, {}, [](Agent& me) -> Task<> {
    const MarketResult result = co_await hold_trade(me, "market");
    expect(!result.converged, "without pears");
    expect_equal(result.quantities.size(), 0U, "nobody trades");
    (void)co_await traced_record(me, result.id);
  });
}

void what_does_not_converge_ends_without_a_trade(Fair& fair) {
  MarketTerms terms;
  terms.rounds = 5;
  terms.pace = 0.01;
  fair.run(terms, {ann(), bob()}, [](Agent& me) -> Task<> {
    const MarketResult result = co_await hold_trade(me, "market");
    expect(!result.converged, "that was too few rounds");
    expect_equal(result.rounds, 5U, "rounds");
    expect_equal(result.quantities.size(), 0U, "nobody trades");
    (void)co_await traced_record(me, result.id);
  });
}

void a_bid_that_cannot_be_taken_is_refused_with_the_reason(Fair& fair) {
  Visitor wrong = cy();
  wrong.bids = [](const Quote&) {
    Curve curve;
    curve.endowment = -1;
    return curve;
  };
  fair.run(quick_terms(), {ann(), bob(), wrong}, [&fair](Agent& me) -> Task<> {
    const MarketResult result = co_await hold_trade(me, "market");
    expect_simple(result);
    const MarketRecord record = co_await traced_record(me, result.id);
    expect_equal(record.incidents.size(), 3U, "two bids, and then nothing");
    while (fair.refusals().size() < 2) co_await me.pause(1ms);
  });
  expect(fair.refusals().has("cy: bid: an elasticity, money or endowment"), "the reason");
}

void strangers_are_refused_and_recorded(Fair& fair) {
  Visitor slow = cy();
  slow.silent_from = 1;
  fair.run(quick_terms(), {ann(), bob(), slow}, [](Agent& me) -> Task<> {
    // The request for clearing comes directly afterwards, while the market waits for cy.
    const Content request = Content::of(TradeRequest());
    co_await me.send("market", request);
    Clearing clearing;
    clearing.round = 1;
    clearing.good = "pears";
    const Content wrong = Content::of(std::move(clearing));
    co_await me.send("market", wrong);
    Message answer = co_await me.receive(of_type(std::string(Refusal::content_type)));
    expect_equal(answer.as<Refusal>().reason,
                 std::string("you do not have the auction of that good"), "the reason");
    const Content bid = Content::of(CurveBid{1, 1, "pears", {}});
    co_await me.send("auction/pears", bid);
    answer = co_await me.receive(of_type(std::string(Refusal::content_type)));
    expect_equal(answer.as<Refusal>().reason, std::string("there is no such trade, or it is over"),
                 "the reason");
    const MarketResult result = co_await hold_trade(me, "market");
    (void)co_await traced_record(me, result.id);
    const MarketRecord record = co_await traced_record(me, result.id - 1);
    expect_equal(record.incidents.at(0).who, std::string("main"), "who is recorded");
    expect_equal(record.incidents.at(0).what, std::string("clearing"), "what is recorded");
  });
}

void calls_and_requests_that_mean_nothing_are_refused(Fair& fair) {
  fair.run({}, {ann(), bob()}, [](Agent& me) -> Task<> {
    for (const std::vector<double>& each :
         {std::vector<double>{1}, std::vector<double>{1, 0}, std::vector<double>{1, NAN}}) {
      const Content request = Content::of(TradeRequest{each});
      const Result<Message> answer = co_await me.ask_result("market", request);
      expect_error(answer, Errc::refused, "such prices");
    }
    AuctionCall call;
    call.good = "pears";
    call.traders = {"ann", ""};
    call.within = 1s;
    for (int fault = 0; fault < 3; ++fault) {
      if (fault == 1) call.prices = {{"pears"}, {1}};
      if (fault == 2) call.traders = {}, call.prices.prices = {-1};
      const Content content = Content::of(AuctionCall(call));
      co_await me.send("auction/pears", content);
      const Message answer = co_await me.receive(of_type(std::string(Refusal::content_type)));
      expect_equal(answer.as<Refusal>().what, std::string("call"), "what is refused");
    }
    const Content request("what is this?");
    const char* all[] = {"market", "auction/pears"};
    for (const char* each : all) {
      const Result<Message> answer = co_await me.ask_result(each, request);
      expect_error(answer, Errc::refused, each);
    }
    const Content record = Content::of(MarketRecordRequest{1});
    const Result<Message> none = co_await me.ask_result("market", record);
    expect_error(none, Errc::refused, "no such record");
    const MarketResult result = co_await hold_trade(me, "market");
    expect_simple(result);
  });
}

void requests_wait_for_their_turn(Fair& fair) {
  fair.run({}, {ann(), bob()}, [](Agent& me) -> Task<> {
    for (int i = 0; i < 5; ++i) {
      co_await coracle::test::start(me, "asker/" + std::to_string(i), [](Agent& asker) -> Task<> {
        const MarketResult result = co_await hold_trade(asker, "market");
        expect(result.converged, result.why);
        expect_near(result.prices.price_of("pears").value(), 2, "the price of pears");
        co_await asker.send("main", "done");
      });
    }
    for (int i = 0; i < 5; ++i) co_await me.receive(from("asker/" + std::to_string(i)));
  });
}

[[maybe_unused]] const bool registered =
    on_every_ground("markets", {GROUND_CASE(prices_balance_what_all_want_with_what_there_is),
                                GROUND_CASE(who_has_traded_once_has_nothing_more_to_trade),
                                GROUND_CASE(producers_make_what_is_worth_it),
                                GROUND_CASE(who_falls_silent_or_dies_is_left_out),
                                GROUND_CASE(an_auctioneer_that_is_not_there_ends_it),
                                GROUND_CASE(what_does_not_converge_ends_without_a_trade),
                                GROUND_CASE(a_bid_that_cannot_be_taken_is_refused_with_the_reason),
                                GROUND_CASE(strangers_are_refused_and_recorded),
                                GROUND_CASE(calls_and_requests_that_mean_nothing_are_refused),
                                GROUND_CASE(requests_wait_for_their_turn)});

}  // namespace

}  // namespace coracle::caf::test
