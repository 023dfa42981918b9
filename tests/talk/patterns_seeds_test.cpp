// In the simulator: handlers and whole nodes die at any moment, and links are cut. Each request
// ends once and is done at most once more than handlers died over it; observers miss no notice and
// get none twice.
#include "coracle/broadcast.hpp"
#include "hardship.hpp"
#include "rpc_ground.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>
#include <map>
#include <set>

namespace coracle::rpc::test {

namespace {

using coracle::test::Nodes;
using coracle::test::some_seeds;

// The acts and messages of all incarnations.
struct Deeds {
  std::map<std::string, std::size_t> done;
  std::map<std::string, std::size_t> noticed;
  std::size_t replied = 0, rejected = 0, errors = 0, lost = 0, ends = 0, deaths = 0;
};

// Handles requests, in some time; rejects a part of them, and dies after `life` unless that is
// zero.
Body worker(Deeds& deeds, Random& random, Duration life, std::function<void()> on_death) {
  return [&deeds, &random, life, on_death](Agent& me) -> Task<> {
    const Time end = me.now() + (life == Duration::zero() ? Duration(24h) : life);
    const auto die = [&] {
      ++deeds.deaths;
      on_death();
      throw Crash("a handler dies");
    };
    Interests interests(me);
    co_await interests.handle(Pattern().format("do %d"));
    while (std::optional<Heard> heard = co_await interests.next(Deadline(end))) {
      const std::string number = heard->captures().at(0);
      if (random.next() % 8 == 0) {
        co_await heard->reject("not me");
        continue;
      }
      ++deeds.done[number];
      if (random.next() % 4 == 0) co_await me.pause(std::chrono::microseconds(random.next() % 999));
      if (me.now() >= end) die();
      co_await heard->reply(number);
    }
    die();
  };
}

// Has numbers handled, and reports each.
Task<> ask_for_all(Agent& me, Deeds& deeds, int count, Duration within) {
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    std::size_t at_most = 1;
    try {
      const Handled handled = co_await send_request(me, "do " + number, within);
      at_most += handled.lost;
      deeds.lost += handled.lost;
      if (handled.state == Handled::State::replied) {
        expect_equal(handled.answer.text(), number, "each request has its own answer");
        expect(deeds.done.contains(number), "it was done");
        ++deeds.replied;
      } else {
        expect(handled.state == Handled::State::rejected, handled.reason);
        ++deeds.rejected;
      }
    } catch (const Error& error) {
      expect(error.errc() == Errc::expired, error.what());
      at_most = 100;  // the number is unknown
      ++deeds.errors;
    }
    expect(deeds.done[number] <= at_most, number + " was done too often");
    ++deeds.ends;
    co_await send_notice(me, "asked for " + number);
  }
}

// Sends a request to all agents that are present, again and again; each of them replies once, or
// has ended.
Task<> inquire_often(Agent& me, Deeds& deeds, int count) {
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    const Replies replies = co_await send_inquiry(me, "do " + number, Collect::all(), 5s);
    expect_equal(replies.all.size(), replies.asked, "all of those who were asked are heard");
    std::set<Name> heard;
    std::size_t done = 0;
    for (const Reply& each : replies.all) {
      expect(heard.insert(each.by).second, each.by.str() + " is heard once");
      if (each.answer) {
        expect_equal(each.answer->text(), number, "each inquiry has its own replies");
        ++done;
        ++deeds.replied;
      } else {
        switch (each.answer.error().errc()) {
          case Errc::refused:
            ++deeds.rejected;
            break;
          case Errc::agent_failed:
          case Errc::peer_down:
            ++deeds.lost;
            break;
          default:
            expect(each.answer.error().errc() == Errc::expired, each.answer.error().sentence());
            ++deeds.errors;
        }
      }
    }
    expect(deeds.done[number] >= done && deeds.done[number] <= replies.asked, "done once by each");
    ++deeds.ends;
    co_await me.pause(100us);
  }
}

Body witness(Deeds& deeds, bool& ready) {
  return [&deeds, &ready](Agent& me) -> Task<> {
    Interests interests(me);
    co_await interests.observe(Pattern().format("asked for %d"));
    ready = true;
    for (;;) {
      const Heard heard = co_await interests.next();
      ++deeds.noticed[heard.captures().at(0)];
    }
  };
}

void add(const Deeds& deeds, Deeds& sum) {
  sum.replied += deeds.replied;
  sum.rejected += deeds.rejected;
  sum.errors += deeds.errors;
  sum.lost += deeds.lost;
  sum.deaths += deeds.deaths;
}

