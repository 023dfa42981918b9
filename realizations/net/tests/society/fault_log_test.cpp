#include "realizations/net/src/society/home/fault_log.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace coracle::society {

namespace {

using namespace std::chrono_literals;
using net::Reason;

class HandClock final : public Clock {
 public:
  Time now() const override { return time; }
  Time time{};
};

// Keeps the only alarm there is.
struct OneAlarm final : net::Alarms {
  struct Set final : net::Alarm {
    Set(OneAlarm& of, std::function<void()> what) : home(of) { home.ring = std::move(what); }
    void set(Time at) override { home.when = at; }
    OneAlarm& home;
  };
  std::unique_ptr<net::Alarm> make(std::function<void()> what) override {
    return std::make_unique<Set>(*this, std::move(what));
  }

  std::function<void()> ring;
  Time when = Time::max();
};

struct Fixture {
  void pass(Duration time) {
    clock.time += time;
    if (alarms.when > clock.time) return;
    alarms.when = Time::max();
    alarms.ring();
  }

  HandClock clock;
  OneAlarm alarms;
  std::vector<std::string> lines;
  FaultLog faults{alarms, clock, [this](const std::string& line) { lines.push_back(line); }};
};

net::Closing refused(const std::string& by) {
  return {Reason::broken, "cannot connect to " + by + ": Connection refused"};
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(fault_log, Fixture)

BOOST_AUTO_TEST_CASE(the_same_of_one_peer_is_said_once) {
  for (int times = 0; times < 100; ++times) {
    faults.note("link to a", refused("a"));
    pass(1s);
  }
  BOOST_TEST(lines.size() == 1);
  BOOST_TEST(lines.front() == "link to a: cannot connect to a: Connection refused");
}

BOOST_AUTO_TEST_CASE(of_many_with_one_cause_a_few_are_named_and_the_others_counted) {
  for (int peer = 0; peer < 100; ++peer) {
    const std::string name = "n" + std::to_string(peer);
    faults.note("link to " + name, refused(name));
    pass(10ms);
  }
  BOOST_TEST(lines.size() == FaultLog::named);
  pass(FaultLog::period);
  BOOST_TEST_REQUIRE(lines.size() == FaultLog::named + 1);
  BOOST_TEST(lines.back() ==
             "the same fault again: 97 more; the last: link to n99: cannot connect to n99: "
             "Connection refused");
  pass(FaultLog::period);
  BOOST_TEST(lines.size() == FaultLog::named + 1);
}

BOOST_AUTO_TEST_CASE(another_cause_is_said_beside_it_and_a_later_one_again) {
  for (int peer = 0; peer < 10; ++peer) faults.note(std::to_string(peer), refused("x"));
  lines.clear();
  faults.note("a", {Reason::wrong_society, "it is of another society"});
  BOOST_TEST(lines.size() == 1);
  pass(FaultLog::period + 1s);
  faults.note("b", refused("b"));
  BOOST_TEST(lines.back() == "b: cannot connect to b: Connection refused");
}

BOOST_AUTO_TEST_CASE(strangers_who_call_themselves_what_they_like_fill_neither_log_nor_memory) {
  for (int stranger = 0; stranger < 100'000; ++stranger) {
    faults.note(std::to_string(stranger), refused("x"));
    pass(1ms);
  }
  BOOST_TEST(lines.size() <= (FaultLog::named + 1) * (100'000 / 10'000 + 1));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::society
