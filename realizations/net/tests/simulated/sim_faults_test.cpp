// The effects of faults on connections in the simulated network.
#include "realizations/net/src/simulated/alarms.hpp"
#include "support/side.hpp"
#include "support/sim_bench.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::net::test {
namespace {

using namespace std::chrono_literals;

// A listener on node 0, and a connection to it from node 1.
struct Call {
  explicit Call(SimLab& world, NodeId from = 1) : lab(world) {
    listener = lab.network.at(0).listen(Endpoint::parse("sim://node0:7").value(), host).value();
    dial(from);
    BOOST_REQUIRE(lab.until([&] { return caller.told > 0 && !host.guests.empty(); }));
    BOOST_REQUIRE(caller.side != nullptr);
  }
  void dial(NodeId from, Deadline deadline = {}) {
    const Endpoint there[] = {Endpoint::parse("sim://node0:7").value()};
    caller.attempt = lab.network.at(from).connect(there, deadline, caller);
  }
  Side& server() { return *host.guests.front(); }
  Side& client() { return *caller.side; }

  SimLab& lab;
  Host host;
  Caller caller;
  std::unique_ptr<Listener> listener;
};

SimNetworkOptions three_nodes() {
  SimNetworkOptions options;
  options.nodes = 3;
  return options;
}

BOOST_AUTO_TEST_SUITE(sim_faults)

BOOST_AUTO_TEST_CASE(a_short_cut_delays_bytes_and_loses_none) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SimLab lab(seed);
    Call call(lab);
    call.server().keep_reading();
    lab.network.cut(1, 0);
    call.client().write(pattern(30'000));
    lab.run(5s);
    BOOST_TEST(call.server().received.empty());
    lab.network.mend(1, 0);
    BOOST_TEST(lab.until([&] { return call.server().received.size() == 30'000; }));
    BOOST_TEST((call.server().received == pattern(30'000)));
    BOOST_TEST(!call.client().closed);
  }
}

BOOST_AUTO_TEST_CASE(what_is_lost_is_sent_again_more_and_more_rarely) {
  for (const auto& [cut, arrives] : {std::pair{100ms, 206ms},
                                     {300ms, 616ms},
                                     {700ms, 1436ms},
                                     {1400ms, 1436ms},
                                     {1500ms, 3076ms},
                                     {4000ms, 6356ms}}) {
    SimLab lab(1);
    Call call(lab);
    call.server().keep_reading();
    lab.network.cut(1, 0);
    call.client().write("once more");
    lab.run(cut);
    lab.network.mend(1, 0);
    lab.run(arrives - cut - 1ms);
    BOOST_TEST(call.server().received.empty(), "cut for " << cut.count() << " ms");
    lab.run(2ms);
    BOOST_TEST(call.server().received == "once more", "cut for " << cut.count() << " ms");
  }
}

BOOST_AUTO_TEST_CASE(an_alarm_does_not_ring_in_its_nodes_next_life) {
  SimLab lab(1);
  std::vector<std::string> rung;
  const auto first = sim_alarms(lab.queue, lab.network, 0);
  const auto old = first->make([&rung] { rung.push_back("first life"); });
  old->set(lab.clock.now() + 1s);
  lab.network.crash(0, Crash::power);
  lab.network.restart(0);
  const auto second = sim_alarms(lab.queue, lab.network, 0);
  const auto young = second->make([&rung] { rung.push_back("second life"); });
  young->set(lab.clock.now() + 1s);
  lab.run(2s);
  BOOST_TEST(rung == std::vector<std::string>{"second life"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_long_cut_breaks_the_writers_connection_and_leaves_the_other_half_open) {
  SimLab lab(1);
  Call call(lab);
  call.server().keep_reading();
  call.client().keep_reading();
  const NodeId island[] = {0};
  lab.network.partition(island);
  call.client().write("into the dark");
  lab.run(9s);
  BOOST_TEST(!call.client().closed);
  lab.run(2s);
  BOOST_REQUIRE(call.client().closed.has_value());
  BOOST_TEST((call.client().closed->errc() == Errc::disconnected));
  lab.network.heal();
  lab.run(60s);
  BOOST_TEST(call.server().received == "");
  BOOST_TEST(!call.server().closed, "who only waits is told nothing");
  call.server().write("anybody?");
  lab.run(2s);
  BOOST_TEST(call.server().closed.has_value(), "who writes is answered with a reset");
}

BOOST_AUTO_TEST_CASE(a_one_way_cut_lets_bytes_through_but_no_answers) {
  SimLab lab(2);
  Call call(lab);
  call.server().keep_reading();
  call.client().keep_reading();
  const NodeId island[] = {0};
  lab.network.partition_one_way(island);
  call.client().write("heard, not answered");
  lab.run(1s);
  BOOST_TEST(call.server().received == "heard, not answered");
  call.server().write("lost");
  lab.run(11s);
  BOOST_TEST(call.client().received == "");
  BOOST_TEST(call.client().closed.has_value(), "its bytes were never acknowledged");
  BOOST_TEST(call.server().closed.has_value());
}

BOOST_AUTO_TEST_CASE(a_reset_ends_both_sides) {
  SimLab lab(3);
  Call call(lab);
  call.server().keep_reading();
  call.client().keep_reading();
  lab.network.reset_connections(0, 1);
  lab.run(1s);
  BOOST_TEST(call.server().closed.has_value());
  BOOST_TEST(call.client().closed.has_value());
  BOOST_TEST(lab.network.live_connections() == 0u);
}

BOOST_AUTO_TEST_CASE(a_half_open_connection_is_noticed_by_writing_only) {
  SimLab lab(4);
  Call call(lab);
  call.server().keep_reading();
  call.client().keep_reading();
  lab.network.half_open(0, 1);
  lab.run(3600s);
  BOOST_TEST(!call.client().closed);
  call.client().write("hello?");
  lab.run(11s);
  BOOST_TEST(call.client().closed.has_value());
  lab.run(3600s);
  BOOST_TEST(!call.server().closed);
  call.dial(1, 1s);  // a new one is not affected
  lab.run(1s);
  BOOST_TEST(call.host.guests.size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_stalled_peer_takes_bytes_until_its_window_is_full) {
  SimNetworkOptions options;
  options.window = 10'000;
  SimLab lab(5, options);
  Call call(lab);
  call.server().keep_reading();
  lab.network.stall(0, 1);
  call.client().write(pattern(9'000));
  lab.run(1s);
  BOOST_TEST(call.client().written == 1u);
  BOOST_TEST(call.server().received.empty());
  call.client().write(pattern(9'000, 1));
  lab.run(5s);
  BOOST_TEST(call.client().written == 1u);
  lab.network.unstall(0, 1);
  lab.run(1s);
  BOOST_TEST(call.client().written == 2u);
  BOOST_TEST((call.server().received == pattern(9'000) + pattern(9'000, 1)));
  lab.network.stall(0, 1);
  call.client().write(pattern(30'000));
  lab.run(11s);
  BOOST_TEST(call.client().closed.has_value(), "TCP_USER_TIMEOUT counts for a closed window too");
}

BOOST_AUTO_TEST_CASE(a_paused_node_is_connected_to_but_says_nothing_until_it_goes_on) {
  SimLab lab(6, three_nodes());
  Call call(lab);
  call.server().keep_reading();
  lab.network.pause(0);
  call.client().write("while it sleeps");
  Caller other;
  const Endpoint there[] = {call.listener->endpoint()};
  other.attempt = lab.network.at(2).connect(there, 5s, other);
  lab.run(20s);
  BOOST_TEST(other.side != nullptr, "its system answers");
  BOOST_TEST(call.host.guests.size() == 1u);
  BOOST_TEST(call.server().received == "");
  BOOST_TEST(!call.client().closed);
  lab.network.resume(0);
  lab.run(1s);
  BOOST_TEST(call.server().received == "while it sleeps");
  BOOST_TEST(call.host.guests.size() == 2u);
}

BOOST_AUTO_TEST_CASE(when_a_program_dies_its_peers_are_reset_and_callers_refused) {
  SimLab lab(7);
  Call call(lab);
  call.client().keep_reading();
  call.server().keep_reading();
  lab.network.crash(0, Crash::process);
  lab.run(1s);
  BOOST_TEST(call.client().closed.has_value());
  BOOST_TEST(call.server().closings == 0u, "the dead are told nothing");
  Caller again;
  const Endpoint there[] = {call.listener->endpoint()};
  again.attempt = lab.network.at(1).connect(there, 5s, again);
  lab.run(1s);
  BOOST_REQUIRE(again.failure.has_value());
  BOOST_TEST((again.failure->errc() == Errc::unreachable));
}

BOOST_AUTO_TEST_CASE(when_the_power_fails_peers_learn_of_it_by_silence_or_after_the_restart) {
  SimLab lab(8, three_nodes());
  Call first(lab);
  Caller second;
  const Endpoint there[] = {first.listener->endpoint()};
  second.attempt = lab.network.at(2).connect(there, 5s, second);
  BOOST_REQUIRE(lab.until([&] { return second.side && first.host.guests.size() == 2; }));
  first.client().keep_reading();
  second.side->keep_reading();
  lab.network.crash(0, Crash::power);
  lab.run(60s);
  BOOST_TEST(!first.client().closed);
  first.client().write("hello?");
  lab.run(11s);
  BOOST_TEST(first.client().closed.has_value());
  Caller late;
  late.attempt = lab.network.at(2).connect(there, 5s, late);
  lab.run(6s);
  BOOST_REQUIRE(late.failure.has_value());
  BOOST_TEST((late.failure->errc() == Errc::expired));
  second.side->write("and me?");
  lab.run(5s);
  BOOST_TEST(!second.side->closed);
  lab.network.restart(0);
  lab.run(3s);
  BOOST_TEST(second.side->closed.has_value(), "the new system knows nothing of the old");
}

BOOST_AUTO_TEST_CASE(a_restarted_node_begins_anew_and_its_old_network_is_dead) {
  SimLab lab(9);
  Call call(lab);
  Network& old = lab.network.at(0);
  lab.network.crash(0, Crash::power);
  BOOST_TEST(!lab.network.is_up(0));
  lab.network.restart(0);
  Host host;
  const auto refused = old.listen(call.listener->endpoint(), host);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().errc() == Errc::stopped));
  Caller zombie;
  const Endpoint there[] = {call.listener->endpoint()};
  zombie.attempt = old.connect(there, 5s, zombie);
  const auto listener = lab.network.at(0).listen(call.listener->endpoint(), host);
  BOOST_REQUIRE(listener.has_value());
  Caller fresh;
  fresh.attempt = lab.network.at(1).connect(there, 5s, fresh);
  lab.run(10s);
  BOOST_TEST(fresh.side != nullptr);
  BOOST_TEST(host.guests.size() == 1u);
  BOOST_TEST(zombie.told == 0);
}

BOOST_AUTO_TEST_CASE(connecting_waits_for_a_cut_that_ends_in_time) {
  SimLab lab(10);
  Call call(lab);
  lab.network.cut(1, 0);
  call.caller.told = 0;
  call.dial(1, 10s);
  lab.run(3s);
  BOOST_TEST(call.caller.told == 0);
  lab.network.mend(1, 0);
  lab.run(3s);
  BOOST_TEST(call.caller.told == 1);
  BOOST_TEST(call.host.guests.size() == 2u);
}

BOOST_AUTO_TEST_CASE(delay_and_bandwidth_are_what_was_asked_for) {
  SimNetworkOptions options;
  options.link.delay_least = options.link.delay_most = 10ms;
  options.link.bytes_per_second = 1'000'000;
  options.window = 1'000'000;
  SimLab lab(11, options);
  Call call(lab);
  call.server().keep_reading();
  const Time begin = lab.clock.now();
  call.client().write(pattern(500'000));
  BOOST_TEST(lab.until([&] { return call.server().received.size() == 500'000; }));
  const Duration took = lab.clock.now() - begin;
  BOOST_TEST((took >= 510ms && took <= 511ms), took.count());
}

BOOST_AUTO_TEST_CASE(swizzled_clogs_end_in_time_and_lose_nothing) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SimLab lab(seed, three_nodes());
    Call call(lab);
    call.server().keep_reading();
    lab.network.swizzle_clog(4s);
    std::string all;
    for (unsigned i = 0; i < 40; ++i) {
      if (!call.client().writing) {
        const std::string text = pattern(500, i);
        all += text;
        call.client().write(text);
      }
      lab.run(100ms);
    }
    BOOST_TEST(lab.until([&] { return call.server().received.size() == all.size(); }));
    BOOST_TEST((call.server().received == all));
  }
}

BOOST_AUTO_TEST_CASE(impossible_settings_are_refused) {
  coracle::test::ManualClock clock;
  EventQueue queue(clock);
  SeededRandom random(1);
  const auto refuses = [&](auto change) {
    SimNetworkOptions options;
    change(options);
    BOOST_CHECK_EXCEPTION(SimNetwork(queue, random, options), Error,
                          [](const Error& e) { return e.errc() == Errc::bad_options; });
  };
  refuses([](auto& options) { options.nodes = 0; });
  refuses([](auto& options) { options.nodes = 5000; });
  refuses([](auto& options) { options.window = 0; });
  refuses([](auto& options) { options.link.delay_least = -1ms; });
  refuses([](auto& options) { options.link.delay_most = Duration(0); });
  refuses([](auto& options) { options.link.jitter = -1ns; });
  refuses([](auto& options) { options.short_reads = 101; });
  refuses([](auto& options) { options.user_timeout = 0s; });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
