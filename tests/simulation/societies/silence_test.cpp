// A silent node is declared dead in time, and not too soon.
#include "linked/linked_hosts.hpp"
#include "support/seeds.hpp"
#include "support/societies/doer.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <string>
#include <utility>

namespace coracle::test {

namespace {

constexpr unsigned node_count = 4;

std::string name_of(const char* role, unsigned number) { return role + std::to_string(number); }

sim::Options late() {
  sim::Options options;
  options.seed = sim::seed_from_environment(1);
  options.nodes = node_count;
  options.delay_least = 0ms;
  options.delay_most = 250ms;
  options.trace_messages = false;
  return options;
}

// The effect of 5 % lost segments on a stream of about four segments a second: now and then the
// stream stands still until a segment is sent again, and now and then that segment is lost, too.
// The third one arrives, because a node that is silent for four seconds is declared dead.
void lose_now_and_then(sim::World& world, unsigned from, unsigned to) {
  const Time lost = world.now() + up_to(world.random(), 10s);
  Duration still = 200ms;
  while (still < 1400ms && world.random().next() % 20 == 0) still = 2 * still + 200ms;
  world.at(lost, [&world, from, to] { world.cut(from, to); });
  world.at(lost + still, [&world, from, to] {
    world.mend(from, to);
    lose_now_and_then(world, from, to);
  });
}

struct Noted {  // outlives the hosts
  int endings = 0;
};

// bob on host 1, and an agent on host 2 that is notified when he has ended.
class Watched : public Noted, public LinkedHosts {
 public:
  explicit Watched(std::uint64_t seed) : LinkedHosts(3, seed) {
    start(1, "bob", [](Agent& me) -> Task<> { co_await me.pause(1h); });
    start(2, "eve", [this](Agent& me) -> Task<> {
      co_await me.pause(1s);  // until she knows of him
      for (;;) {
        (void)co_await me.watch("bob");
        ++endings;
        co_await me.pause(15s);
      }
    });
    world().run_for(5s + up_to(world().random(), 2s));
  }
  // The directory dies, and another one takes its place; some hosts may not have reached it yet.
  void begin_anew() {
    crash_directory();
    world().run_for(up_to(world().random(), 500ms));
    restart_directory();
    world().run_for(up_to(world().random(), 500ms));
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(silence)

BOOST_AUTO_TEST_CASE(an_hour_of_late_and_lost_segments_kills_nobody) {
  std::vector<std::string> endings;  // these outlive the hosts
  std::map<std::pair<std::string, std::string>, int> read;
  bool in_order = true;
  LinkedHosts hosts(late());
  sim::World& world = hosts.world();
  for (unsigned from = 0; from < world.hosts(); ++from) {
    for (unsigned to = 0; to < world.hosts(); ++to)
      if (from != to) lose_now_and_then(world, from, to);
  }
  for (unsigned here = 0; here < node_count; ++here) {
    hosts.start(here, name_of("reader", here), [&](Agent& me) -> Task<> {
      for (;;) {
        const Message message = co_await me.receive();
        int& last =
            read[{std::string(message.source().name().view()), std::string(me.name().view())}];
        in_order &= std::to_string(last++) == message.text() && !message.redelivered();
      }
    });
  }
  world.run_for(5s);  // until all nodes know all names
  for (unsigned here = 0; here < node_count; ++here) {
    for (unsigned there = 0; there < node_count; ++there) {
      if (here == there) continue;
      const std::string pair = std::to_string(here) + "/" + std::to_string(there);
      const Name whom(name_of("reader", there));
      hosts.start(here, "writer/" + pair, [whom](Agent& me) -> Task<> {
        for (int number = 0;; ++number) {
          co_await me.send(whom, std::to_string(number));
          co_await me.pause(1s);
        }
      });
      hosts.start(here, "watcher/" + pair, [whom, &endings](Agent& me) -> Task<> {
        const Ending ending = co_await me.watch(whom);
        endings.emplace_back(to_string(ending.reason));
      });
    }
  }
  world.run_for(1h);
  BOOST_TEST(endings.empty());
  BOOST_TEST(in_order);
  BOOST_TEST(read.size() == node_count * (node_count - 1));
  for (const auto& [pair, count] : read)
    BOOST_TEST(count > 3500, pair.first << " to " << pair.second << ": " << count);
}

BOOST_AUTO_TEST_CASE(a_host_that_falls_silent_is_noticed_within_five_seconds) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      Watched hosts(seed);
      hosts.world().part({1});
      const Time silent = hosts.world().now();
      hosts.until([&hosts] { return hosts.endings == 1; }, 20s);
      BOOST_TEST((hosts.world().now() - silent < 5s));
    }
  }
}

BOOST_AUTO_TEST_CASE(one_that_comes_back_and_falls_silent_again_is_noticed_as_soon) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      Watched hosts(seed);
      hosts.world().part({1});
      hosts.world().run_for(8s);
      hosts.world().mend_all();
      hosts.world().run_for(15s);
      BOOST_TEST(hosts.endings == 1);
      hosts.world().part({1});
      const Time silent = hosts.world().now();
      hosts.until([&hosts] { return hosts.endings == 2; }, 40s);
      BOOST_TEST((hosts.world().now() - silent < 5s));
    }
  }
}

