// In the simulator: a client cannot know whether an unreachable awardee has ended.
#include "nodes.hpp"
#include "traders.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::caf::test {

namespace {

using coracle::test::Nodes;

// A bidder that works until its engagement ends.
class Patient : public Bidder {
 public:
  explicit Patient(Random& random, Time& until)
      : Bidder(1, Promises::at_award, random), until_(until) {}

 protected:
  std::optional<Bid> bid_for(const Name&, const Contract& contract) override {
    return Bid::of(contract, 9);
  }
  Task<Fulfilment> fulfil(Engagement work) override {
    while (work.holds(now())) {
      until_ = now();
      co_await pause(1ms);
    }
    co_return Fulfilment::failed("too late");
  }

 private:
  Time& until_;
};

// A client, and a bidder on another host that works under a lease of a minute.
struct Apart {
  Apart() : nodes(3) {
    nodes.at(1).adopt("ann", std::make_unique<Patient>(nodes.world().random(), worked_until));
    const Boss::Body body = [this](Boss& me) -> Task<> {
      Contract what = task("dig");
      what.lease = 60s;
      (void)co_await me.contract(what, only("ann"));
      given_up = me.now();
      records = me.records;
    };
    auto boss = std::make_unique<Boss>(body, diary, nodes.world().random());
    nodes.at(0).adopt("boss", std::move(boss));
    nodes.until([&] { return worked_until != Time(); });
    lost = nodes.world().now();
  }
  // The client's waiting time since it lost the awardee.
  Duration waited() {
    nodes.until([&] { return given_up != Time(); }, 300s);
    BOOST_TEST((records.at(0).awards.at(0).state == AwardState::expired));
    return given_up - lost;
  }

  Time worked_until;
  Time lost;
  Time given_up;
  std::vector<ContractRecord> records;
  Diary diary;
  Nodes nodes;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unreachable)

BOOST_AUTO_TEST_CASE(an_awardee_behind_a_cut_cable_is_waited_for_until_it_has_stopped) {
  Apart apart;
  apart.nodes.world().part({1});
  const Duration waited = apart.waited();
  BOOST_TEST((apart.worked_until - apart.lost > 50s));
  BOOST_TEST((apart.given_up > apart.worked_until));
  BOOST_TEST((waited < 70s));
}

// The directory reports after a while that the awardee's lease has ended. That does not prove that
// the awardee is dead.
BOOST_AUTO_TEST_CASE(an_awardee_whose_host_has_died_is_waited_for_as_long) {
  Apart apart;
  apart.nodes.crash(1);
  const Duration waited = apart.waited();
  BOOST_TEST((waited > 50s));
  BOOST_TEST((waited < 70s));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf::test
