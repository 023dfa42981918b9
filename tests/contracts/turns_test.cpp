// In the simulator: the handlers of one agent run one after another, in the order of their
// messages.
#include "slowness.hpp"

#include "coracle/caf/peer.hpp"

namespace coracle::caf::test {

namespace {

using coracle::test::Crash;

// Notes when each of its handlers begins and ends.
class Orderly : public Bidder {
 public:
  Orderly(Random& random, Diary& diary, Duration takes)
      : Bidder(10, Promises::at_award, random), diary_(diary), takes_(takes) {}

 protected:
  Task<std::optional<Bid>> consider(const Name&, const Contract& contract) override {
    diary_.note("considers " + contract.subject);
    co_await pause(takes_);
    diary_.note("has considered " + contract.subject);
    co_return Bid::of(contract, 1);
  }
  Task<> on_other(const Message& message) override {
    const std::string text(message.text());
    diary_.note("reads " + text);
    if (text == "retire") retire();
    if (text == "crash") throw Crash("it was told to");
    co_await pause(takes_);
    diary_.note("has read " + text);
  }
  void on_rejection(const Name&, ContractId, const std::string& reason) override {
    diary_.note("has lost: " + reason);
  }
  Task<Fulfilment> fulfil(Engagement) override { co_return Fulfilment(); }

