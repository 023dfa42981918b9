// Round trips of small messages between two processes: on an idle link, then on the same link while
// a large message is on its way. Each repeat does both.
#include "harness/figures/compare.hpp"
#include "harness/figures/timing.hpp"
#include "harness/load/meeting_place.hpp"
#include "harness/load/players.hpp"
#include "harness/machines/forked.hpp"
#include "harness/run/failures.hpp"
#include "harness/run/measured_society.hpp"
#include "scenarios/scenarios.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace coracle::bench {

namespace {

// The task of this process, and its result.
struct Course {
  Content small;
  std::size_t large = 0;
  double interval = 0;     // of the idle link, in seconds
  bool is_loaded = false;  // the large message is on its way
  std::uint64_t pings = 0;
  std::vector<double> idle = {};  // round trips, in ns
  std::vector<double> loaded = {};
  double passed = 0;  // until the large message was read, in ns
};

// Sends the large message when it is asked to, and waits until it was read.
class Carrier final : public Player {
 public:
  explicit Carrier(Course& course) : course_(course) {}

 protected:
  Task<> play() override {
    Content large = content_of(course_.large);
    co_await send("catcher", Content());  // the link and the names are known from now on
    const Message ready = co_await receive();
    co_await send("pinger", Content());
    const Message start = co_await receive();
    course_.is_loaded = true;
    const Time begin = clock_now();
    co_await send("catcher", std::move(large));
    const Message caught = co_await receive();
    course_.passed = nanoseconds(clock_now() - begin);
    course_.is_loaded = false;
  }

 private:
  Course& course_;
};

// Answers each of the two messages by its size.
class Catcher final : public Player {
 protected:
  Task<> play() override {
    for (int i = 0; i < 2; ++i) {
      const Message caught = co_await receive();
      co_await send(caught.source(), Content(std::to_string(caught.content().size())));
    }
  }
};

class Pinger final : public Player {
 public:
  explicit Pinger(Course& course) : course_(course) {}

 protected:
  Task<> play() override {
    const Address ponger = find("ponger");
    const Message ready = co_await receive();
    const Time begin = clock_now() + seconds(course_.interval / 5);
    const Time end = begin + seconds(course_.interval);
    for (Time now = begin; now < end;) {
      now = clock_now();
      const double passed = co_await exchange(ponger);
      if (now >= begin) course_.idle.push_back(passed);
    }
    co_await send("carrier", Content());
    while (!course_.is_loaded) co_await exchange(ponger);
    while (course_.is_loaded) {
      const double passed = co_await exchange(ponger);
      course_.loaded.push_back(passed);
    }
    co_await send(ponger, course_.small, farewell);
  }

 private:
  Task<double> exchange(Address ponger) {
    const Time begin = clock_now();
    co_await send(ponger, std::move(course_.small));
    Message pong = co_await receive();
    course_.small = pong.consume();
    ++course_.pings;
    co_return nanoseconds(clock_now() - begin);
  }

  Course& course_;
};

NodeOptions settings_for(const Course& course) {
  NodeOptions settings;
  settings.content_limit = std::max(settings.content_limit, course.large);
  return settings;
}

void play_once(const Options& options, Course& course) {
  MeetingPlace place;
  Options here = place.here(options);
  Partner partner([&] {
    place.enter(here);
    Society society(here, settings_for(course));
    society.node().create<Ponger>(placed("ponger", 0));
    society.node().create<Catcher>(placed("catcher", here.workers - 1));
    society.wait();
    const Ledger ledger = society.node().ledger();
    society.stop({.sent = ledger.sent, .received = ledger.received});
  });
  place.serve(here);
  Society society(here, settings_for(course));
  society.node().adopt(placed("pinger", 0), std::make_unique<Pinger>(course));
  society.node().adopt(placed("carrier", here.workers - 1), std::make_unique<Carrier>(course));
  society.wait();
  partner.wait();
  // To the other process: pings, the farewell, and both messages to the catcher; from it their
  // answers. Between the agents here: one each.
  society.stop({.sent = course.pings + 5, .received = course.pings + 2});
}

Run run_of(std::vector<double> round_trips) {
  Run run;
  run.n = round_trips.size();
  run.value = percentile(round_trips, 99);
  run.samples = std::move(round_trips);
  return run;
}

}  // namespace

std::vector<Metric> run_turns(const Options& options, Progress& progress) {
  if (!has_service(options))
    throw BadRequest("a link is between processes; choose distributed: or central:");
  const std::size_t large = std::size_t{options.quick ? 64U : 1024U} << 20;
  std::vector<Run> idle, loaded;
  std::vector<double> rates;
  for (unsigned repeat = 0; repeat < options.repeats(); ++repeat) {
    progress.step(fmt::format("repeat {}/{}", repeat + 1, options.repeats()));
    Course course{
        .small = content_of(options.size), .large = large, .interval = options.interval(0.2, 1)};
    play_once(options, course);
    if (course.loaded.empty()) throw NotDone("no round trip was made beside the large message");
    rates.push_back(static_cast<double>(large) / (1 << 20) / course.passed * 1e9);
    idle.push_back(run_of(std::move(course.idle)));
    loaded.push_back(run_of(std::move(course.loaded)));
  }
  const auto params = [&](std::size_t beside) {
    return Params{{"size", static_cast<std::int64_t>(options.size)},
                  {"beside", static_cast<std::int64_t>(beside)}};
  };
  return {{"rtt_p99", "ns", params(0), summarize(idle), {}},
          {"rtt_p99", "ns", params(large), summarize(loaded), {}},
          {"ratio_to_idle", "x", params(large), ratio(loaded, idle), {}},
          {"large", "MiB/s", params(large), summarize(rates, rates.size()), {}}};
}

}  // namespace coracle::bench
