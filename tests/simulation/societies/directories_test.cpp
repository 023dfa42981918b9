// Several directory services for one society, on simulated hosts: nodes use the first one that
// answers, and meet again at the best one.
#include "linked/linked_hosts.hpp"

#include <boost/test/unit_test.hpp>

#include <set>
#include <string>
#include <utility>

namespace coracle::test {

namespace {

class TwoDirectories : public LinkedHosts {
 public:
  explicit TwoDirectories(std::uint64_t seed = 1) : LinkedHosts(settings(3, seed), {}, 2) {}

  void cut_both_ways(unsigned host, unsigned other) {
    world().cut(host, other);
    world().cut(other, host);
  }
  // bob on host 1 reads the messages of ann on host 0 and carl on host 2; another agent watches
  // him.
  void begin_to_talk() {
    start(1, "bob", reader(texts_, 4));
    start(0, "ann", sender("bob", 0, 2));
    until([this] { return texts_.size() == 2; });
    start(2, "eve", [this](Agent& me) -> Task<> {
      const Ending ending = co_await me.watch("bob");
      if (texts_.size() != 4) ended_early_ = true;
    });
    world().run_for(1s);
  }
  // Directories start, stop and become unreachable; then all faults end.
  void go_wrong_for(unsigned steps) {
    Random& random = world().random();
    for (; steps > 0; --steps) {
      const auto number = static_cast<unsigned>(random.next() % 2);
      const auto host = static_cast<unsigned>(random.next() % 3);
      switch (random.next() % 4) {
        case 0:
          crash_directory(number);
          world().run_for(up_to(random, 5s));
          restart_directory(number);
          break;
        case 1:
          world().cut(directory_host(number), host);
          break;
        case 2:
          cut_both_ways(directory_host(number), host);
          break;
        default:
          world().mend_all();
      }
      world().run_for(up_to(random, random.next() % 2 == 0 ? 20ms : 3s));
    }
    world().mend_all();
    world().run_for(8s);
  }
  // The first directory returns after a while, and hangs some time later. An agent that starts then
  // finds only the second directory; the agent watches bob as soon as it has his name.
  void begin_while_the_first_hangs(Duration later) {
    start(1, "bob", [](Agent& me) -> Task<> { co_await me.pause(1h); });
    crash_directory(0);
    crash(2);
    world().run_for(8s);
    restart_directory(0);
    world().run_for(later);
    world().pause(directory_host(0), 7s);
    const Time begun = world().now();
    restart(2);
    BOOST_TEST((world().now() < begun + 1s));
    watch_bob();
    world().run_for(20s);
    BOOST_TEST(knows_bob_);
    BOOST_TEST(!has_ended_);
  }
  // Eve watches bob. Both use the second directory. The first one has returned, but their nodes may
  // not have gone back to it yet.
  void begin_to_return() {
    start(1, "bob", [](Agent& me) -> Task<> { co_await me.pause(1h); });
    watch_bob();
    world().run_for(1s);
    crash_directory(0);
    world().run_for(8s + up_to(world().random(), 1s));
    restart_directory(0);
    world().run_for(up_to(world().random(), 2s));
    BOOST_TEST(knows_bob_);
  }
  bool has_ended() const { return has_ended_; }
  void go_on_talking() {
    start(2, "carl", sender("bob", 2, 2));
    until([this] { return texts_.size() == 4; }, 10s);
    BOOST_TEST(texts_ == numbers(0, 4), boost::test_tools::per_element());
    BOOST_TEST(!ended_early_);
  }

 private:
  void watch_bob() {
    start(2, "eve", [this](Agent& me) -> Task<> {
      while (!co_await me.node().directory().look_up("bob")) co_await me.pause(20ms);
      knows_bob_ = true;
      const Ending ending = co_await me.watch("bob");
      has_ended_ = true;
    });
  }

  std::vector<std::string> texts_;
  bool ended_early_ = false, knows_bob_ = false, has_ended_ = false;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(directories)

BOOST_AUTO_TEST_CASE(losing_one_of_two_loses_no_registration) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      TwoDirectories hosts(seed);
      hosts.begin_to_talk();
      hosts.crash_directory(0);
      hosts.world().run_for(8s);
      hosts.go_on_talking();
    }
  }
}

BOOST_AUTO_TEST_CASE(one_that_is_not_used_may_come_and_go) {
  TwoDirectories hosts;
  hosts.begin_to_talk();
  hosts.crash_directory(1);
  hosts.world().run_for(8s);
  hosts.restart_directory(1);
  hosts.world().run_for(8s);
  hosts.go_on_talking();
}

// The directory may accept connections, but sends nothing.
BOOST_AUTO_TEST_CASE(one_that_hangs_is_left) {
  TwoDirectories hosts;
  hosts.begin_to_talk();
  hosts.world().pause(hosts.directory_host(0), 1h);
  hosts.world().run_for(8s);
  hosts.go_on_talking();
}

