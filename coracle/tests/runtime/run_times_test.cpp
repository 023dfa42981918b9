// The time that agents run is charged by ticks, and no more of it than the thread has used.
#include "runtime/worker/run_times.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <chrono>
#include <cstdint>

namespace coracle::detail {

namespace {

using namespace std::chrono_literals;

// Stands for mailboxes: only their addresses count.
const Mailbox* agent(std::size_t which) {
  static const std::array<char, RunTimes::most + 1> places{};
  return reinterpret_cast<const Mailbox*>(&places.at(which));
}

constexpr Duration tick = 4ms;

// A worker whose agents run in turn, each for its time, without a break.
struct Running {
  void run(const Mailbox* which, Duration span) {
    now += span;
    used += span;
    times.ran(which, now / tick * tick, [this] { return used; });
  }

  RunTimes times;
  Duration now{}, used{};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(run_times)

BOOST_AUTO_TEST_CASE(agents_that_run_for_parts_of_a_tick_get_their_shares) {
  Running worker;
  worker.times.look(0ms);
  while (worker.now < 20s) {
    worker.run(agent(0), 301us);
    worker.run(agent(1), 97us);
    worker.run(nullptr, 13us);
  }
  const double first = worker.times.of(agent(0), worker.now).share_since({}).value();
  const double second = worker.times.of(agent(1), worker.now).share_since({}).value();
  BOOST_TEST(first > 0.70);  // 301 of 411
  BOOST_TEST(first < 0.76);
  BOOST_TEST(second > 0.21);  // 97 of 411
  BOOST_TEST(second < 0.26);
}

BOOST_AUTO_TEST_CASE(an_agent_that_runs_for_long_is_charged_with_all_of_it) {
  Running worker;
  worker.times.look(0ms);
  worker.run(agent(0), 401ms);
  BOOST_TEST((worker.times.of(agent(0), 400ms).ran == 400ms));
  BOOST_TEST((worker.times.of(agent(0), 400ms).measured == 400ms));
  BOOST_TEST((worker.times.of(agent(1), 400ms).ran == 0ms));
}

BOOST_AUTO_TEST_CASE(time_in_which_the_system_runs_something_else_does_not_count) {
  Running worker;
  worker.times.look(0ms);
  worker.run(agent(0), 4ms);
  worker.now += 80ms;
  worker.run(agent(0), 20ms);
  BOOST_TEST((worker.times.of(agent(0), worker.now).ran == 24ms));
}

BOOST_AUTO_TEST_CASE(time_in_which_the_worker_sleeps_does_not_count) {
  Running worker;
  worker.times.look(0ms);
  worker.now += 1s;
  worker.times.begin(worker.now);
  worker.run(agent(0), 4ms);
  BOOST_TEST((worker.times.of(agent(0), worker.now).ran == 4ms));
}

BOOST_AUTO_TEST_CASE(nothing_is_measured_unless_somebody_looks) {
  Running worker;
  BOOST_TEST(!worker.times.is_on());
  worker.times.add(agent(0), 1s);
  worker.times.look(0ms);
  BOOST_TEST(worker.times.is_on());
  BOOST_TEST((worker.times.of(agent(0), 0ms).ran == 0ms));
  for (int second = 0; second < 61; ++second) worker.run(agent(0), 1s);
  BOOST_TEST(!worker.times.is_on());
  worker.times.look(worker.now);
  BOOST_TEST((worker.times.of(agent(0), worker.now).ran == 0ms));
}

BOOST_AUTO_TEST_CASE(a_measurement_of_too_many_agents_begins_anew) {
  Running worker;
  worker.times.look(0ms);
  for (std::size_t i = 0; i < RunTimes::most; ++i) {
    worker.run(agent(i), 4ms);
    worker.times.look(worker.now);
  }
  const RunTime first = worker.times.of(agent(0), worker.now);
  BOOST_TEST((first.ran == 4ms));
  BOOST_TEST((first.measured == worker.now));
  worker.run(agent(RunTimes::most), 4ms);
  BOOST_TEST((worker.times.of(agent(0), worker.now).measured == 0ms));  // nothing yet
  worker.run(agent(RunTimes::most), 4ms);
  const RunTime last = worker.times.of(agent(RunTimes::most), worker.now);
  BOOST_TEST((last.ran == 4ms));
  BOOST_TEST((last.measured == 4ms));
}

BOOST_AUTO_TEST_CASE(a_share_begins_anew_with_the_measurement) {
  const RunTime before{3s, 10s}, later{4s, 12s}, anew{1s, 4s};
  BOOST_TEST(later.share_since(before).value() == 0.5);
  BOOST_TEST(anew.share_since(before).value() == 0.25);
  BOOST_TEST(!RunTime().share_since(before).has_value());
  BOOST_TEST((RunTime{9s, 3s}.share_since({}).value() == 1));  // not more than all
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::detail
