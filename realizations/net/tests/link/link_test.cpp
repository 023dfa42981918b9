// The behaviour of links, one thing at a time, in the simulated network.
#include "realizations/net/src/simulated/alarms.hpp"
#include "support/link_node.hpp"
#include "support/side.hpp"
#include "support/sim_bench.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::net::test {
namespace {

using namespace std::chrono_literals;

// Two nodes; bob listens, ann dials.
struct Two {
  explicit Two(LinkOptions settings = {}, Identity one = identity("node0"),
               Identity other = identity("node1", 2))
      : options(settings) {
    ann = make(0, std::move(one));
    bob = make(1, std::move(other));
    place = bob->links.listen(Endpoint::parse("sim://node1:7").value()).value();
    ann->add("node1", place);
  }
  std::unique_ptr<LinkNode> make(unsigned index, Identity self) {
    alarms[index] = sim_alarms(lab.queue, lab.network, index);
    return std::make_unique<LinkNode>(lab.network.at(index), *alarms[index], lab.clock, lab.random,
                                      std::move(self), options, ledger, index, ModelUser::Habits{});
  }
  bool open() {
    ann->link->dial();
    return lab.until([&] {
      return bob->link != nullptr && bob->link->session().is_open() &&
             ann->link->session().is_open();
    });
  }
  void talk(unsigned turns) {
    for (unsigned i = 0; i < turns; ++i) {
      for (LinkNode* each : {ann.get(), bob.get()}) {
        if (each->link == nullptr) continue;
        each->user.act(5);
        each->link->flush();
      }
      lab.run(20ms);
    }
  }
  bool finish() {
    return lab.until([&] {
      for (LinkNode* each : {ann.get(), bob.get()}) {
        each->user.finish();
        each->link->flush();
      }
      return ann->user.is_done() && bob->user.is_done();
    });
  }

  SimLab lab{1};
  Ledger ledger;
  LinkOptions options;
  std::unique_ptr<Alarms> alarms[2];
  std::unique_ptr<LinkNode> ann, bob;
  Endpoint place;
};

BOOST_AUTO_TEST_SUITE(link)

BOOST_AUTO_TEST_CASE(two_nodes_that_share_a_key_talk) {
  Two two;
  BOOST_REQUIRE(two.open());
  two.talk(50);
  BOOST_TEST(two.finish());
  BOOST_TEST(two.ledger.arrivals > 100u);
  BOOST_TEST(two.ann->faults.empty());
  BOOST_TEST(two.bob->faults.empty());
  BOOST_TEST(two.ann->link->session().heartbeats().round_trip().has_value());
}

BOOST_AUTO_TEST_CASE(a_reset_is_followed_by_a_resumption) {
  Two two;
  BOOST_REQUIRE(two.open());
  for (int i = 0; i < 20; ++i) {
    two.talk(3);
    two.lab.network.reset_connections(0, 1);
  }
  BOOST_TEST(two.finish());
  BOOST_TEST(two.ann->user.opened > 5u);
  BOOST_TEST(two.ann->user.restarted == 0u);
  BOOST_TEST(two.lab.network.live_connections() <= 1u);
}

BOOST_AUTO_TEST_CASE(a_silent_peer_is_suspected_within_5_s_and_trusted_when_it_is_back) {
  Two two;
  BOOST_REQUIRE(two.open());
  two.lab.run(10s);
  two.lab.network.half_open(0, 1);
  two.lab.network.cut(0, 1);
  two.lab.network.cut(1, 0);
  two.lab.run(5s);
  BOOST_TEST(two.ann->link->session().heartbeats().is_suspected());
  BOOST_TEST(two.bob->link->session().heartbeats().is_suspected());
  BOOST_TEST(two.ann->user.suspected == 1u);
  two.lab.network.heal();
  two.lab.run(15s);
  BOOST_TEST(!two.ann->link->session().heartbeats().is_suspected());
  BOOST_TEST(two.ann->link->session().is_open());
  BOOST_TEST(two.ann->user.restarted == 0u);
}

BOOST_AUTO_TEST_CASE(a_live_peer_behind_much_jitter_is_never_suspected) {
  Two two;
  LinkConditions bad;
  bad.delay_most = 50ms;
  bad.jitter = 250ms;
  two.lab.network.set_link(0, 1, bad);
  two.lab.network.set_link(1, 0, bad);
  BOOST_REQUIRE(two.open());
  two.lab.run(3600s);
  BOOST_TEST(two.ann->user.suspected == 0u);
  BOOST_TEST(two.bob->user.suspected == 0u);
  BOOST_TEST(two.ann->user.opened == 1u);
}

BOOST_AUTO_TEST_CASE(who_dials_each_other_at_once_ends_up_with_one_connection) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Two two;
    LinkConditions varied;
    varied.delay_most = 5ms;
    varied.jitter = 5ms;
    two.lab.network.set_link(0, 1, varied);
    two.lab.network.set_link(1, 0, varied);
    for (std::uint64_t i = 0; i < seed; ++i) two.lab.random.next();
    const auto there = two.ann->links.listen(Endpoint::parse("sim://node0:7").value()).value();
    two.bob->add("node0", there);
    two.ann->link->dial();
    two.lab.run(Duration(between(two.lab.random, 0, 12'000'000)));
    two.bob->link->dial();
    two.talk(10);
    two.lab.run(2s);
    BOOST_TEST(two.finish());
    BOOST_TEST(two.lab.network.live_connections() == 1u);
    BOOST_TEST(two.ann->user.restarted + two.bob->user.restarted == 0u);
    BOOST_TEST(two.ann->user.opened <= 2u);
  }
}

