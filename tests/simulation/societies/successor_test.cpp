// A directory that restarts without its data: nodes get their names again before anybody else does.
#include "linked/linked_hosts.hpp"
#include "support/societies/doer.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <vector>

namespace coracle::test {

namespace {

struct Claimed {  // outlives the hosts
  bool wants = false;
  std::optional<Time> has_name;
  std::optional<Errc> refused;
  bool is_fenced = false;
  std::vector<std::string> texts;
};

// bob on host 1; on host 2 an agent that will register his name.
class Successors : public Claimed, public LinkedHosts {
 public:
  explicit Successors(std::uint64_t seed) : LinkedHosts(3, seed) {
    start(1, "bob", [this](Agent& me) -> Task<> {
      try {
        for (;;) {
          const Message message = co_await me.receive();
          texts.emplace_back(message.text());
        }
      } catch (const Error& error) {
        is_fenced = error.errc() == Errc::fenced;
      }
    });
    start(2, "eve", [this](Agent& me) -> Task<> {
      while (!wants) co_await me.pause(1ms);
      auto other = std::make_unique<Doer>([](Agent& him) -> Task<> { co_await him.pause(1h); });
      try {
        (void)co_await me.adopt("bob", std::move(other));
        has_name = me.now();
      } catch (const Error& error) {
        refused = error.errc();
      }
      co_await me.pause(1h);
    });
    world().run_for(2s);
  }
  void begin_anew() {
    crash_directory();
    restart_directory();
    wants = true;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(successor)

BOOST_AUTO_TEST_CASE(a_name_is_kept_for_who_held_it_before_and_comes_a_little_later) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      Successors hosts(seed);
      hosts.world().part({1});
      hosts.begin_anew();
      hosts.world().run_for(1500ms);
      BOOST_TEST(!hosts.has_name);
      BOOST_TEST(!hosts.refused);
      hosts.world().mend_all();
      hosts.until([&hosts] { return hosts.refused || hosts.has_name; }, 10s);
      BOOST_TEST((hosts.refused == Errc::name_taken));
      BOOST_TEST(!hosts.is_fenced);
      hosts.start(0, "ann", sender("bob", 0, 1));
      hosts.until([&hosts] { return hosts.texts.size() == 1; }, 10s);
    }
  }
}

BOOST_AUTO_TEST_CASE(who_does_not_come_back_loses_its_name_within_seconds) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      Successors hosts(seed);
      hosts.crash(1);
      const Time began = hosts.world().now();
      hosts.begin_anew();
      hosts.until([&hosts] { return hosts.refused || hosts.has_name; }, 20s);
      BOOST_TEST_REQUIRE(hosts.has_name.has_value());
      BOOST_TEST((*hosts.has_name - began > 4s));
      BOOST_TEST((*hosts.has_name - began < 8s));
    }
  }
}

// A node that may have held the name registers every moment.
BOOST_AUTO_TEST_CASE(nobody_waits_longer_than_a_term) {
  Successors hosts(1);
  hosts.crash(1);
  const Time began = hosts.world().now();
  hosts.begin_anew();
  for (int times = 0; times < 60 && !hosts.has_name; ++times) {
    hosts.crash(0);
    hosts.restart(0);
    hosts.world().run_for(700ms);
  }
  BOOST_TEST_REQUIRE(hosts.has_name.has_value());
  BOOST_TEST((*hosts.has_name - began < 16s));
}

BOOST_AUTO_TEST_CASE(a_first_directory_lets_nobody_wait) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    BOOST_TEST_CONTEXT("CORACLE_SEED=" << seed) {
      bool is_there = false;
      LinkedHosts hosts(2, seed);
      hosts.start(0, "ann", [](Agent& me) -> Task<> { co_await me.pause(1h); });
      // A node comes once more, and knows of this directory.
      hosts.crash(1);
      hosts.restart(1);
      hosts.world().reset(hosts.directory_host(), 0);
      const Time began = hosts.world().now();
      hosts.start(1, "bob", [&is_there](Agent& me) -> Task<> {
        is_there = true;
        co_await me.pause(1h);
      });
      hosts.until([&is_there] { return is_there; }, 1s);
      BOOST_TEST((hosts.world().now() - began < 1s));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