// The directory's operating system accepts connections before it hangs, and keeps them.
BOOST_AUTO_TEST_CASE(a_better_one_that_hangs_is_not_used) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      TwoDirectories hosts(seed);
      hosts.begin_while_the_first_hangs(up_to(hosts.world().random(), 1s));
    }
  }
}

// Those nodes do not delay requests to the second directory either.
BOOST_AUTO_TEST_CASE(who_comes_to_the_second_is_not_told_of_those_that_have_gone_to_the_first) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      TwoDirectories hosts(seed);
      hosts.begin_while_the_first_hangs(1s + up_to(hosts.world().random(), 4s));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_node_begins_at_the_second_while_the_first_is_away) {
  TwoDirectories hosts;
  hosts.crash_directory(0);
  hosts.world().run_for(8s);
  hosts.crash(2);
  hosts.restart(2);
  hosts.begin_to_talk();
  hosts.go_on_talking();
}

// A node that starts then uses the first directory; soon all other nodes do, too.
BOOST_AUTO_TEST_CASE(all_meet_at_the_first_when_it_is_back) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      TwoDirectories hosts(seed);
      hosts.begin_to_talk();
      hosts.crash_directory(0);
      hosts.world().run_for(8s);
      hosts.restart_directory(0);
      hosts.world().run_for(8s);
      hosts.crash_directory(1);
      hosts.world().run_for(1s);
      hosts.go_on_talking();
    }
  }
}

BOOST_AUTO_TEST_CASE(
    who_falls_silent_before_it_is_at_the_first_again_is_noticed_within_five_seconds) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      TwoDirectories hosts(seed);
      hosts.begin_to_return();
      hosts.world().part({1});
      const Time silent = hosts.world().now();
      hosts.until([&] { return hosts.has_ended(); }, 20s);
      BOOST_TEST((hosts.world().now() - silent < 5s));
    }
  }
}

BOOST_AUTO_TEST_CASE(who_is_silent_for_a_moment_before_it_is_at_the_first_again_has_not_ended) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      TwoDirectories hosts(seed);
      hosts.begin_to_return();
      hosts.world().part({1});
      hosts.world().run_for(up_to(hosts.world().random(), 2s));
      hosts.world().mend_all();
      hosts.world().run_for(20s);
      BOOST_TEST(!hosts.has_ended());
    }
  }
}

BOOST_AUTO_TEST_CASE(losing_both_one_after_the_other_costs_nothing_once_one_is_back) {
  TwoDirectories hosts;
  hosts.begin_to_talk();
  for (const unsigned lost : {0u, 1u}) {
    hosts.crash_directory(lost);
    hosts.world().run_for(8s);
  }
  hosts.restart_directory(1);
  hosts.world().run_for(8s);
  hosts.go_on_talking();
}

// Host 1 reaches only the second directory, in which the name is free.
BOOST_AUTO_TEST_CASE(of_two_holders_in_two_directories_the_later_one_stays_and_the_other_is_told) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    bool first_is_told = false;  // these outlive the hosts
    std::vector<std::string> texts;
    TwoDirectories hosts(seed);
    hosts.start(0, "bob", [&first_is_told](Agent& me) -> Task<> {
      try {
        (void)co_await me.receive();
      } catch (const Error& error) {
        first_is_told = error.errc() == Errc::fenced;
      }
    });
    hosts.cut_both_ways(1, hosts.directory_host(0));
    hosts.world().run_for(20s);
    hosts.start(1, "bob", reader(texts, 1));
    hosts.world().run_for(5s);
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      BOOST_TEST_REQUIRE(!first_is_told);
      hosts.world().mend_all();
      hosts.until([&] { return first_is_told; }, 10s);
      hosts.start(2, "carl", sender("bob", 0, 1));
      hosts.until([&] { return texts.size() == 1; }, 10s);
      BOOST_TEST(texts == numbers(0, 1), boost::test_tools::per_element());
    }
  }
}

// A directory may have a lease of which its node never learned, because the answer was lost when
// the node left for the other directory. Messages to such a lease delay nothing.
BOOST_AUTO_TEST_CASE(whatever_directories_have_done_all_can_talk_in_the_end) {
  const std::uint64_t begin = sim::seed_from_environment(1);
  for (std::uint64_t seed = begin; seed < begin + 40; ++seed) {
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      std::set<std::pair<unsigned, std::string>> read;  // by reader and writer
      TwoDirectories hosts(seed);
      for (unsigned host = 0; host < 3; ++host) {
        hosts.start(host, "reader/" + std::to_string(host), [&read, host](Agent& me) -> Task<> {
          for (;;) {
            const Message message = co_await me.receive();
            read.emplace(host, message.text());
          }
        });
      }
      hosts.go_wrong_for(12);
      for (unsigned host = 0; host < 3; ++host) {
        hosts.start(host, "sender/" + std::to_string(host), [host](Agent& me) -> Task<> {
          for (unsigned other = 0; other < 3; ++other)
            co_await me.send("reader/" + std::to_string(other), std::to_string(host));
        });
      }
      hosts.until([&read] { return read.size() == 9; }, 20s);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
