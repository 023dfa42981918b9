#include "coracle/http/loop.hpp"

#include "coracle/errors.hpp"
#include "io/alarms.hpp"
#include "io/loop_state.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace coracle::http {
namespace {

using namespace std::chrono_literals;

// Counts how often its time has come.
struct Clockwork final : Alarm {
  Time deadline() const override { return when; }
  void on_time(Time) override { ++rung; }
  Time when = Time::max();
  int rung = 0;
};

BOOST_AUTO_TEST_SUITE(loop)

BOOST_AUTO_TEST_CASE(a_deadline_that_moves_later_rings_once_and_late) {
  Alarms alarms;
  Clockwork one, other;
  const Time begin(1000s);
  one.when = begin + 1s;
  alarms.set(one);
  one.when = begin + 5s;
  alarms.set(one);
  other.when = begin + 2s;
  alarms.set(other);
  alarms.ring(begin + 1s);
  BOOST_TEST(one.rung == 0);
  alarms.ring(begin + 4s);
  BOOST_TEST(other.rung == 1);
  BOOST_TEST((alarms.next() == begin + 5s));
  alarms.ring(begin + 5s);
  BOOST_TEST(one.rung == 1);
  BOOST_TEST((alarms.next() == Time::max()));
}

BOOST_AUTO_TEST_CASE(a_deadline_that_moves_earlier_is_kept) {
  Alarms alarms;
  Clockwork one;
  one.when = Time(9s);
  alarms.set(one);
  one.when = Time(3s);
  alarms.set(one);
  BOOST_TEST((alarms.next() == Time(3s)));
  alarms.remove(one);
  BOOST_TEST((alarms.next() == Time::max()));
}

BOOST_AUTO_TEST_CASE(posts_of_many_threads_are_done_in_their_order) {
  Loop loop;
  loop.start();
  std::vector<std::vector<int>> got(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < got.size(); ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 1000; ++i) loop.post([&, t, i] { got[t].push_back(i); });
    });
  for (std::thread& each : threads) each.join();
  BOOST_TEST(loop.state()->wait_until(
      [&] { return got[0].size() + got[1].size() + got[2].size() + got[3].size() == 4000; }, 60s));
  for (const auto& each : got) BOOST_TEST(std::is_sorted(each.begin(), each.end()));
}

BOOST_AUTO_TEST_CASE(a_thread_that_waits_runs_the_loop_if_nobody_does) {
  Loop loop;
  int done = 0;
  loop.post([&] { ++done; });
  loop.state()->call([&] { ++done; });
  BOOST_TEST(done == 2);
  BOOST_TEST(!loop.state()->wait_until([] { return false; }, 5ms));
  BOOST_TEST(!loop.run_until([] { return false; }, 5ms));
}

BOOST_AUTO_TEST_CASE(what_is_posted_at_the_end_of_a_round_is_done) {
  Loop loop;
  int left = 100;
  std::function<void()> again = [&] {
    if (--left != 0) loop.post(again);
  };
  loop.post(again);
  BOOST_TEST(loop.run_until([&] { return left == 0; }, 60s));
}

BOOST_AUTO_TEST_CASE(a_reactor_without_a_descriptor_is_refused) {
  Loop loop;
  BOOST_CHECK_EXCEPTION(loop.reactor(detail::plain_reactor()), Error,
                        [](const Error& error) { return error.errc() == Errc::unsupported; });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::http
