// Tuples that are put out and taken again: by one agent, by many, and with very many others in the
// space. The floor is as many bare requests and replies, with nothing in them to match.
#include "harness/figures/compare.hpp"
#include "harness/load/players.hpp"
#include "harness/run/failures.hpp"
#include "harness/run/measured_society.hpp"
#include "scenarios/scenarios.hpp"

#include <coracle/tuple_space.hpp>

#include <fmt/format.h>

#include <latch>
#include <memory>
#include <thread>

namespace coracle::bench {

namespace {

constexpr std::uint64_t batch = 500;  // pairs of operations for each look at the clock

// The task and the results of one repeat.
struct Work {
  std::uint32_t players = 1;
  std::uint32_t others = 0;  // tuples that nobody wants
  Duration interval{};
  bool is_floor = false;
  // The results of each player.
  struct Share {
    std::vector<double> samples;  // nanoseconds of a pair of operations
    std::uint64_t pairs = 0;
    Duration passed{};
  };
  std::vector<Share> shares;
  std::latch filled{1};
  std::unique_ptr<std::latch> over;
};

// Puts a tuple out and takes it again.
class Holder : public Player {
 public:
  Holder(Work& work, std::uint32_t number) : work_(work), number_(static_cast<int>(number)) {}

 protected:
  Task<> play() override {
    Space board(*this, "board");
    Work::Share& share = work_.shares[static_cast<std::size_t>(number_)];
    const Address echo = find("board");
    const Content ball = content_of(16);
    const Time start = clock_now();
    Time last = start;
    while (last - start < work_.interval) {
      for (std::uint64_t i = 0; i < batch; ++i) {
        if (work_.is_floor) {
          for (int twice = 0; twice < 2; ++twice) {
            const Message answer = co_await ask(echo, ball);
          }
          continue;
        }
        co_await board.out("held", number_, 0.5);
        const auto [what, whose, value] = co_await board.in("held", number_, any<double>);
        if (whose != number_) throw NotDone("a tuple of somebody else was taken");
      }
      const Time now = clock_now();
      share.samples.push_back(nanoseconds(now - last) / batch);
      share.pairs += batch;
      last = now;
    }
    share.passed = last - start;
    work_.over->count_down();
  }

 private:
  Work& work_;
  int number_;
};

// Puts out tuples that nobody wants.
class Filler : public Player {
 public:
  explicit Filler(Work& work) : work_(work) {}

 protected:
  Task<> play() override {
    Space board(*this, "board");
    for (std::uint32_t i = 0; i < work_.others; ++i) co_await board.out(i, "not wanted", 0.5);
    work_.filled.count_down();
  }

 private:
  Work& work_;
};

class Echo : public Agent {
 public:
  Task<> run() override {
    for (;;) {
      const Message question = co_await receive();
      co_await reply(question, question.content());
    }
  }
};

Run work_once(const Options& options, std::uint32_t players, std::uint32_t others, bool is_floor,
              bool as_rate) {
  Work work;
  work.players = players;
  work.others = others;
  work.is_floor = is_floor;
  work.interval = seconds(options.interval(0.1, 1));
  work.shares.resize(players);
  work.over = std::make_unique<std::latch>(players);
  Society society(options);
  Node& node = society.node();
  if (is_floor) {
    node.adopt(placed("board", 0), std::make_unique<Echo>());
  } else {
    node.adopt(placed("board", 0), std::make_unique<TupleSpace>());
    node.adopt(placed("filler", 0), std::make_unique<Filler>(work));
    work.filled.wait();
  }
  for (std::uint32_t i = 0; i < players; ++i) {
    node.adopt(placed(fmt::format("holder/{}", i), i % options.workers),
               std::make_unique<Holder>(work, i));
  }
  work.over->wait();
  Run run;
  double rate = 0;
  for (const Work::Share& share : work.shares) {
    if (share.pairs == 0) throw NotDone("an agent did nothing");
    run.n += 2 * share.pairs;
    rate += 2e9 * static_cast<double>(share.pairs) / nanoseconds(share.passed);
    for (const double sample : share.samples) {
      run.samples.push_back(as_rate ? 2e9 * players / sample : sample);
    }
  }
  run.value = as_rate ? rate : 2e9 / rate;
  const std::uint64_t sent = 2 * (run.n + (is_floor ? 0 : others));
  const Time patience = clock_now() + std::chrono::seconds(10);
  while (node.ledger().consumed != sent && clock_now() < patience) std::this_thread::yield();
  society.stop({sent, 0});
  return run;
}

}  // namespace

std::vector<Metric> run_tuples(const Options& options, Progress& progress) {
  const std::uint32_t players = options.pairs.value_or(10);
  const std::uint32_t others = options.count.value_or(options.quick ? 20'000 : 1'000'000);
  const auto runs = interleave(options, progress,
                               {[&] { return work_once(options, 1, 0, false, false); },
                                [&] { return work_once(options, 1, 0, true, false); },
                                [&] { return work_once(options, players, 0, false, true); },
                                [&] { return work_once(options, players, 0, true, true); },
                                [&] { return work_once(options, players, others, false, true); }});
  const auto params = [&](std::uint32_t agents, std::uint32_t tuples) {
    return Params{{"workers", std::int64_t{options.workers}},
                  {"agents", std::int64_t{agents}},
                  {"tuples", std::int64_t{tuples}}};
  };
  std::vector<Metric> metrics = beside_floor("out_in", "ns", params(1, 0), runs[0], runs[1]);
  for (Metric& each : beside_floor("rate", "operations/s", params(players, 0), runs[2], runs[3])) {
    metrics.push_back(std::move(each));
  }
  metrics.push_back({"rate", "operations/s", params(players, others), summarize(runs[4]), {}});
  metrics.push_back({"ratio_to_few", "x", params(players, others), ratio(runs[4], runs[2]), {}});
  return metrics;
}

}  // namespace coracle::bench
