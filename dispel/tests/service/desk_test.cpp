// The order in which a server serves requests, and a client's choice of a server.
#include "service/desk.hpp"
#include "service/roster.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <random>
#include <vector>

namespace coracle::dispel::detail {

namespace {

using namespace std::chrono_literals;

Time when(Duration span) { return Time() + span; }

DeskLimits limits(std::uint32_t at_once) {
  DeskLimits some;
  some.at_once = at_once;
  some.waiting = 1000;
  some.each = 100;
  some.lanes = 3;
  return some;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(desk)

BOOST_AUTO_TEST_CASE(clients_take_turns_however_much_one_of_them_asks) {
  Desk desk(limits(1));
  std::map<Desk::Ticket, int> whose;
  Desk::Ticket ticket = 0;
  for (int i = 0; i < 50; ++i) desk.arrive(1, 0, Time::max(), ticket), whose[ticket] = 1;
  for (int i = 0; i < 3; ++i) desk.arrive(2, 0, Time::max(), ticket), whose[ticket] = 2;
  std::vector<int> served;
  while (const auto turn = desk.next(when(0s))) {
    served.push_back(whose[turn->ticket]);
    desk.finished(turn->ticket);
  }
  const std::vector<int> begin(served.begin(), served.begin() + 7);
  BOOST_TEST(begin == (std::vector<int>{1, 2, 1, 2, 1, 2, 1}), boost::test_tools::per_element());
  BOOST_TEST(served.size() == 53U);
}

BOOST_AUTO_TEST_CASE(a_higher_lane_goes_first) {
  Desk desk(limits(1));
  Desk::Ticket low = 0;
  Desk::Ticket high = 0;
  desk.arrive(1, 0, Time::max(), low);
  desk.arrive(2, 7, Time::max(), high);
  BOOST_TEST(desk.next(when(0s))->ticket == high);
  BOOST_TEST(!desk.next(when(0s)));
  desk.finished(high);
  BOOST_TEST(desk.next(when(0s))->ticket == low);
}

BOOST_AUTO_TEST_CASE(what_comes_too_late_is_not_served) {
  Desk desk(limits(1));
  Desk::Ticket ticket = 0;
  desk.arrive(1, 0, when(5s), ticket);
  desk.arrive(1, 0, Time::max(), ticket);
  BOOST_TEST(desk.next(when(5s))->too_late);
  BOOST_TEST(!desk.next(when(5s))->too_late);
  BOOST_TEST(desk.being_served() == 1U);
}

BOOST_AUTO_TEST_CASE(one_client_cannot_take_all_places) {
  Desk desk(limits(1));
  Desk::Ticket ticket = 0;
  for (int i = 0; i < 100; ++i) desk.arrive(1, 0, Time::max(), ticket);
  BOOST_TEST((desk.arrive(1, 0, Time::max(), ticket) == Desk::Verdict::too_many_of_yours));
  BOOST_TEST((desk.arrive(2, 0, Time::max(), ticket) == Desk::Verdict::taken));
}

BOOST_AUTO_TEST_CASE(a_full_lane_leaves_room_in_the_others) {
  DeskLimits few = limits(1);
  few.waiting = 2;
  Desk desk(few);
  Desk::Ticket ticket = 0;
  desk.arrive(1, 0, Time::max(), ticket);
  desk.arrive(2, 0, Time::max(), ticket);
  BOOST_TEST(!desk.has_room(0));
  BOOST_TEST(desk.has_room(1));
  desk.arrive(3, 7, Time::max(), ticket);
  BOOST_TEST(desk.next(when(0s))->ticket == ticket);
  BOOST_TEST(!desk.has_room(0));
  BOOST_TEST(!desk.reopen());
  desk.finished(ticket);
  BOOST_TEST_REQUIRE(desk.next(when(0s)).has_value());
  BOOST_TEST(!desk.has_room(0), "until somebody looks who waits outside");
  BOOST_TEST(desk.reopen());
  BOOST_TEST(desk.has_room(0));
}

BOOST_AUTO_TEST_CASE(nobody_waits_longer_than_a_round_of_the_others) {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    std::mt19937 random(seed);
    Desk desk(limits(1 + seed % 4));
    std::map<Desk::Ticket, std::uint64_t> whose;
    std::map<std::uint64_t, std::deque<Desk::Ticket>> asked;
    std::map<std::uint64_t, unsigned> passed_over;
    std::vector<Desk::Ticket> serving;
    for (int step = 0; step < 2000; ++step) {
      if (random() % 2 == 0 && desk.has_room(0)) {
        const std::uint64_t client = random() % 10;
        Desk::Ticket ticket = 0;
        if (desk.arrive(client, 0, Time::max(), ticket) != Desk::Verdict::taken) continue;
        whose[ticket] = client;
        asked[client].push_back(ticket);
      } else if (const auto turn = desk.next(when(0s))) {
        const std::uint64_t client = whose[turn->ticket];
        BOOST_TEST_REQUIRE(asked[client].front() == turn->ticket);
        asked[client].pop_front();
        passed_over[client] = 0;
        for (auto& [other, waiting] : asked) {
          if (other == client || waiting.empty()) continue;
          BOOST_TEST_REQUIRE(++passed_over[other] <= 10U);
        }
        serving.push_back(turn->ticket);
        BOOST_TEST_REQUIRE(desk.being_served() <= 1 + seed % 4);
      } else if (!serving.empty()) {
        desk.finished(serving.back());
        serving.pop_back();
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(load_is_spread_and_who_has_failed_is_avoided) {
  Roster roster;
  BOOST_TEST(roster.is_stale(when(0s), 1s));
  BOOST_TEST(!roster.choose(when(0s)));
  roster.refresh({"a", "b", "c"}, when(0s));
  std::map<std::string, int> chosen;
  for (int i = 0; i < 9; ++i) ++chosen[roster.choose(when(0s))->str()];
  BOOST_TEST((chosen == std::map<std::string, int>{{"a", 3}, {"b", 3}, {"c", 3}}));
  for (int i = 0; i < 3; ++i) roster.answered("b");
  BOOST_TEST(roster.choose(when(0s))->view() == "b");
  roster.failed("b", when(0s), 5s);
  BOOST_TEST(roster.is_stale(when(0s), 1s));
  roster.refresh({"a", "b", "c"}, when(1s));
  for (int i = 0; i < 20; ++i) BOOST_TEST(roster.choose(when(4s))->view() != "b");
  BOOST_TEST(roster.choose(when(5s))->view() == "b");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::dispel::detail