BOOST_AUTO_TEST_CASE(who_has_begun_anew_is_a_new_life_and_its_past_is_refused) {
  Two two;
  BOOST_REQUIRE(two.open());
  two.talk(10);
  two.lab.network.crash(0, Crash::process);
  two.ann.reset();
  two.lab.run(1s);
  two.lab.network.restart(0);
  two.ann = two.make(0, identity("node0", 77));
  two.ann->add("node1", two.place);
  BOOST_REQUIRE(two.open());
  BOOST_TEST(two.bob->user.restarted == 1u);
  two.talk(10);
  BOOST_TEST(two.finish());
  // A node that claims to be the first start of it is refused.
  two.ann = two.make(0, identity("node0", 1));
  two.ann->add("node1", two.place);
  two.ann->link->dial();
  two.lab.run(3s);
  BOOST_TEST(!two.ann->link->session().is_open());
  BOOST_TEST(two.ann->count(Reason::stale) > 0u);
  BOOST_TEST(two.bob->count(Reason::stale) > 0u);
}

BOOST_AUTO_TEST_CASE(who_does_not_come_back_is_given_up) {
  LinkOptions options;
  options.session.give_up = 20s;
  Two two(options);
  BOOST_REQUIRE(two.open());
  two.talk(10);
  two.lab.network.crash(0, Crash::power);
  two.ann.reset();
  two.lab.run(15s);
  BOOST_TEST(two.bob->user.gone == 0u);
  two.lab.run(10s);
  BOOST_TEST(two.bob->user.gone == 1u);
  two.lab.network.restart(0);
  two.ann = two.make(0, identity("node0", 78));
  two.ann->add("node1", two.place);
  BOOST_REQUIRE(two.open());
  two.talk(10);
  BOOST_TEST(two.finish());
}

BOOST_AUTO_TEST_CASE(who_leaves_is_gone_at_once) {
  Two two;
  BOOST_REQUIRE(two.open());
  two.talk(10);
  two.ann->link->leave();
  two.lab.run(1s);
  BOOST_TEST(two.bob->user.gone == 1u);
  BOOST_TEST(two.ann->user.gone == 1u);
  BOOST_TEST(two.lab.network.live_connections() == 0u);
  BOOST_TEST(two.open());
  two.talk(10);
  BOOST_TEST(two.finish());
}

BOOST_AUTO_TEST_CASE(an_idle_connection_is_closed_and_made_again_when_it_is_needed) {
  LinkOptions options;
  options.idle = 3s;
  Two two(options);
  BOOST_REQUIRE(two.open());
  two.talk(10);
  BOOST_TEST(two.finish());
  two.lab.run(10s);
  BOOST_TEST(two.lab.network.live_connections() == 0u);
  two.lab.run(3600s);
  BOOST_TEST(two.ann->user.suspected + two.ann->user.gone == 0u);
  BOOST_TEST(two.bob->user.suspected + two.bob->user.gone == 0u);
  two.talk(10);
  BOOST_TEST(two.finish());
  BOOST_TEST(two.ann->user.restarted == 0u);
  BOOST_TEST(two.ann->user.opened == 2u);
}

BOOST_AUTO_TEST_CASE(who_is_not_let_in_is_told_why_and_logged_once) {
  const auto refused = [](Identity one, Reason reason, LinkOptions options = {}) {
    Two two(options, std::move(one));
    two.ann->link->dial();
    two.lab.until([&] { return !two.ann->faults.empty() && !two.bob->faults.empty(); });
    BOOST_TEST(two.ann->count(reason) == 1u);
    BOOST_TEST(two.bob->count(reason) == 1u);
    BOOST_TEST(two.ann->faults.size() == 1u);
    BOOST_TEST(two.bob->faults.size() == 1u);
    BOOST_TEST(two.bob->link == nullptr);
  };
  Identity other = identity("node0");
  other.society = "elsewhere";
  refused(other, Reason::wrong_society);
  refused(identity("node2"), Reason::not_permitted);  // the simulator vouches for node0
  refused(identity("node1"), Reason::not_permitted);  // our own name
}

BOOST_AUTO_TEST_CASE(two_that_speak_no_common_version_part_with_that_reason) {
  Two two;
  LinkOptions newer;
  newer.versions = {2, 3};
  two.options = newer;
  two.ann = two.make(0, identity("node0"));
  two.ann->add("node1", two.place);
  two.ann->link->dial();
  BOOST_TEST(two.lab.until([&] { return two.ann->count(Reason::wrong_version) == 1u; }));
  BOOST_TEST(two.bob->count(Reason::wrong_version) == 1u);
}

