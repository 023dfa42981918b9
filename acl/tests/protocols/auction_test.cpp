// English and Dutch auctions on the auctioneer's side.
#include "coracle/acl/protocols/auction.hpp"

#include "support/conversing.hpp"

#include <boost/test/unit_test.hpp>

#include <map>

namespace coracle::acl {

using test::agent;
using test::at;
using test::message;
using namespace std::chrono_literals;
using Act = Performative;
using Phase = AuctionPhase;

namespace {

const Body none = std::string();

// An auction with the bidders 0, 1 and 2, and the messages that each has got.
struct Hall {
  explicit Hall(const Protocol& protocol)
      : auction(protocol, message(Act::inform, "ann", {"0", "1", "2"}), test::counter(), Calendar(),
                at(0s)) {
    collect();
  }

  void collect() {
    for (const auto& each : auction.take_outgoing()) {
      last[each.session] = each.message;
      acts[each.session].push_back(each.message.performative);
    }
  }
  bool call(Time now) {
    const bool is_called = auction.call(none, 5s, now);
    collect();
    return is_called;
  }
  Heard bid(std::size_t who, Time now, Act act = Act::propose) {
    Message made = reply(last.at(who), act);
    made.sender = agent(std::to_string(who));
    const Heard heard = auction.hear(made, now).heard;
    collect();
    return heard;
  }
  bool award(std::size_t who, Time now) {
    const bool is_awarded = auction.award(who, none, now);
    collect();
    return is_awarded;
  }

  Auction auction;
  std::map<std::size_t, Message> last;
  std::map<std::size_t, std::vector<Act>> acts;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(auction)

BOOST_AUTO_TEST_CASE(an_english_auction_ends_when_nobody_bids_more) {
  Hall hall(english_auction_protocol);
  BOOST_TEST((hall.auction.phase() == Phase::idle));
  BOOST_TEST(hall.call(at(0s)));
  BOOST_TEST(hall.bid(1, at(1s)) == Heard::taken);
  BOOST_TEST((hall.auction.phase() == Phase::bidding));
  BOOST_TEST(!hall.award(1, at(1s)));
  BOOST_TEST(hall.bid(0, at(2s)) == Heard::taken);
  hall.auction.on_time(at(5s));
  BOOST_TEST((hall.auction.phase() == Phase::choosing));
  BOOST_TEST((hall.auction.bids() == std::vector<std::size_t>{1, 0}));
  BOOST_TEST(!hall.award(2, at(5s)));
  BOOST_TEST(hall.award(1, at(5s)));
  BOOST_TEST((hall.acts[1] == std::vector{Act::inform, Act::cfp, Act::accept_proposal}));
  BOOST_TEST((hall.acts[0] == std::vector{Act::inform, Act::cfp, Act::reject_proposal}));
  BOOST_TEST((hall.acts[2] == std::vector{Act::inform, Act::cfp}));

  BOOST_TEST(hall.call(at(6s)));
  BOOST_TEST(!hall.call(at(6s)));
  for (std::size_t who = 0; who < 3; ++who) BOOST_TEST(hall.acts[who].back() == Act::cfp);
  hall.auction.on_time(at(11s));
  BOOST_TEST((hall.auction.phase() == Phase::choosing));
  BOOST_TEST(hall.auction.bids().empty());
  hall.auction.close(none, at(11s));
  hall.collect();
  for (std::size_t who = 0; who < 3; ++who) BOOST_TEST(hall.acts[who].back() == Act::inform);
  BOOST_TEST((hall.auction.phase() == Phase::over));
  BOOST_TEST(hall.auction.leader().value() == 1U);
  BOOST_TEST(hall.auction.calls() == 2U);
  BOOST_TEST(!hall.call(at(12s)));
}

BOOST_AUTO_TEST_CASE(a_call_is_over_at_once_when_all_have_bid_or_left) {
  Hall hall(english_auction_protocol);
  hall.call(at(0s));
  hall.bid(0, at(1s));
  BOOST_TEST(hall.bid(1, at(1s), Act::not_understood) == Heard::taken);
  BOOST_TEST((hall.auction.phase() == Phase::bidding));
  hall.auction.end(2, Outcome::lost, at(1s));
  BOOST_TEST((hall.auction.phase() == Phase::choosing));
  BOOST_TEST(hall.award(0, at(1s)));
  BOOST_TEST(hall.call(at(1s)));
  BOOST_TEST(hall.acts[1].size() == 2U);
  hall.bid(0, at(1s), Act::failure);
  BOOST_TEST((hall.auction.phase() == Phase::over));
}

BOOST_AUTO_TEST_CASE(the_first_bid_of_a_dutch_auction_gets_the_goods_and_later_ones_are_rejected) {
  Hall hall(dutch_auction_protocol);
  hall.call(at(0s));
  hall.auction.on_time(at(5s));
  BOOST_TEST((hall.auction.phase() == Phase::choosing));
  BOOST_TEST(hall.call(at(5s)));
  hall.bid(2, at(6s));
  BOOST_TEST((hall.auction.phase() == Phase::choosing));
  hall.bid(0, at(6s));
  BOOST_TEST(hall.award(2, at(6s)));
  BOOST_TEST(hall.acts[0].back() == Act::reject_proposal);
  BOOST_TEST(hall.bid(1, at(7s)) == Heard::taken);
  BOOST_TEST(hall.acts[1].back() == Act::reject_proposal);
  BOOST_TEST(hall.acts[2].back() == Act::accept_proposal);
  BOOST_TEST(hall.auction.bids().empty());
  hall.auction.close(none, at(8s));
  BOOST_TEST((hall.auction.phase() == Phase::over));
}

BOOST_AUTO_TEST_CASE(bids_that_are_not_accepted_are_rejected_by_the_next_call) {
  Hall hall(english_auction_protocol);
  hall.call(at(0s));
  for (std::size_t who = 0; who < 3; ++who) hall.bid(who, at(1s));
  BOOST_TEST(hall.call(at(1s)));
  const std::vector expected = {Act::inform, Act::cfp, Act::reject_proposal, Act::cfp};
  for (std::size_t who = 0; who < 3; ++who) BOOST_TEST((hall.acts[who] == expected));
  BOOST_TEST(!hall.auction.leader().has_value());
}

BOOST_AUTO_TEST_CASE(a_bid_after_the_call_or_of_a_stranger_is_none) {
  Hall hall(english_auction_protocol);
  hall.call(at(0s));
  hall.auction.on_time(at(5s));
  BOOST_TEST(hall.bid(0, at(6s)) == Heard::out_of_sequence);
  Message lie = reply(hall.last[0], Act::propose);
  lie.sender = agent("eve");
  BOOST_TEST(hall.auction.hear(lie, at(6s)).heard == Heard::foreign);
  BOOST_TEST(hall.auction.bids().empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::acl
