// Small worlds are explored completely, and a schedule that breaks one of them is shortened.
#include "coracle/coracle.hpp"
#include "coracle/realizations/sim.hpp"
#include "support/societies/expect.hpp"
#include "support/societies/test_society.hpp"
#include "support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>
#include <set>

namespace coracle::test {

namespace {

// Sends the letters to "reader". If `waits` is set, it first waits for a message.
Body sending(std::string texts, bool waits) {
  return [texts, waits](Agent& me) -> Task<> {
    if (waits) co_await me.receive();
    for (const char letter : texts) co_await me.send("reader", std::string(1, letter));
  };
}

// "ann" sends "a", "b", and "bob" sends "1", "2"; adds the texts that the reader receives to
// `seen`.
void two_senders(sim::World& world, unsigned workers, std::set<std::string>& seen) {
  std::string all;
  Proceedings proceedings;
  NodeOptions options;
  options.workers = workers;
  Node node(world.realization(), options);
  const Body making = [workers](Agent& me) -> Task<> {
    const bool apart = workers > 1;
    co_await start(me, AgentSpec("bob").on_worker(workers - 1), sending("12", apart));
    co_await start(me, "ann", sending("ab", apart));
    if (!apart) co_return;
    for (const char* name : {"bob", "ann"}) co_await me.send(name, "go");
  };
  const Body reading = [&all](Agent& me) -> Task<> {
    while (all.size() < 4) {
      const Message message = co_await me.receive();
      all += message.text();
    }
  };
  node.adopt("reader", std::make_unique<Actor>(reading, proceedings));
  node.adopt("main", std::make_unique<Actor>(making, proceedings));
  node.wait();
  seen.insert(all);
}

const std::set<std::string> all_orders = {"ab12", "a1b2", "a12b", "1ab2", "1a2b", "12ab"};

// Two agents read a number, wait for their turn, and write the number back increased by one.
void lose_an_update(sim::World& world) {
  Proceedings proceedings;
  int account = 0;
  Node node(world.realization());
  const Body depositing = [&account](Agent& me) -> Task<> {
    const int before = account;
    co_await me.yield();
    account = before + 1;
  };
  for (const char* name : {"ann", "bob"}) {
    node.adopt(name, std::make_unique<Actor>(depositing, proceedings));
  }
  node.wait();
  expect_equal(account, 2, "the account");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(explore)

BOOST_AUTO_TEST_CASE(all_orders_of_two_senders_are_seen_on_one_worker) {
  std::set<std::string> seen;
  const auto play = [&](sim::World& world) { two_senders(world, 1, seen); };
  const sim::Exploration found = sim::World::explore(play);
  BOOST_TEST(found.failure == "");
  BOOST_TEST(found.complete);
  BOOST_TEST(seen == all_orders, boost::test_tools::per_element());
  std::cout << "two senders on one worker: " << found.runs << " orders\n";
}

BOOST_AUTO_TEST_CASE(all_orders_of_two_senders_are_seen_in_a_reduced_exploration) {
  std::set<std::string> seen;
  const auto play = [&](sim::World& world) { two_senders(world, 1, seen); };
  sim::Bounds bounds;
  bounds.reduce = true;
  const sim::Exploration found = sim::World::explore(play, {}, bounds);
  BOOST_TEST(found.failure == "");
  BOOST_TEST(found.complete);
  BOOST_TEST(seen == all_orders, boost::test_tools::per_element());
  BOOST_TEST(found.runs < 1000u);
  std::cout << "two senders on one worker, reduced: " << found.runs << " orders\n";
}

BOOST_AUTO_TEST_CASE(all_orders_of_two_senders_are_seen_on_two_workers) {
  std::set<std::string> seen;
  const auto play = [&](sim::World& world) { two_senders(world, 2, seen); };
  sim::Bounds bounds;
  bounds.deviations = slowness == 1 ? 5 : 3;
  const sim::Exploration found = sim::World::explore(play, {}, bounds);
  BOOST_TEST(found.failure == "");
  BOOST_TEST(found.complete);
  // With fewer runs, not all of them are seen.
  if (slowness == 1) BOOST_TEST(seen == all_orders, boost::test_tools::per_element());
  else BOOST_TEST(seen.size() > 1u);
  std::cout << "two senders on two workers: " << found.runs << " orders\n";
}

BOOST_AUTO_TEST_CASE(an_exploration_ends_where_its_bounds_are) {
  std::set<std::string> seen;
  const auto play = [&](sim::World& world) { two_senders(world, 1, seen); };
  sim::Bounds bounds;
  bounds.runs = 3;
  const sim::Exploration few = sim::World::explore(play, {}, bounds);
  BOOST_TEST(few.runs == 3u);
  BOOST_TEST(!few.complete);
  bounds = {};
  bounds.deviations = 0;
  BOOST_TEST(sim::World::explore(play, {}, bounds).runs == 1u);
}

BOOST_AUTO_TEST_CASE(a_lost_update_is_found_and_can_be_played_again) {
  const sim::Exploration found = sim::World::explore(lose_an_update);
  BOOST_TEST(found.failure.find("the account: is 1, should be 2") != std::string::npos,
             found.failure);
  sim::World again({}, sim::scripted(found.choices));
  BOOST_CHECK_THROW(lose_an_update(again), Failure);
}

BOOST_AUTO_TEST_CASE(a_long_list_of_choices_is_made_short) {
  sim::Options options;
  options.record = true;
  for (options.seed = 1;; ++options.seed) {
    BOOST_TEST_REQUIRE(options.seed < 100u);
    sim::World world(options);
    try {
      lose_an_update(world);
    } catch (const Failure&) {
      const auto shorter = sim::World::shrink(lose_an_update, world.choices());
      BOOST_TEST(shorter.size() <= world.choices().size());
      sim::World again({}, sim::scripted(shorter));
      BOOST_CHECK_THROW(lose_an_update(again), Failure);
      return;
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