BOOST_AUTO_TEST_CASE(somebody_who_is_not_wanted_is_refused) {
  Two two;
  two.bob->lets_in = false;
  two.ann->link->dial();
  two.lab.run(50ms);
  BOOST_TEST(two.bob->count(Reason::not_permitted) == 1u);
  BOOST_TEST(two.ann->count(Reason::not_permitted) == 1u);
}

// Returns the bytes that an unknown client gets if it sends `bytes` and then waits.
std::string answer(Two& two, std::string bytes, Duration wait) {
  Caller caller;
  const Endpoint there[] = {two.place};
  caller.attempt = two.lab.network.at(0).connect(there, 5s, caller);
  BOOST_REQUIRE(two.lab.until([&] { return caller.side != nullptr; }));
  caller.side->keep_reading();
  if (!bytes.empty()) caller.side->write(std::move(bytes));
  two.lab.run(wait);
  BOOST_TEST(caller.side->closed.has_value());
  return caller.side->received;
}

BOOST_AUTO_TEST_CASE(a_stranger_is_sent_away_in_time_or_at_the_first_wrong_byte) {
  Two two;
  BOOST_TEST(answer(two, "GET / HTTP/1.1\r\n", 100ms).find("does not begin") != std::string::npos);
  BOOST_TEST(two.bob->count(Reason::malformed) == 1u);
  answer(two, std::string("\x01\xff\xff\xff", 4), 100ms);
  BOOST_TEST(two.bob->count(Reason::oversize) == 1u);
  BOOST_TEST(answer(two, "", 5s).find("no greeting") != std::string::npos);
  answer(two,
         std::string("\x01\x20\x00\x00"
                     "CRCL",
                     8),
         5s);
  BOOST_TEST(two.bob->count(Reason::too_slow) == 2u);
  BOOST_TEST(two.bob->faults.size() == 4u);
  BOOST_TEST(two.open());
}

BOOST_AUTO_TEST_CASE(who_goes_before_its_greeting_is_over_is_no_fault) {
  Two two;
  const Endpoint there[] = {two.place};
  for (const bool in_order : {true, false}) {
    Caller caller;
    caller.attempt = two.lab.network.at(0).connect(there, 5s, caller);
    BOOST_REQUIRE(two.lab.until([&] { return caller.side != nullptr; }));
    caller.side->write("\x01");
    two.lab.run(10ms);
    in_order ? caller.side->connection->close() : caller.side->connection->reset();
    two.lab.run(100ms);
  }
  BOOST_TEST(two.bob->faults.empty());
  BOOST_TEST(two.open());
  BOOST_TEST(two.lab.network.live_connections() == 1u);
}

BOOST_AUTO_TEST_CASE(the_slowest_of_too_many_strangers_is_sent_away) {
  LinkOptions options;
  options.greetings = 3;
  Two two(options);
  std::vector<std::unique_ptr<Caller>> callers;
  const Endpoint there[] = {two.place};
  for (int i = 0; i < 10; ++i) {
    callers.push_back(std::make_unique<Caller>());
    callers.back()->attempt = two.lab.network.at(0).connect(there, 5s, *callers.back());
  }
  two.lab.run(100ms);
  BOOST_TEST(two.bob->count(Reason::busy) == 7u);
  BOOST_TEST(two.open());
}

BOOST_AUTO_TEST_CASE(a_link_may_be_removed_whenever) {
  Two two;
  BOOST_REQUIRE(two.open());
  two.talk(3);
  two.bob->lets_in = false;
  two.bob->links.remove(*two.bob->link);
  two.bob->link = nullptr;
  BOOST_TEST(two.bob->links.find("node0") == nullptr);
  two.lab.run(100ms);
  two.ann->links.remove(*two.ann->link);
  two.ann->link = nullptr;
  two.lab.run(10s);
  BOOST_TEST(two.lab.network.live_connections() == 0u);
}

// Its user sends messages of that size, so a session with such a peer could not carry them.
BOOST_AUTO_TEST_CASE(a_peer_that_accepts_less_than_the_least_is_refused_by_either_side) {
  LinkOptions strict, small;
  strict.least_largest = 1000;
  small.session.largest = 999;
  for (const bool is_dialled : {true, false}) {
    Two two(is_dialled ? strict : small);
    two.options = is_dialled ? small : strict;
    two.ann = two.make(0, identity("node0"));
    two.ann->add("node1", two.place);
    two.ann->link->dial();
    const LinkNode& refusing = is_dialled ? *two.bob : *two.ann;
    BOOST_TEST(two.lab.until([&] { return refusing.count(Reason::malformed) == 1; }));
    BOOST_TEST(refusing.lines.front().find("accepts 999 bytes") != std::string::npos);
    BOOST_TEST(!two.ann->link->session().is_open());
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
