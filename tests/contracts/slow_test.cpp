// In the simulator: handlers that take their time. The leases, deadlines and other conversations of
// their agent go on meanwhile.
#include "sage.hpp"
#include "slowness.hpp"

namespace coracle::caf::test {

namespace {

// An agent that is both client and bidder.
class Both : public Client, public Bidder {
 public:
  Both(Random& random, Duration considers, std::string& ended)
      : Client(random), Bidder(1, Promises::at_award, random), takes_(considers), ended_(ended) {}

 protected:
  Task<> act() override {
    co_await pause(100ms);
    const Contract what = task("mine");
    const Invitation whom = only("ann");
    const Settlement settlement = co_await contract(what, whom);
    ended_ = to_string(settlement.ended);
  }
  Task<std::optional<Bid>> consider(const Name&, const Contract& contract) override {
    co_await pause(takes_);
    co_return Bid::of(contract, 1);
  }
  Task<Fulfilment> fulfil(Engagement) override { co_return Fulfilment(); }

 private:
  Duration takes_;
  std::string& ended_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(slow)

BOOST_AUTO_TEST_CASE(an_engagement_goes_on_while_other_calls_are_considered) {
  Slow play(1);
  Skill skill = considers_for(4s);
  skill.capacity = 10;
  skill.does = [](Worker& me, Engagement work) -> Task<Fulfilment> {
    if (work.contract().subject == "long") co_await me.pause(40s);
    co_return Fulfilment();
  };
  play.hire(1, "ann", skill);
  play.play([&play](Boss& me) -> Task<> {
    const Invitation ann = only("ann");
    play.announce(me, patient("long"), ann);
    co_await me.pause(5s);  // it has begun
    for (const char* each : {"first", "second", "third"}) play.announce(me, patient(each), ann);
    co_await play.all_settled(me);
  });
  for (const char* each : {"long", "first", "second", "third"}) play.expect_fulfilled(each);
  BOOST_TEST(!play.diary.has("ann loses"), play.diary.all());
}

BOOST_AUTO_TEST_CASE(a_client_reads_its_bids_while_it_considers_a_call_of_others) {
  Slow play(2);
  std::string ended;
  play.hire(1, "ann", offers(5));
  Random& random = play.nodes.world().random();
  play.nodes.at(2).adopt("chief", std::make_unique<Both>(random, 6s, ended));
  play.play([&play](Boss& me) -> Task<> {
    play.announce(me, patient("other"), only("chief"));
    co_await play.all_settled(me);
  });
  BOOST_TEST(ended == "fulfilled");
  play.expect_fulfilled("other");
}

BOOST_AUTO_TEST_CASE(an_engagement_goes_on_while_another_message_is_dealt_with) {
  class Absorbed : public Bidder {
   public:
    explicit Absorbed(Random& random) : Bidder(1, Promises::at_award, random) {}

   protected:
    std::optional<Bid> bid_for(const Name&, const Contract& contract) override {
      return Bid::of(contract, 1);
    }
    Task<Fulfilment> fulfil(Engagement) override {
      co_await pause(40s);
      co_return Fulfilment();
    }
    Task<> on_other(const Message&) override { co_await pause(15s); }
  };
  Slow play(1);
  play.nodes.at(1).adopt("ann", std::make_unique<Absorbed>(play.nodes.world().random()));
  play.play([&play](Boss& me) -> Task<> {
    play.announce(me, task("long"), only("ann"));
    co_await me.pause(1s);
    const Content text("look at this");
    co_await me.send("ann", text);
    co_await play.all_settled(me);
  });
  play.expect_fulfilled("long");
}

// Sends a message to "sage" to ask for its price, and reads the answer itself.
class Advised : public Bidder {
 public:
  explicit Advised(Random& random) : Bidder(1, Promises::at_award, random) {}

 protected:
  Task<std::optional<Bid>> consider(const Name&, const Contract& contract) override {
    const std::string advice = co_await coracle::test::advice_for(*this);
    co_return Bid::of(contract, advice == "five" ? 5 : 100);
  }
  Task<Fulfilment> fulfil(Engagement) override { co_return Fulfilment(); }
};

BOOST_AUTO_TEST_CASE(a_handler_receives_the_message_that_it_waits_for) {
  Slow play(2);
  play.nodes.at(1).adopt("ann", std::make_unique<Advised>(play.nodes.world().random()));
  coracle::test::start_sage(play.nodes, 2, "five");
  play.play([&play](Boss& me) -> Task<> {
    play.announce(me, patient("advised"), only("ann"));
    co_await play.all_settled(me);
  });
  play.expect_fulfilled("advised");
  BOOST_TEST(play.record_of("advised").bids.at(0).offerings.at(0).amount == 5);
}

BOOST_AUTO_TEST_CASE(news_stay_in_the_mailbox_while_many_handlers_wait) {
  Slow play(1);
  play.hire(1, "ann", considers_for(10s));
  std::size_t refused = 0;
  play.play([&](Boss& me) -> Task<> {
    play.announce(me, patient("slow"), only("ann"));
    co_await me.pause(1s);
    // Its mailbox takes 1024 messages.
    for (ContractId id = 1; id <= 3000; ++id) {
      const Content news = Content::of(Rejection{id, 1, "somebody else"});
      auto sending = me.send("ann", news);
      sending.patience(0s);
      try {
        co_await sending;
      } catch (const Error& error) {
        if (error.errc() != Errc::mailbox_full) throw;
        ++refused;
      }
    }
    co_await play.all_settled(me);
  });
  play.expect_fulfilled("slow");
  BOOST_TEST(refused > 1500U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf::test
