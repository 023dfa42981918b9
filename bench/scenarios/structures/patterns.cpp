// Broadcasts to many registered formats, one of which fits. The floor is as many bare messages from
// one agent to another and back.
#include "harness/figures/compare.hpp"
#include "harness/load/players.hpp"
#include "harness/run/failures.hpp"
#include "harness/run/measured_society.hpp"
#include "scenarios/scenarios.hpp"

#include <coracle/broadcast.hpp>

#include <fmt/format.h>

#include <latch>
#include <memory>
#include <thread>

namespace coracle::bench {

namespace {

constexpr std::uint64_t batch = 100;  // broadcasts for each look at the clock

// The task and the results of one repeat.
struct Work {
  std::uint32_t formats = 0;
  Duration interval{};
  bool is_floor = false;
  std::vector<double> samples;  // nanoseconds of a broadcast and the answer to it
  std::uint64_t broadcasts = 0;
  std::unique_ptr<std::latch> ready;
  std::latch over{1};
};

// Registers one format, and answers a fitting message with the value in it.
class Listener : public Agent {
 public:
  Listener(Work& work, std::uint32_t number) : work_(work), number_(number) {}

  Task<> run() override {
    Interests interests(*this);
    const std::string format = fmt::format("in room {} it is %d degrees", number_);
    co_await interests.observe(Pattern().format(format));
    work_.ready->count_down();
    const Address teller = find("teller");
    for (;;) {
      const Heard heard = co_await interests.next();
      const std::string& degrees = heard.captures().at(0);
      co_await send(teller, degrees, 1);
    }
  }

 private:
  Work& work_;
  std::uint32_t number_;
};

// Sends one message after the other, each after the answer to the last one.
class Teller : public Player {
 public:
  explicit Teller(Work& work) : work_(work) {}

 protected:
  Task<> play() override {
    const Address echo = find("echo");
    const Match heard = in_conversation(1);
    const Content ball = content_of(16);
    const Time start = clock_now();
    Time last = start;
    while (last - start < work_.interval) {
      for (std::uint64_t i = 0; i < batch; ++i) {
        if (work_.is_floor) {
          co_await send(echo, ball, 1);
        } else {
          const std::uint64_t room = (work_.broadcasts + i) * 7 % work_.formats;
          const std::string text = fmt::format("in room {} it is {} degrees", room, i);
          const Reached reached = co_await send_notice(*this, text);
          if (reached.reached != 1) throw NotDone("a broadcast was for one, and went to others");
        }
        const Message word = co_await receive(heard);
        if (!work_.is_floor && word.text() != std::to_string(i)) throw NotDone("wrong captures");
      }
      const Time now = clock_now();
      work_.samples.push_back(nanoseconds(now - last) / batch);
      work_.broadcasts += batch;
      last = now;
    }
    if (work_.is_floor) co_await send(echo, Content(), farewell);
    work_.over.count_down();
  }

 private:
  Work& work_;
};

Run work_once(const Options& options, std::uint32_t formats, bool is_floor, bool as_rate) {
  Work work;
  work.formats = formats;
  work.is_floor = is_floor;
  work.interval = seconds(options.interval(0.1, 1));
  Society society(options);
  Node& node = society.node();
  work.ready = std::make_unique<std::latch>(is_floor ? 0 : formats);
  if (is_floor) node.adopt(placed("echo", 0), std::make_unique<Ponger>());
  for (std::uint32_t i = 0; !is_floor && i < formats; ++i) {
    node.adopt(placed(fmt::format("listener/{}", i), 0), std::make_unique<Listener>(work, i));
  }
  work.ready->wait();
  node.adopt(placed("teller", 0), std::make_unique<Teller>(work));
  work.over.wait();
  Run run;
  run.n = work.broadcasts;
  for (const double sample : work.samples) run.samples.push_back(as_rate ? 2e9 / sample : sample);
  double sum = 0;
  for (const double sample : work.samples) sum += sample;
  const double mean = sum / static_cast<double>(work.samples.size());
  run.value = as_rate ? 2e9 / mean : mean;
  const std::uint64_t sent = 2 * work.broadcasts + (is_floor ? 1 : 0);
  const Time patience = clock_now() + std::chrono::seconds(10);
  while (node.ledger().consumed != sent && clock_now() < patience) std::this_thread::yield();
  society.stop({sent, 0});
  return run;
}

}  // namespace

std::vector<Metric> run_patterns(const Options& options, Progress& progress) {
  const std::uint32_t formats = options.count.value_or(1000);
  const auto runs = interleave(options, progress,
                               {[&] { return work_once(options, formats, false, false); },
                                [&] { return work_once(options, formats, true, false); },
                                [&] { return work_once(options, 1, false, false); },
                                [&] { return work_once(options, formats, false, true); }});
  const auto params = [&](std::uint32_t count) {
    return Params{{"workers", std::int64_t{options.workers}}, {"formats", std::int64_t{count}}};
  };
  std::vector<Metric> metrics = beside_floor("broadcast", "ns", params(formats), runs[0], runs[1]);
  metrics.push_back({"broadcast", "ns", params(1), summarize(runs[2]), {}});
  metrics.push_back({"rate", "messages/s", params(formats), summarize(runs[3]), {}});
  return metrics;
}

}  // namespace coracle::bench
