// A node whose peer has just died, before anybody knows of it: its own end, and the groups that its
// agents leave, wait no longer than they say.
#include "linked/linked_hosts.hpp"
#include "support/societies/doer.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <optional>
#include <string>

namespace coracle::test {

namespace {

// ann on host 0, and bob on host 1, to whom she has sent what he does not read. Both are in a
// group.
struct Couple {
  explicit Couple(Linked kind) : world(hosts()), service(world, 2, kind) {
    ann.emplace(linked_node(world, 0, {2}, kind));
    bob.emplace(linked_node(world, 1, {2}, kind));
    bob->adopt("bob", std::make_unique<Doer>([](Agent& me) -> Task<> {
                 co_await me.join(Group("team"));
                 co_await me.pause(1h);
               }));
    ann->adopt("ann", std::make_unique<Doer>([this](Agent& me) -> Task<> {
                 co_await me.join(Group("team"));
                 for (int number = 0; number < 10; ++number) co_await me.send("bob", "hello");
                 while (!leaves) co_await me.pause(1ms);
                 co_await me.leave(Group("team"));
                 has_left = true;
                 (void)co_await me.receive();
               }));
    world.run_for(2s);
  }
  static sim::Options hosts() {
    sim::Options options;
    options.nodes = 3;
    return options;
  }
  void kill_bob() {
    world.crash(1);
    bob.reset();
  }

  sim::World world;
  LinkedDirectory service;
  std::optional<Node> ann, bob;
  bool leaves = false, has_left = false;
};

double seconds_of(sim::World& world, const std::function<void()>& what) {
  const Time began = world.now();
  what();
  return std::chrono::duration<double>(world.now() - began).count();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(dead_peer)

BOOST_AUTO_TEST_CASE(an_agent_leaves_a_group_at_once_although_another_node_has_just_died) {
  for (const Linked kind : {Linked::distributed, Linked::central}) {
    Couple both(kind);
    both.kill_bob();
    const double seconds = seconds_of(both.world, [&] {
      both.leaves = true;
      (void)both.world.run_until([&] { return both.has_left; }, Deadline(10s));
    });
    BOOST_TEST(both.has_left);
    BOOST_TEST(seconds < 0.3);
    (void)both.ann->stop();
  }
}

BOOST_AUTO_TEST_CASE(a_node_stops_in_time_although_another_one_has_just_died) {
  for (const Linked kind : {Linked::distributed, Linked::central}) {
    for (const Duration deadline : {0s, 1s, 10s}) {
      Couple both(kind);
      both.kill_bob();
      StopReport report;
      const double seconds = seconds_of(both.world, [&] { report = both.ann->stop(deadline); });
      BOOST_TEST(seconds < 1);
      BOOST_TEST(report.ledger.balanced());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
