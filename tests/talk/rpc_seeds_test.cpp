// In the simulator: servers and whole nodes die at any moment, and links are cut. Each call ends
// once, with its own value or an error, and is never made twice.
#include "hardship.hpp"
#include "rpc_ground.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>
#include <map>

namespace coracle::rpc::test {

namespace {

using coracle::test::Nodes;
using coracle::test::some_seeds;

// The calls that were made, over all incarnations of all servers.
struct Deeds {
  std::map<std::int64_t, int> made;
  int values = 0;
  int errors = 0;
  int ends = 0;
  int deaths = 0;
};

// Adds; dies now and then, sometimes in the middle.
struct Mortal {
  Agent& me;
  Deeds& deeds;
  Random& random;

  Task<std::int64_t> add(std::int64_t number, std::int64_t other) {
    ++deeds.made[number];
    if (number % 3 == 0) co_await me.pause(std::chrono::microseconds(random.next() % 2000));
    co_return number + other;
  }
  std::string name() const { return me.name().str(); }
  Stream<std::int64_t> count(std::int64_t first, std::int64_t count) const {
    for (std::int64_t i = 0; i < count; ++i) co_yield first + i;
  }
};

Body mortal(Deeds& deeds, Random& random, Duration life, std::uint32_t at_once,
            std::function<void()> on_death = {}) {
  return [&deeds, &random, life, at_once, on_death](Agent& me) -> Task<> {
    Mortal object{me, deeds, random};
    Desk<AtServer<Mortal>> offers;
    offers.add = &Mortal::add;
    offers.name = &Mortal::name;
    offers.count = &Mortal::count;
    Service<Desk, Mortal> service(me, object, offers, {.at_once = at_once});
    me.spawn(service.run());
    if (life == Duration::zero()) (void)co_await me.receive(says("never"));
    co_await me.pause(life);
    ++deeds.deaths;
    on_death();
    throw Crash("a server dies");
  };
}

// Calls with numbers from `first` on, two at a time.
Task<> call_all(Agent& me, Deeds& deeds, std::int64_t first, int count, Duration within) {
  Stub<Desk> desk_0(me, "desk/0", {.within = within});
  Stub<Desk> desk_1(me, "desk/1", {.within = within});
  for (int i = 0; i < count; i += 2) {
    const std::int64_t number = first + i;
    auto one = desk_0.add.begin(number, 1000);
    auto other = desk_1.add.begin(number + 1, 1000);
    for (auto* call : {&one, &other}) {
      const std::int64_t wanted = number + 1000 + (call == &other ? 1 : 0);
      try {
        const std::int64_t sum = co_await *call;
        expect_equal(sum, wanted, "each call has its own answer");
        ++deeds.values;
      } catch (const Error& error) {
        expect(error.errc() != Errc::wrong_type && error.errc() != Errc::deadlock, error.what());
        ++deeds.errors;
      }
      ++deeds.ends;
    }
    if (i % 10 == 0) co_await me.pause(1ms);
  }
}

void check(const Deeds& deeds, std::uint64_t seed) {
  for (const auto& [number, times] : deeds.made) {
    BOOST_TEST_REQUIRE(times == 1, "call " << number << ", CORACLE_SEED=" << seed);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rpc_seeds)

BOOST_AUTO_TEST_CASE(whenever_a_server_dies_each_call_ends_once_and_is_made_at_most_once) {
  Deeds sum;
  const std::uint64_t begin = sim::seed_from_environment(1);
  for (std::uint64_t seed = begin; seed < begin + some_seeds(150); ++seed) {
    Nodes nodes(3, seed);
    Random& random = nodes.world().random();
    Deeds deeds;
    bool over = false;
    const auto make = [&](unsigned desk, Duration life, std::function<void()> on_death) {
      nodes.start(1 + desk, "desk/" + std::to_string(desk),
                  mortal(deeds, random, life, static_cast<std::uint32_t>(1 + seed % 3),
                         std::move(on_death)));
    };
    Mortals desks(nodes, 2, make);
    nodes.start(0, "caller", [&](Agent& me) -> Task<> {
      co_await call_all(me, deeds, 0, 60, seed % 2 == 0 ? Duration(500ms) : Duration::zero());
      over = true;
    });
    desks.live_until(over);
    nodes.until([&] { return over; });
    BOOST_TEST_REQUIRE(deeds.ends == 60, "CORACLE_SEED=" << seed);
    check(deeds, seed);
    sum.values += deeds.values;
    sum.errors += deeds.errors;
    sum.deaths += deeds.deaths;
  }
  std::cout << sum.deaths << " servers died; " << sum.values << " calls gave values, " << sum.errors
            << " errors\n";
  BOOST_TEST(sum.deaths > 0);
  BOOST_TEST(sum.errors > 0);
  BOOST_TEST(sum.values > sum.errors);
}

BOOST_AUTO_TEST_CASE(nodes_that_die_and_ways_that_are_cut_end_no_call_twice) {
  Deeds sum;
  const std::uint64_t begin = sim::seed_from_environment(1);
  for (std::uint64_t seed = begin; seed < begin + some_seeds(40); ++seed) {
    Nodes nodes(3, seed);
    Random& random = nodes.world().random();
    Deeds deeds;
    bool over = false;
    const auto serve = [&](unsigned node) {
      AgentSpec spec("desk/" + std::to_string(node - 1));
      spec.take_over();  // the lease of a node that has died lasts for some time
      nodes.start(
          node, std::move(spec),
          mortal(deeds, random, Duration::zero(), static_cast<std::uint32_t>(1 + seed % 2)));
    };
    serve(1);
    serve(2);
    nodes.start(0, "caller", [&](Agent& me) -> Task<> {
      co_await call_all(me, deeds, 0, 200, 20s);
      Stub<Desk> desk(me, "desk/0", {.within = 20s, .batch = 3});
      try {
        Stream<std::int64_t> numbers = desk.count(7, 50);
        std::int64_t next = 7;
        while (const std::optional<std::int64_t> number = co_await numbers.next()) {
          expect_equal(*number, next++, "in order, none twice");
        }
        expect_equal(next, 57, "all of them");
        ++deeds.values;
      } catch (const Error&) {
        ++deeds.errors;
      }
      over = true;
    });
    deeds.deaths += trouble_nodes(nodes, 2, over, serve);
    nodes.until([&] { return over; }, 60min);
    BOOST_TEST_REQUIRE(deeds.ends == 200, "CORACLE_SEED=" << seed);
    check(deeds, seed);
    sum.values += deeds.values;
    sum.errors += deeds.errors;
    sum.deaths += deeds.deaths;
  }
  std::cout << sum.deaths << " nodes died; " << sum.values << " calls gave values, " << sum.errors
            << " errors\n";
  BOOST_TEST(sum.deaths > 0);
  BOOST_TEST(sum.errors > 0);
  BOOST_TEST(sum.values > sum.errors);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::rpc::test
