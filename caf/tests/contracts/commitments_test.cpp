// The commitments of a bidder.
#include "coracle/caf/contracts/commitments.hpp"

#include <boost/test/unit_test.hpp>

#include <random>

namespace coracle::caf {

namespace {

using namespace std::chrono_literals;
using Key = Commitments::Key;
using State = Commitments::State;

Time at(Duration since) { return Time(1h + since); }
std::int64_t asked(Duration since) { return at(since).time_since_epoch().count(); }

Contract contract(ContractId id, std::uint32_t size = 1, std::uint32_t round = 1) {
  Contract contract;
  contract.id = id;
  contract.round = round;
  contract.size = size;
  contract.lease = 9s;
  contract.bid_holds = 30s;
  return contract;
}

Key key(ContractId id) { return {"client", id}; }

bool bids(Commitments& commitments, const Contract& what, Amount amount = 5, Duration when = 0s) {
  if (!commitments.on_call(key(what.id), what).empty()) return false;
  Content offer;
  return commitments.bid(key(what.id), Content::of(Contract(what)), Bid::of(what, amount), at(when),
                         offer);
}

std::string awarded(Commitments& commitments, ContractId id, AwardNumber number = 1,
                    Amount amount = 5, Duration when = 1s, std::uint32_t round = 1) {
  return commitments.on_award(key(id), Award{id, round, number, 1, amount, amount}, at(when));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(commitments)

BOOST_AUTO_TEST_CASE(who_promises_at_the_award_bids_for_more_than_it_takes) {
  Commitments one(2, Promises::at_award);
  for (ContractId id = 1; id <= 3; ++id) BOOST_TEST(bids(one, contract(id)));
  BOOST_TEST(one.taken() == 0U);
  BOOST_TEST(awarded(one, 1) == "");
  BOOST_TEST(awarded(one, 2) == "");
  BOOST_TEST(awarded(one, 3).find("no room") != std::string::npos);
  BOOST_TEST(one.room() == 0U);
  BOOST_TEST(!bids(one, contract(4)));
  BOOST_TEST(one.on_lease(key(1), Lease{1, 1, asked(1s)}, at(2s)));
  BOOST_TEST(one.report(key(1), 1));
  BOOST_TEST(one.room() == 1U);
  BOOST_TEST(bids(one, contract(4)));
}

BOOST_AUTO_TEST_CASE(who_promises_at_the_bid_never_refuses) {
  Commitments one(2, Promises::at_bid);
  BOOST_TEST(bids(one, contract(1)));
  BOOST_TEST(bids(one, contract(2)));
  BOOST_TEST(!bids(one, contract(3)));
  one.reject(key(1), 1);
  BOOST_TEST(bids(one, contract(3)));
  BOOST_TEST(awarded(one, 2) == "");
  BOOST_TEST(awarded(one, 3) == "");
  BOOST_TEST(one.taken() == 2U);
}

BOOST_AUTO_TEST_CASE(of_a_bid_for_several_bundles_the_largest_is_kept_free) {
  Commitments one(3, Promises::at_bid);
  Contract three = contract(1);
  three.items = {"a", "b", "c", "d"};
  const Bid bid{0, 0, {{0b1111, 9}, {0b0111, 7}, {0b0001, 2}}, {}};
  Content offer;
  BOOST_TEST(one.bid(key(1), Content::of(Contract(three)), bid, at(0s), offer));
  BOOST_TEST(offer.as<Bid>().offerings.size() == 2U);  // there is no room for four
  BOOST_TEST(one.taken() == 3U);
  BOOST_TEST(one.on_award(key(1), Award{1, 1, 1, 0b0001, 2, 2}, at(1s)) == "");
  BOOST_TEST(one.taken() == 1U);
}

BOOST_AUTO_TEST_CASE(the_work_begins_with_the_lease_and_ends_with_it) {
  Commitments one(1, Promises::at_award);
  bids(one, contract(1));
  awarded(one, 1);
  BOOST_TEST((one.find(key(1))->state == State::accepted));
  BOOST_TEST(!one.on_lease(key(1), Lease{1, 2, asked(1s)}, at(2s)));
  BOOST_TEST(one.on_lease(key(1), Lease{1, 1, asked(1s)}, at(2s)));
  BOOST_TEST(!one.on_lease(key(1), Lease{1, 1, asked(1s)}, at(2s)));
  // The lease counts by the bidder's own clock, from the moment of its acceptance.
  BOOST_TEST((one.find(key(1))->until == at(10s)));
  BOOST_TEST(one.on_time(at(4s)).renew.empty());
  BOOST_TEST(one.on_time(at(5s)).renew.size() == 1U);
  BOOST_TEST(one.on_time(at(5s)).renew.empty());
  BOOST_TEST(!one.on_lease(key(1), Lease{1, 1, asked(5s)}, at(6s)));
  BOOST_TEST((one.find(key(1))->until == at(14s)));
  BOOST_TEST(one.on_time(at(13s)).lost.empty());
  BOOST_TEST(one.on_time(at(14s)).lost.size() == 1U);
  BOOST_TEST(one.find(key(1)) == nullptr);
  BOOST_TEST(one.room() == 1U);
}

BOOST_AUTO_TEST_CASE(a_lease_that_comes_too_late_is_none) {
  Commitments one(1, Promises::at_award);
  bids(one, contract(1));
  awarded(one, 1);
  BOOST_TEST(!one.on_lease(key(1), Lease{1, 1, asked(1s)}, at(10s)));
  // A lease whose `asked` lies in the future counts only from the present.
  BOOST_TEST(one.on_lease(key(1), Lease{1, 1, asked(100h)}, at(9s)));
  BOOST_TEST((one.find(key(1))->until == at(18s)));
  Commitments two(1, Promises::at_award);
  bids(two, contract(1));
  awarded(two, 1);
  const Commitments::Chores chores = two.on_time(at(10s));
  BOOST_TEST(chores.lost.empty());  // the work had not begun
  BOOST_TEST(chores.ended.size() == 1U);
  BOOST_TEST(two.room() == 1U);
}

BOOST_AUTO_TEST_CASE(an_award_that_does_not_fit_the_bid_is_refused) {
  Commitments one(5, Promises::at_award);
  BOOST_TEST(awarded(one, 1).find("does not stand") != std::string::npos);
  bids(one, contract(1));
  BOOST_TEST(awarded(one, 1, 1, 6).find("differs from the bid") != std::string::npos);
  BOOST_TEST(awarded(one, 1, 1, 5, 1s, 2).find("call") != std::string::npos);
  BOOST_TEST(awarded(one, 1, 0).find("newer") != std::string::npos);
  BOOST_TEST(awarded(one, 1, 2) == "");
  BOOST_TEST(awarded(one, 1, 1).find("newer") != std::string::npos);
  BOOST_TEST(awarded(one, 1, 3).find("another award") != std::string::npos);
  BOOST_TEST(one.on_call(key(1), contract(1, 1, 2)).find("has an award") != std::string::npos);
  BOOST_TEST(!one.drop(key(1), 1));
  BOOST_TEST(one.find(key(1)) != nullptr);
  BOOST_TEST(one.withdraw(key(1), 2));
  BOOST_TEST(one.taken() == 0U);
}

BOOST_AUTO_TEST_CASE(a_later_call_replaces_a_bid_and_an_earlier_one_does_not) {
  Commitments one(2, Promises::at_bid);
  bids(one, contract(1, 2, 1));
  BOOST_TEST(bids(one, contract(1, 1, 2)));
  BOOST_TEST(one.taken() == 1U);
  BOOST_TEST(one.on_call(key(1), contract(1, 1, 1)).find("later call") != std::string::npos);
  one.reject(key(1), 1);
  BOOST_TEST(one.find(key(1)) != nullptr);
  one.reject(key(1), 2);
  BOOST_TEST(one.find(key(1)) == nullptr);
}

BOOST_AUTO_TEST_CASE(a_bid_that_nobody_answers_is_given_up) {
  Commitments one(1, Promises::at_bid);
  bids(one, contract(1));
  BOOST_TEST(one.on_time(at(29s)).lost.empty());
  BOOST_TEST(one.taken() == 1U);
  BOOST_TEST(one.on_time(at(30s)).ended.size() == 1U);
  BOOST_TEST(one.taken() == 0U);
  BOOST_TEST(one.size() == 0U);
}

BOOST_AUTO_TEST_CASE(whatever_is_said_to_it_never_promises_more_than_it_has) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::uint64_t count) { return random() % count; };
    Commitments one(1 + below(6), seed % 2 == 0 ? Promises::at_bid : Promises::at_award);
    Duration now{};
    for (int step = 0; step < 300; ++step) {
      now += std::chrono::milliseconds(below(900));
      const ContractId id = 1 + below(6);
      const auto number = static_cast<AwardNumber>(below(4));
      switch (below(9)) {
        case 0:
        case 1:
          bids(one,
               contract(id, static_cast<std::uint32_t>(1 + below(3)),
                        static_cast<std::uint32_t>(1 + below(2))),
               5, now);
          break;
        case 2:
        case 3:
          awarded(one, id, number, 5, now, static_cast<std::uint32_t>(1 + below(2)));
          break;
        case 4:
          one.on_lease(key(id), Lease{id, number, asked(now - 1s)}, at(now));
          break;
        case 5:
          one.report(key(id), number);
          break;
        case 6:
          one.drop(key(id), number);
          break;
        case 7:
          one.reject(key(id), static_cast<std::uint32_t>(below(3)));
          break;
        default:
          one.on_time(at(now));
      }
      std::uint64_t promised = 0;
      for (ContractId each = 1; each <= 6; ++each) {
        const auto* held = one.find(key(each));
        if (held == nullptr) continue;
        if (held->state == State::accepted || held->state == State::held)
          promised += held->contract().size;
      }
      BOOST_TEST_REQUIRE(one.taken() <= one.capacity(), "seed " << seed);
      BOOST_TEST_REQUIRE(promised <= one.taken(), "seed " << seed);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf
