// A client that knows that a bidder has ended goes on at once.
#include "traders.hpp"

namespace coracle::caf::test {

namespace {

// No test waits that long.
constexpr Duration long_time = std::chrono::hours(1);

// In virtual time, any wait would show in the clock.
void expect_at_once(const Market& market, Time since, Time present) {
  if (market.in_virtual_time()) expect(present - since < 500ms, "no time is lost");
}

void an_awardee_that_crashes_at_work_is_not_waited_for(Market& market) {
  Skill dies = offers(9);
  dies.dies_at_work = true;
  market.run({{"ann", dies}, {"bob", offers(5)}}, [&market](Boss& me) -> Task<> {
    Contract what = task("dig");
    what.lease = long_time;
    Procedure how;
    how.keep_bids = true;
    const Time begun = me.now();
    const Settlement settlement = co_await me.contract(what, only("ann", "bob"), how);
    expect_at_once(market, begun, me.now());
    expect_equal(settlement.parts.at(0).bidder, std::string("bob"), "who does it");
    const MadeAward& first = me.records.at(0).awards.at(0);
    expect(first.state == AwardState::gone, to_string(first.state));
    expect_equal(first.text, std::string("its agent has ended: crashed: a bidder dies at work"),
                 "why");
    expect_traced(me);
  });
  expect_equal(market.diary().count("ann works on dig"), 1U, "ann had begun");
}

void one_that_ends_before_it_accepts_is_not_waited_for(Market& market) {
  Skill dies = offers(9);
  dies.dies_at_award = true;
  market.run({{"ann", dies}, {"bob", offers(5)}}, [&market](Boss& me) -> Task<> {
    Procedure how;
    how.accept_within = long_time;
    const Time begun = me.now();
    const Settlement settlement = co_await me.contract(task("dig"), only("ann", "bob"), how);
    expect_at_once(market, begun, me.now());
    expect_equal(settlement.parts.at(0).bidder, std::string("bob"), "who does it");
    expect(me.records.at(0).awards.at(0).state == AwardState::lapsed, "ann has not answered");
    expect_traced(me);
  });
}

void nor_is_one_that_had_ended_when_it_won(Market& market) {
  Skill late = offers(5);
  late.considers = [](Worker& me) -> Task<> {
    // The bidder bids when ann has her call and has ended.
    while (!me.diary().has("ann hears of dig")) co_await me.pause(1ms);
    const Content order("retire");
    co_await me.send("ann", order);
    Task<Ending> ending = me.watch("ann");
    (void)co_await coracle::test::error_of(std::move(ending));
  };
  market.run({{"ann", offers(9)}, {"bob", late}}, [&market](Boss& me) -> Task<> {
    Contract what = task("dig");
    what.bid_within = long_time;
    what.bid_holds = 2 * long_time;
    Procedure how;
    how.accept_within = long_time;
    const Time begun = me.now();
    const Settlement settlement = co_await me.contract(what, only("ann", "bob"), how);
    expect_at_once(market, begun, me.now());
    expect_equal(settlement.parts.at(0).bidder, std::string("bob"), "who does it");
    expect_traced(me);
  });
}

const bool registered_endings =
    on_every_ground("endings", {GROUND_CASE(an_awardee_that_crashes_at_work_is_not_waited_for),
                                GROUND_CASE(one_that_ends_before_it_accepts_is_not_waited_for),
                                GROUND_CASE(nor_is_one_that_had_ended_when_it_won)});

}  // namespace

}  // namespace coracle::caf::test