// The node has never registered with the new directory.
BOOST_AUTO_TEST_CASE(
    one_that_falls_silent_when_the_directory_has_just_begun_anew_is_noticed_as_soon) {
  for (std::uint64_t seed = 1; seed <= some_seeds(40); ++seed) {
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      Watched hosts(seed);
      hosts.begin_anew();
      hosts.world().part({1});
      const Time silent = hosts.world().now();
      hosts.until([&hosts] { return hosts.endings == 1; }, 20s);
      BOOST_TEST((hosts.world().now() - silent < 5s));
    }
  }
}

BOOST_AUTO_TEST_CASE(who_comes_late_to_a_directory_that_has_just_begun_anew_has_not_ended) {
  for (std::uint64_t seed = 1; seed <= some_seeds(200); ++seed) {
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      Watched hosts(seed);
      hosts.begin_anew();
      hosts.world().part({1});
      hosts.world().run_for(up_to(hosts.world().random(), 1s));
      hosts.world().mend_all();
      hosts.world().run_for(20s);
      BOOST_TEST(hosts.endings == 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_directory_that_rests_as_soon_as_it_has_begun_misses_nobody) {
  for (std::uint64_t seed = 1; seed <= some_seeds(200); ++seed) {
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      Watched hosts(seed);
      hosts.begin_anew();
      hosts.world().pause(hosts.directory_host(), 4s + up_to(hosts.world().random(), 3s));
      hosts.world().run_for(30s);
      BOOST_TEST(hosts.endings == 0);
    }
  }
}

// Hundreds of names, on a link so slow that their registration takes seconds.
BOOST_AUTO_TEST_CASE(who_is_claiming_its_names_again_has_not_ended) {
  constexpr int names = 600, watched_apart = 30;
  int endings = 0;  // outlives the hosts
  sim::Options settings;
  settings.nodes = 3;
  settings.bandwidth = 20'000;
  LinkedHosts hosts(settings);
  for (int number = 0; number < names; ++number)
    hosts.start(1, name_of("bob/", number), [](Agent& me) -> Task<> { co_await me.pause(1h); });
  hosts.world().run_for(20s);
  for (int number = 0; number < names; number += watched_apart) {
    hosts.start(2, name_of("eve/", number), [number, &endings](Agent& me) -> Task<> {
      (void)co_await me.watch(name_of("bob/", number));
      ++endings;
    });
  }
  hosts.world().run_for(5s);
  hosts.crash_directory();
  hosts.world().part({1});
  hosts.restart_directory();
  hosts.world().run_for(2s);
  hosts.world().mend_all();
  hosts.world().run_for(30s);
  BOOST_TEST(endings == 0);
}

BOOST_AUTO_TEST_CASE(a_host_that_was_silent_for_a_moment_has_not_ended) {
  for (std::uint64_t seed = 1; seed <= some_seeds(400); ++seed) {
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      Watched hosts(seed);
      hosts.world().part({1});
      hosts.world().run_for(1s + up_to(hosts.world().random(), 1s));
      hosts.world().mend_all();
      hosts.world().run_for(20s);
      BOOST_TEST(hosts.endings == 0);
    }
  }
}

