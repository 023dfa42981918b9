// In the simulator: traders that take their time for a bid. Other requests to them go on.
#include "fair.hpp"
#include "nodes.hpp"
#include "sage.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::caf::test {

namespace {

using coracle::test::Nodes;

class Pensive : public Trader {
 public:
  Pensive(Duration takes, Diary& diary) : takes_(takes), diary_(diary) {}

 protected:
  Curve bid(const Quote&) override { return {}; }
  Task<Curve> consider_quote(const Quote& quote) override {
    diary_.note("considers " + quote.good);
    co_await pause(takes_);
    co_return bid(quote);
  }
  void on_trades(const Trades& trades) override {
    diary_.note("hears of trade " + std::to_string(trades.id));
  }
  void on_refusal(const Refusal& refusal) override {
    diary_.note("hears: " + refusal.what + ": " + refusal.reason);
  }

 private:
  Duration takes_;
  Diary& diary_;
};

Content quote_of(std::string good, Duration within) {
  Quote quote;
  quote.id = 1;
  quote.round = 1;
  quote.good = std::move(good);
  quote.within = within;
  return Content::of(std::move(quote));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(slow)

BOOST_AUTO_TEST_CASE(a_trader_receives_the_message_that_it_waits_for_while_it_considers) {
  class Advised : public Trader {
   protected:
    Curve bid(const Quote&) override { return {}; }
    Task<Curve> consider_quote(const Quote& quote) override {
      (void)co_await coracle::test::advice_for(*this);
      co_return bid(quote);
    }
  };
  Nodes nodes(3);
  nodes.at(1).adopt("ann", std::make_unique<Advised>());
  coracle::test::start_sage(nodes, 2, "much");
  bool is_over = false;
  nodes.start(0, "auctioneer", [&](Agent& me) -> Task<> {
    const Content quote = quote_of("pears", 20s);
    co_await me.send("ann", quote);
    // The request is read when the quote has been considered.
    const Content question("what do you want?");
    const Result<Message> refusal = co_await me.ask_result("ann", question, 30s);
    expect_error(refusal, Errc::refused, "no quote");
    const Message bid = co_await me.receive();
    expect_equal(bid.as<CurveBid>().good, std::string("pears"), "the bid");
    is_over = true;
  });
  nodes.until([&] { return is_over; }, 100s);
}

BOOST_AUTO_TEST_CASE(quotes_come_in_turn_and_one_whose_time_is_over_is_not_considered) {
  Diary diary;
  Nodes nodes(2);
  nodes.at(1).adopt("ann", std::make_unique<Pensive>(4s, diary));
  bool is_over = false;
  nodes.start(0, "auctioneer", [&](Agent& me) -> Task<> {
    const Content quotes[] = {quote_of("pears", 20s), quote_of("plums", 3s), quote_of("nuts", 20s),
                              Content::of(Trades{})};
    for (const Content& each : quotes) {
      const Content copy = each;
      co_await me.send("ann", copy);
    }
    const char* const goods[] = {"pears", "nuts"};
    for (const char* each : goods) {
      const Message bid = co_await me.receive();
      expect_equal(bid.as<CurveBid>().good, std::string(each), "the bid");
    }
    co_await me.pause(1s);
    is_over = true;
  });
  nodes.until([&] { return is_over; }, 100s);
  BOOST_TEST(diary.all() ==
             "considers pears\nhears: bid: its time was over before its turn came here\n"
             "considers nuts\nhears of trade 0\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf::test