void check_notices(const Deeds& deeds, std::size_t count, std::uint64_t seed) {
  BOOST_TEST_REQUIRE(deeds.noticed.size() == count, "CORACLE_SEED=" << seed);
  for (const auto& [number, times] : deeds.noticed) {
    BOOST_TEST_REQUIRE(times == 1U, "notice " << number << ", CORACLE_SEED=" << seed);
  }
}

void report(const Deeds& sum, const char* who) {
  std::cout << sum.deaths << ' ' << who << " died, " << sum.lost << " with a request; "
            << sum.replied << " requests were done, " << sum.rejected << " rejected, " << sum.errors
            << " ended at their deadline\n";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(patterns_seeds)

BOOST_AUTO_TEST_CASE(whenever_a_handler_dies_each_request_ends_once) {
  Deeds sum;
  const std::uint64_t begin = sim::seed_from_environment(1);
  for (std::uint64_t seed = begin; seed < begin + some_seeds(100); ++seed) {
    Nodes nodes(3, seed);
    Random& random = nodes.world().random();
    Deeds deeds;
    bool over = false, ready = false;
    nodes.start(0, "witness", witness(deeds, ready));
    const auto make = [&](unsigned which, Duration life, std::function<void()> on_death) {
      nodes.start(which, "worker/" + std::to_string(which),
                  worker(deeds, random, life, std::move(on_death)));
    };
    Mortals workers(nodes, 3, make);
    nodes.until([&] { return ready; });
    nodes.start(0, "asker", [&](Agent& me) -> Task<> {
      co_await ask_for_all(me, deeds, 40, 5s);
      over = true;
    });
    workers.live_until(over);
    nodes.until([&] { return over; }, 60min);
    nodes.world().run_for(1s);
    BOOST_TEST_REQUIRE(deeds.ends == 40U, "CORACLE_SEED=" << seed);
    check_notices(deeds, 40, seed);
    add(deeds, sum);
  }
  report(sum, "handlers");
  BOOST_TEST(sum.deaths > 0U);
  BOOST_TEST(sum.lost > 0U);
  BOOST_TEST(sum.replied > sum.rejected + sum.errors);
}

BOOST_AUTO_TEST_CASE(whenever_handlers_die_each_is_heard_once_of_an_inquiry) {
  Deeds sum;
  const std::uint64_t begin = sim::seed_from_environment(1);
  for (std::uint64_t seed = begin; seed < begin + some_seeds(100); ++seed) {
    Nodes nodes(3, seed);
    Deeds deeds;
    bool over = false;
    const auto make = [&](unsigned which, Duration life, std::function<void()> on_death) {
      nodes.start(which, "worker/" + std::to_string(which),
                  worker(deeds, nodes.world().random(), life, std::move(on_death)));
    };
    Mortals workers(nodes, 3, make);
    nodes.start(0, "asker", [&](Agent& me) -> Task<> {
      co_await inquire_often(me, deeds, 40);
      over = true;
    });
    workers.live_until(over);
    nodes.until([&] { return over; }, 60min);
    BOOST_TEST_REQUIRE(deeds.ends == 40U, "CORACLE_SEED=" << seed);
    add(deeds, sum);
  }
  report(sum, "handlers");
  BOOST_TEST(sum.lost > 0U);
  BOOST_TEST(sum.replied > sum.rejected + sum.lost + sum.errors);
}

BOOST_AUTO_TEST_CASE(nodes_that_die_and_ways_that_are_cut_lose_no_notice_and_end_no_request_twice) {
  Deeds sum;
  const std::uint64_t begin = sim::seed_from_environment(1);
  for (std::uint64_t seed = begin; seed < begin + some_seeds(40); ++seed) {
    Nodes nodes(4, seed);
    Random& random = nodes.world().random();
    Deeds deeds;
    bool over = false, ready = false;
    nodes.start(3, "witness", witness(deeds, ready));
    const auto serve = [&](unsigned node) {
      AgentSpec spec("worker/" + std::to_string(node));
      spec.take_over();  // the lease of a node that has died lasts for some time
      nodes.start(node, std::move(spec), worker(deeds, random, Duration::zero(), [] {}));
    };
    serve(1);
    serve(2);
    nodes.until([&] { return ready; });
    nodes.start(0, "asker", [&](Agent& me) -> Task<> {
      co_await ask_for_all(me, deeds, 100, 20s);
      over = true;
    });
    deeds.deaths += static_cast<std::size_t>(trouble_nodes(nodes, 3, over, serve));
    nodes.until([&] { return over; }, 60min);
    nodes.world().run_for(1min);
    BOOST_TEST_REQUIRE(deeds.ends == 100U, "CORACLE_SEED=" << seed);
    check_notices(deeds, 100, seed);
    add(deeds, sum);
  }
  report(sum, "nodes");
  BOOST_TEST(sum.deaths > 0U);
  BOOST_TEST(sum.replied > sum.rejected + sum.errors);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::rpc::test