// The host does nothing else for up to two seconds, and again after a moment.
BOOST_AUTO_TEST_CASE(a_host_that_is_busy_again_and_again_has_not_ended) {
  for (std::uint64_t seed = 1; seed <= some_seeds(40); ++seed) {
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      Watched hosts(seed);
      for (int times = 0; times < 30; ++times) {
        const Duration busy = up_to(hosts.world().random(), 2s);
        hosts.world().pause(1, busy);
        hosts.world().run_for(busy + up_to(hosts.world().random(), 500ms));
      }
      hosts.world().run_for(20s);
      BOOST_TEST(hosts.endings == 0);
    }
  }
}

// The node rests or is cut off. It sends and receives again as soon as it can, and before it knows
// that it was declared dead.
BOOST_AUTO_TEST_CASE(who_was_taken_for_dead_and_lives_is_heard_as_before) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      std::map<std::pair<std::string, std::string>, int> read;  // outlives the hosts
      bool in_order = true;
      LinkedHosts hosts(3, seed);
      sim::World& world = hosts.world();
      for (unsigned here = 0; here < 3; ++here) {
        hosts.start(here, name_of("reader", here), [&](Agent& me) -> Task<> {
          for (;;) {
            const Message message = co_await me.receive();
            int& last =
                read[{std::string(message.source().name().view()), std::string(me.name().view())}];
            const int number = std::stoi(std::string(message.text()));
            in_order &= number == last + 1 || (number <= last && message.redelivered());
            last = std::max(last, number);
          }
        });
        for (unsigned there = 0; there < 3; ++there) {
          if (there == here) continue;
          const Name whom(name_of("reader", there));
          const std::string pair = std::to_string(here) + "/" + std::to_string(there);
          hosts.start(here, "writer/" + pair, [whom](Agent& me) -> Task<> {
            for (int number = 1;; ++number) {
              co_await me.send(whom, std::to_string(number));
              co_await me.pause(100ms);
            }
          });
        }
      }
      world.run_for(2s);
      const Duration span = 4s + up_to(world.random(), 50s);  // also until it is forgotten
      if (seed % 2 == 0) {
        world.part({1});
        world.run_for(span);
        world.mend_all();
      } else {
        world.pause(1, span);
        world.run_for(span);
      }
      world.run_for(10s);
      const auto before = read;
      world.run_for(5s);
      BOOST_TEST(in_order);
      BOOST_TEST(read.size() == 6);
      for (const auto& [pair, count] : read)
        BOOST_TEST(count > before.at(pair) + 10, pair.first << " to " << pair.second);
    }
  }
}

// Neither its leases nor its names can be given up, so the node has nothing to wait for.
BOOST_AUTO_TEST_CASE(a_node_whose_service_has_died_stops_soon) {
  for (const Linked kind : {Linked::distributed, Linked::central}) {
    for (const Duration dead_for : {0s, 1s, 3s, 10s}) {
      sim::Options options;
      options.nodes = 2;
      sim::World world(options);
      auto service = std::make_unique<LinkedDirectory>(world, 1, kind);
      Node node(linked_node(world, 0, {1}, kind));
      node.adopt("bob", std::make_unique<Doer>([](Agent& me) -> Task<> {
                   for (;;) (void)co_await me.receive();
                 }));
      world.run_for(1s);
      world.crash(1);
      service.reset();
      world.run_for(dead_for);
      const Time began = world.now();
      const StopReport report = node.stop();
      BOOST_TEST(report.still_alive.empty());
      const double seconds = std::chrono::duration<double>(world.now() - began).count();
      BOOST_TEST(seconds <= 4.5, "dead for " << dead_for / 1s << " s: " << seconds << " s");
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