 private:
  Diary& diary_;
  Duration takes_;
};

struct InTurn : Slow {
  explicit InTurn(Duration takes) : Slow(2) {
    nodes.at(1).adopt("ann", std::make_unique<Orderly>(nodes.world().random(), diary, takes));
  }
};

// A call to "ann", as any agent could send it.
Content call_of(ContractId id, Duration bid_within) {
  Contract what = task("call " + std::to_string(id));
  what.id = id;
  what.bid_within = bid_within;
  return Content::of(std::move(what));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(turns)

BOOST_AUTO_TEST_CASE(handlers_of_an_agent_come_one_after_another_in_the_order_of_messages) {
  InTurn play(1s);
  play.nodes.start(0, "main", [&](Agent& me) -> Task<> {
    const Content first = call_of(1, 20s);
    const Content text("that");
    const Content second = call_of(2, 20s);
    const Content over = Content::of(Rejection{1, 1, "enough"});
    co_await me.send("ann", first);
    co_await me.send("ann", text);
    co_await me.send("ann", second);
    co_await me.pause(1500ms);
    co_await me.send("ann", over);
    co_await me.pause(4s);
    play.is_over = true;
  });
  play.nodes.until([&] { return play.is_over; });
  BOOST_TEST(play.diary.all() ==
             "considers call 1\nhas considered call 1\nreads that\nhas read that\n"
             "considers call 2\nhas considered call 2\nhas lost: enough\n");
}

BOOST_AUTO_TEST_CASE(a_call_whose_time_is_over_is_not_considered_and_both_sides_are_told) {
  InTurn play(4s);
  play.play([&play](Boss& me) -> Task<> {
    Contract brief = task("brief");
    brief.bid_within = 6s;
    play.announce(me, patient("first"), only("ann"));
    co_await me.pause(10ms);
    play.announce(me, patient("second"), only("ann"));
    co_await me.pause(10ms);
    play.announce(me, brief, only("ann"));
    co_await play.all_settled(me);
    co_await me.pause(10s);
  });
  play.expect_fulfilled("first");
  play.expect_fulfilled("second");
  const ContractRecord& brief = play.record_of("brief");
  BOOST_TEST((brief.settlement.ended == Ended::no_bids));
  BOOST_TEST(brief.bids.empty());
  BOOST_TEST_REQUIRE(brief.incidents.size() == 1U);
  BOOST_TEST(brief.incidents[0].reason == "it has not answered call 1 in time");
  BOOST_TEST(!play.diary.has("considers brief"), play.diary.all());
  BOOST_TEST(play.diary.has("has lost: it was not considered in time"), play.diary.all());
}

BOOST_AUTO_TEST_CASE(a_call_that_is_over_while_it_is_considered_gets_no_bid) {
  InTurn play(4s);
  std::size_t bids = 0;
  play.nodes.start(0, "main", [&](Agent& me) -> Task<> {
    const Content call = call_of(1, 20s);
    const Content over = Content::of(Rejection{1, 1, "cancelled"});
    co_await me.send("ann", call);
    co_await me.pause(1s);
    co_await me.send("ann", over);
    co_await me.pause(10s);
    bids = me.pending(of_type(std::string(Bid::content_type)));
    play.is_over = true;
  });
  play.nodes.until([&] { return play.is_over; });
  BOOST_TEST(bids == 0U);
  BOOST_TEST(play.diary.all() == "considers call 1\nhas considered call 1\nhas lost: cancelled\n");
}

BOOST_AUTO_TEST_CASE(who_retires_finishes_what_it_has_read_and_leaves_the_rest) {
  InTurn play(1s);
  play.nodes.start(0, "main", [&](Agent& me) -> Task<> {
    const char* const texts[] = {"this", "retire", "that"};
    for (const char* each : texts) {
      const Content text(each);
      co_await me.send("ann", text);
    }
    const Ending ending = co_await me.watch("ann");
    expect(ending.reason == EndReason::stopped, to_string(ending.reason));
    play.is_over = true;
  });
  play.nodes.until([&] { return play.is_over; });
  BOOST_TEST(play.diary.all() ==
             "reads this\nhas read this\nreads retire\nhas read retire\n");
}

BOOST_AUTO_TEST_CASE(an_exception_of_a_handler_ends_its_agent_and_what_it_had_read_is_read_again) {
  InTurn play(1s);
  std::vector<std::string> left;
  play.nodes.start(0, "main", [&](Agent& me) -> Task<> {
    const char* const texts[] = {"this", "crash", "that"};
    for (const char* each : texts) {
      const Content text(each);
      co_await me.send("ann", text);
    }
    const Ending ending = co_await me.watch("ann");
    expect(ending.reason == EndReason::crashed, to_string(ending.reason));
    expect_equal(ending.text, std::string("it was told to"), "why");
    const coracle::test::Body reader = [&left](Agent& next) -> Task<> {
      for (;;) {
        const Message message = co_await next.receive();
        left.emplace_back(message.text());
      }
    };
    co_await coracle::test::start(me, "ann", reader);
    co_await me.pause(1s);
    play.is_over = true;
  });
  play.nodes.until([&] { return play.is_over; });
  BOOST_TEST(left == (std::vector<std::string>{"crash", "that"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(messages_that_wait_for_a_handler_fill_the_mailbox_and_no_more) {
  InTurn play(3600s);
  std::size_t accepted = 0;
  play.nodes.start(0, "main", [&](Agent& me) -> Task<> {
    for (int i = 0; i < 3000; ++i) {
      const Content text("wait");
      auto sending = me.send_result("ann", text);
      sending.patience(100ms);
      const Result<void> sent = co_await sending;
      if (!sent) break;
      ++accepted;
    }
    play.is_over = true;
  });
  play.nodes.until([&] { return play.is_over; });
  BOOST_TEST(accepted > 64U);
  BOOST_TEST(accepted < 2000U);
}

BOOST_AUTO_TEST_CASE(a_bidder_may_ask_others_by_a_contract_before_it_bids) {
  Slow play(2);
  play.hire(2, "bob", offers(5));
  Skill skill = offers(5);
  skill.considers = [](Worker& me) -> Task<> {
    Contract part = task("part");
    const Settlement settlement = co_await me.contract(part, only("bob"));
    expect(settlement.ended == Ended::fulfilled, "the part is done");
  };
  play.hire(1, "ann", skill);
  play.play([&play](Boss& me) -> Task<> {
    play.announce(me, patient("whole"), only("ann"));
    co_await play.all_settled(me);
  });
  play.expect_fulfilled("whole");
}

BOOST_AUTO_TEST_CASE(a_peer_beside_a_bidder_answers_when_its_turn_comes) {
  class Citizen : public Bidder, public Peer {
   public:
    explicit Citizen(Random& random) : Bidder(1, Promises::at_award, random), Peer(random) {}
    Task<> run() override { return Bidder::run(); }

   protected:
    Task<std::optional<Bid>> consider(const Name&, const Contract& contract) override {
      co_await pause(3s);
      co_return Bid::of(contract, 1);
    }
    Task<Ballot> consider_agenda(const Agenda&) override {
      co_await pause(3s);
      co_return choose(0);
    }
    Task<> on_other(const Message& message) override {
      const bool is_councils = co_await attend(message);
      if (!is_councils) co_await Bidder::on_other(message);
    }
    Task<Fulfilment> fulfil(Engagement) override { co_return Fulfilment(); }
  };
  InTurn play(1s);
  play.nodes.at(2).adopt("cy", std::make_unique<Citizen>(play.nodes.world().random()));
  Time voted;
  play.nodes.start(0, "main", [&](Agent& me) -> Task<> {
    const Content call = call_of(1, 20s);
    Agenda agenda;
    agenda.id = 1;
    agenda.alternatives = {"yes"};
    agenda.within = 20s;
    const Content question = Content::of(std::move(agenda));
    co_await me.send("cy", call);
    co_await me.send("cy", question);
    (void)co_await me.receive(of_type(std::string(Bid::content_type)));
    (void)co_await me.receive(of_type(std::string(Vote::content_type)));
    voted = me.now();
    play.is_over = true;
  });
  const Time begun = play.nodes.world().now();
  play.nodes.until([&] { return play.is_over; });
  BOOST_TEST(((voted - begun) >= Duration(6s)));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf::test
