// The end of awards whose bidders die, stop, give them back, or have parts done by others.
#include "traders.hpp"

namespace coracle::caf::test {

namespace {

void who_dies_before_it_accepts_is_passed_over(Market& market) {
  Skill dies = offers(9);
  dies.dies_at_award = true;
  market.run({{"ann", dies}, {"bob", offers(5)}}, [](Boss& me) -> Task<> {
    Procedure how;
    how.accept_within = some_time;
    const Settlement settlement = co_await me.contract(task("dig"), only("ann", "bob"), how);
    expect_equal(settlement.parts.at(0).bidder, std::string("bob"), "who does it");
    expect(me.records.at(0).awards.at(0).state == AwardState::lapsed, "ann has not answered");
    expect_traced(me);
  });
}

void who_dies_at_work_loses_the_contract_to_another(Market& market) {
  Skill dies = offers(9);
  dies.dies_at_work = true;
  market.run({{"ann", dies}, {"bob", offers(5)}}, [](Boss& me) -> Task<> {
    Contract what = task("dig");
    what.lease = some_time;
    Procedure how;
    how.keep_bids = true;
    const Settlement settlement = co_await me.contract(what, only("ann", "bob"), how);
    expect_equal(settlement.parts.at(0).bidder, std::string("bob"), "who does it");
    expect(me.records.at(0).awards.at(0).state == AwardState::gone, "ann has ended");
    expect_traced(me);
  });
  expect_equal(market.diary().count("ann works on dig"), 1U, "ann had begun");
}

void interim_reports_reach_the_client_and_leases_go_on(Market& market) {
  Skill slow = offers(5);
  slow.does = [](Worker& me, Engagement work) -> Task<Fulfilment> {
    for (int part = 1; part <= 12; ++part) {
      co_await me.pause(some_time / 8);
      expect(co_await me.report(work, std::to_string(part) + " of 12"), "it holds");
    }
    co_return Fulfilment{true, "slowly"};
  };
  market.run({{"ann", slow}}, [](Boss& me) -> Task<> {
    Contract what = task("dig");
    what.lease = some_time;
    const Settlement settlement = co_await me.contract(what, only("ann"));
    expect(settlement.ended == Ended::fulfilled, "longer than a lease");
    expect_equal(me.records.at(0).progress.size(), 12U, "interim reports");
  });
  expect_equal(market.diary().count("ann reports: 3 of 12"), 1U, "told");
}

void when_the_client_dies_its_awardee_stops(Market& market) {
  Skill patient = offers(5);
  patient.does = [](Worker& me, Engagement work) -> Task<Fulfilment> {
    const Content die("die");
    co_await me.send(work.client(), die);
    while (work.holds(me.now())) co_await me.pause(10ms);
    me.note("stops");
    const Content over("over");
    co_await me.send("boss", over);
    co_return Fulfilment{true, "in vain"};
  };
  market.run({{"ann", patient}, {"chief", Skill()}}, [](Boss& me) -> Task<> {
    // The worker that receives the order to die is the client here.
    const Content order("announce");
    co_await me.send("chief", order);
    co_await me.has_received("ann");
  });
  const Diary& diary = market.diary();
  expect_equal(diary.count("ann stops"), 1U, diary.all());
  expect(diary.has("ann loses"), diary.all());
}

void a_contract_can_be_cancelled_and_the_awardee_is_paid_for_it(Market& market) {
  Skill patient = offers(5);
  patient.does = [](Worker& me, Engagement work) -> Task<Fulfilment> {
    (void)co_await me.report(work, "begun");
    while (work.holds(me.now())) co_await me.pause(10ms);
    co_return Fulfilment{true, "in vain"};
  };
  market.run({{"ann", patient}}, [](Boss& me) -> Task<> {
    Contract what = task("dig");
    what.id = me.number();
    what.client_penalty = {3, 0};
    const ContractId id = what.id;
    me.spawn([](Boss& boss, ContractId which) -> Task<> {
      for (;;) {
        const ContractRecord* record = boss.record_of(which);
        if (record != nullptr && !record->progress.empty()) break;
        co_await boss.pause(1ms);
      }
      expect(boss.cancel(which, "not needed"), "it goes on until now");
      expect(!boss.cancel(which, "not needed"), "it is over");
    }(me, id));
    const Settlement settlement = co_await me.contract(what, only("ann"));
    expect(settlement.ended == Ended::cancelled, to_string(settlement.ended));
    expect_equal(settlement.client_owes, 3, "the penalty");
    // The next contract is served after ann has stopped.
    const Settlement next = co_await me.contract(task("fill"), only("nobody/else"));
    expect(next.ended == Ended::no_bids, "nobody");
    expect_traced(me);
  });
}

void an_awardee_can_give_it_back_and_pays_for_it(Market& market) {
  Skill fickle = offers(9);
  fickle.does = [](Worker& me, Engagement work) -> Task<Fulfilment> {
    co_await me.withdraw(work, "something better");
    expect(!work.holds(me.now()), "it is given back");
    co_return Fulfilment{true, "in vain"};
  };
  market.run({{"ann", fickle}, {"bob", offers(5)}}, [](Boss& me) -> Task<> {
    Contract what = task("dig");
    what.bidder_penalty = {4, 0};
    Procedure how;
    how.keep_bids = true;
    const Settlement settlement = co_await me.contract(what, only("ann", "bob"), how);
    expect_equal(settlement.parts.at(0).bidder, std::string("bob"), "who does it");
    expect_equal(settlement.bidders_owe, 4, "the penalty");
    expect_traced(me);
  });
  expect(market.diary().has("ann is settled: price 0, penalty 4"), market.diary().all());
}

// Delegates a part of the work to the next bidder.
Skill delegates(const char* to) {
  Skill skill = offers(5);
  const std::string next = to;
  skill.does = [next](Worker& me, Engagement work) -> Task<Fulfilment> {
    Contract part;
    part.subject = work.contract().subject + "/part";
    const Settlement settlement = co_await me.contract(part, only(next), Procedure(), work);
    if (settlement.ended != Ended::fulfilled) co_return Fulfilment::failed("nobody did my part");
    co_return Fulfilment{true, me.name().str() + " and " + settlement.parts.at(0).result};
  };
  return skill;
}

void parts_of_parts_are_done_by_others(Market& market) {
  market.run({{"ann", delegates("bob")}, {"bob", delegates("cy")}, {"cy", offers(1)}},
             [](Boss& me) -> Task<> {
               const Settlement settlement = co_await me.contract(task("dig"), only("ann"));
               expect_equal(settlement.parts.at(0).result, std::string("ann and bob and cy did it"),
                            "three of them");
             });
  expect_equal(market.diary().count("cy works on dig/part/part"), 1U, "the innermost part");
}

void nobody_takes_a_part_of_its_own_contract(Market& market) {
  market.run({{"ann", delegates("bob")}, {"bob", delegates("ann")}}, [](Boss& me) -> Task<> {
    const Settlement settlement = co_await me.contract(task("dig"), only("ann"));
    expect(settlement.ended == Ended::failed, "the failure comes up from below");
    expect_equal(me.records.at(0).awards.at(0).text, std::string("nobody did my part"), "why");
  });
}

void with_a_contract_its_parts_end(Market& market) {
  Skill patient = offers(5);
  patient.does = [](Worker& me, Engagement work) -> Task<Fulfilment> {
    const Content begun("begun");
    co_await me.send("boss", begun);
    while (work.holds(me.now())) co_await me.pause(10ms);
    const Content over("over");
    co_await me.send("boss", over);
    co_return Fulfilment{true, "in vain"};
  };
  market.run({{"ann", delegates("bob")}, {"bob", delegates("cy")}, {"cy", patient}},
             [](Boss& me) -> Task<> {
               Contract what = task("dig");
               what.id = me.number();
               const ContractId id = what.id;
               me.spawn([](Boss& boss, ContractId which) -> Task<> {
                 co_await boss.has_received("cy");
                 boss.cancel(which, "not needed");
               }(me, id));
               const Settlement settlement = co_await me.contract(what, only("ann"));
               expect(settlement.ended == Ended::cancelled, to_string(settlement.ended));
               co_await me.has_received("cy", 2);
             });
  const Diary& diary = market.diary();
  expect(diary.has("cy loses dig/part/part: the contract that it is part of has ended"),
         diary.all());
}

void many_contracts_at_once_are_never_too_many_for_a_bidder(Market& market) {
  std::vector<std::pair<std::string, Skill>> workers;
  std::vector<Name> names;
  for (int i = 0; i < 5; ++i) {
    Skill skill = offers(i);
    skill.capacity = 3;
    skill.promises = i % 2 == 0 ? Promises::at_award : Promises::at_bid;
    skill.does = [](Worker& me, Engagement) -> Task<Fulfilment> {
      expect(me.commitments().taken() <= 3, "promises");
      co_await me.pause(2ms);
      co_return Fulfilment{true, "done"};
    };
    names.push_back("worker/" + std::to_string(i));
    workers.emplace_back("worker/" + std::to_string(i), skill);
  }
  market.run(std::move(workers), [names](Boss& me) -> Task<> {
    int over = 0;
    int fulfilled = 0;
    constexpr int count = 40;
    for (int i = 0; i < count; ++i) {
      me.spawn([](Boss& boss, std::vector<Name> all, int& ended, int& done) -> Task<> {
        Procedure how;
        how.rounds = 10'000;
        how.back_off = 1ms;
        const Contract what = task("dig");
        Invitation invitation;
        invitation.bidders = std::move(all);
        const Settlement settlement = co_await boss.contract(what, invitation, how);
        done += settlement.ended == Ended::fulfilled ? 1 : 0;
        ++ended;
      }(me, names, over, fulfilled));
    }
    while (over < count) co_await me.pause(1ms);
    expect_equal(fulfilled, count, "contracts fulfilled");
    expect_traced(me);
  });
}

const bool registered_work = on_every_ground(
    "work", {GROUND_CASE(who_dies_before_it_accepts_is_passed_over),
             GROUND_CASE(who_dies_at_work_loses_the_contract_to_another),
             GROUND_CASE(interim_reports_reach_the_client_and_leases_go_on),
             GROUND_CASE(when_the_client_dies_its_awardee_stops),
             GROUND_CASE(a_contract_can_be_cancelled_and_the_awardee_is_paid_for_it),
             GROUND_CASE(an_awardee_can_give_it_back_and_pays_for_it),
             GROUND_CASE(parts_of_parts_are_done_by_others),
             GROUND_CASE(nobody_takes_a_part_of_its_own_contract),
             GROUND_CASE(with_a_contract_its_parts_end),
             GROUND_CASE(many_contracts_at_once_are_never_too_many_for_a_bidder)});

}  // namespace

}  // namespace coracle::caf::test
