#include "runtime/worker/timers.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <vector>

using namespace coracle;
using coracle::detail::TimerNode;
using coracle::detail::Timers;

namespace {

struct Alarm : TimerNode {
  explicit Alarm(int at) : TimerNode([](TimerNode&) noexcept {}) { when = Time(Duration(at)); }
  // A test's heap is destroyed before its alarms.
  ~Alarm() { place = idle; }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(timers)

BOOST_AUTO_TEST_CASE(alarms_ring_in_the_order_of_their_times_and_not_before) {
  Timers timers;
  std::vector<std::unique_ptr<Alarm>> alarms;
  for (int i = 0; i < 1000; ++i) {
    alarms.push_back(std::make_unique<Alarm>((i * 7919) % 1000));
    timers.add(*alarms.back());
  }
  BOOST_TEST((timers.take_due(Time(Duration(-1))) == nullptr));
  for (int expected = 0; expected < 1000; ++expected) {
    BOOST_TEST((timers.next() == Time(Duration(expected))));
    TimerNode* const due = timers.take_due(Time(Duration(1000)));
    BOOST_REQUIRE(due != nullptr);
    BOOST_TEST((due->when == Time(Duration(expected))));
  }
  BOOST_TEST(timers.empty());
}

BOOST_AUTO_TEST_CASE(an_alarm_that_was_called_off_does_not_ring) {
  Timers timers;
  std::vector<std::unique_ptr<Alarm>> alarms;
  for (int i = 0; i < 200; ++i) {
    alarms.push_back(std::make_unique<Alarm>((i * 37) % 200));
    timers.add(*alarms.back());
  }
  for (const auto& alarm : alarms) {
    if (alarm->when.time_since_epoch().count() % 2 == 0) timers.remove(*alarm);
  }
  int rung = 0;
  Time last = Time::min();
  while (TimerNode* due = timers.take_due(Time::max())) {
    BOOST_TEST(due->when.time_since_epoch().count() % 2 == 1);
    BOOST_TEST((due->when > last));
    last = due->when;
    ++rung;
  }
  BOOST_TEST(rung == 100);
}

BOOST_AUTO_TEST_SUITE_END()
