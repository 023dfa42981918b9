// Many pairs at full load: everybody plays before, during and after the measured interval, so that
// no pair is measured while others rest. Each pair has one ping or pong under way.
#include "floor/floors.hpp"
#include "harness/compare.hpp"
#include "harness/failures.hpp"
#include "harness/open_loop.hpp"
#include "harness/players.hpp"
#include "harness/society.hpp"
#include "scenarios/scenarios.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <numeric>

namespace coracle::bench {

namespace {

enum Stage : std::size_t { warming, measuring, trailing, ended };

using Rounds = std::array<std::uint64_t, ended>;

// What all pairs share.
struct Load {
  std::size_t size = 0;  // of each message
  double interval = 0;
  std::vector<Rounds> rounds;  // by pair; each writes its own, at its end
  double measured_seconds = 0;
  alignas(64) std::atomic<Stage> stage{warming};
};

class LoadPinger : public Player {
 public:
  LoadPinger(Load& load, std::uint32_t number) : load_(load), number_(number) {}

 protected:
  Task<> play() override {
    const Address ponger = find(fmt::format("ponger/{}", number_));
    Content ball = content_of(load_.size);
    Rounds rounds{};
    for (;;) {
      const Stage stage = load_.stage.load(std::memory_order_relaxed);
      if (stage == ended) break;
      co_await send(ponger, std::move(ball));
      Message pong = co_await receive();
      ball = pong.consume();
      ++rounds[stage];
    }
    co_await send(ponger, std::move(ball), farewell);
    load_.rounds[number_] = rounds;
  }

 private:
  Load& load_;
  std::uint32_t number_;
};

// Says when the measured interval begins and ends. Its pauses may last longer than they should
// under load; what counts is the time that really passed between the two.
class Conductor : public Player {
 public:
  explicit Conductor(Load& load) : load_(load) {}

 protected:
  Task<> play() override {
    co_await pause(seconds(load_.interval / 4));
    const Time begin = clock_now();
    load_.stage.store(measuring, std::memory_order_relaxed);
    co_await pause(seconds(load_.interval));
    const Time end = clock_now();
    load_.stage.store(trailing, std::memory_order_relaxed);
    co_await pause(seconds(load_.interval / 8));
    load_.stage.store(ended, std::memory_order_relaxed);
    load_.measured_seconds = nanoseconds(end - begin) / 1e9;
  }

 private:
  Load& load_;
};

Pair placement(const Options& options, std::uint32_t number) {
  const unsigned home = number % options.workers;
  return {home, options.apart ? (home + 1) % options.workers : home};
}

// What one repeat found, once as messages per second, once as round trips, once as fairness.
struct Found {
  Run rate;
  Run rtt;
  Run fairness;
};

Found evaluate(const Load& load) {
  Found found;
  std::uint64_t sum = 0;
  std::uint64_t slowest = ~std::uint64_t{0};
  for (const Rounds& rounds : load.rounds) {
    const auto measured = static_cast<double>(rounds[measuring]);
    sum += rounds[measuring];
    slowest = std::min(slowest, rounds[measuring]);
    found.rate.samples.push_back(2 * measured / load.measured_seconds);
    if (measured > 0) found.rtt.samples.push_back(load.measured_seconds * 1e9 / measured);
  }
  if (sum == 0) throw NotDone("no pair finished a round trip in the measured interval");
  const double mean = static_cast<double>(sum) / static_cast<double>(load.rounds.size());
  found.rate.value = 2 * static_cast<double>(sum) / load.measured_seconds;
  found.rtt.value = load.measured_seconds * 1e9 / mean;
  found.fairness.value = static_cast<double>(slowest) / mean;
  found.rate.n = 2 * sum;
  found.rtt.n = sum;
  found.fairness.n = load.rounds.size();
  return found;
}

Found play_once(const Options& options, std::uint32_t pairs) {
  Load load;
  load.size = options.size;
  load.interval = options.interval(0.25, 1);
  load.rounds.resize(pairs);
  Society society(options);
  for (std::uint32_t i = 0; i < pairs; ++i) {
    const Pair home = placement(options, i);
    society.node().create<Ponger>(placed(fmt::format("ponger/{}", i), home.ponger));
    society.node().adopt(placed(fmt::format("pinger/{}", i), home.pinger),
                         std::make_unique<LoadPinger>(load, i));
  }
  society.node().adopt(placed("conductor", 0), std::make_unique<Conductor>(load));
  society.wait();
  std::uint64_t sent = pairs;
  for (const Rounds& rounds : load.rounds) {
    sent += 2 * std::accumulate(rounds.begin(), rounds.end(), std::uint64_t{0});
  }
  society.stop({.sent = sent});
  return evaluate(load);
}

Run floor_once(const Options& options, std::uint32_t pairs) {
  const double interval = options.interval(0.05, 0.3);
  if (!options.apart) return floor_call_pairs(pairs, options.workers, interval);
  Run run =
      floor_ring_round_trip(std::min<std::uint32_t>(pairs, 512), interval, options.pin ? 0 : -1);
  run.value = 2e9 / run.value;
  run.samples.clear();
  return run;
}

}  // namespace

std::vector<Metric> run_pairs(const Options& options, Progress& progress) {
  const std::uint32_t pairs = options.pairs.value_or(options.quick ? 100 : 1000);
  Params params = {{"pairs", std::int64_t{pairs}},
                   {"workers", std::int64_t{options.workers}},
                   {"size", static_cast<std::int64_t>(options.size)}};
  if (options.apart) params.emplace_back("apart", std::int64_t{1});
  if (options.rate) {
    std::vector<Pair> homes;
    for (std::uint32_t i = 0; i < pairs; ++i) homes.push_back(placement(options, i));
    return run_open_loop(options, params, homes);
  }

  std::vector<Run> rtts;
  std::vector<Run> fairness;
  const auto play = [&] {
    Found found = play_once(options, pairs);
    rtts.push_back(std::move(found.rtt));
    fairness.push_back(std::move(found.fairness));
    return found.rate;
  };
  const auto runs =
      interleave(options, progress, {play, [&] { return floor_once(options, pairs); }});
  std::vector<Metric> metrics = beside_floor("rate", "messages/s", params, runs[0], runs[1]);
  metrics.push_back({"rtt", "ns", params, summarize(rtts), {}});
  metrics.push_back({"fairness", "slowest/mean", params, summarize(fairness), {}});
  return metrics;
}

}  // namespace coracle::bench
