// A pipeline in two processes, with items of 64 bytes: the number of items that go through, and the
// memory of the first process when the sink is a hundred times slower. The floor is a socket
// through which as many bytes go.
#include "pipeline_apart.hpp"
#include "floor/floors.hpp"
#include "harness/figures/compare.hpp"
#include "harness/figures/timing.hpp"
#include "harness/load/meeting_place.hpp"
#include "harness/machines/forked.hpp"
#include "harness/machines/host.hpp"
#include "harness/run/failures.hpp"
#include "harness/run/measured_society.hpp"

#include <coracle/dispel/filter.hpp>
#include <coracle/dispel/pipeline.hpp>
#include <coracle/dispel/sink.hpp>
#include <coracle/dispel/source.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>

namespace coracle::bench {

namespace {

// The values of seven instruments.
struct Reading {
  static constexpr std::string_view content_type = "coracle-bench/reading/v1";

  std::uint64_t number = 0;
  std::array<std::uint64_t, 7> values{};
};
static_assert(sizeof(Reading) == 64);

// Values that need all of their bytes, each a different one. The last reading of a stream has the
// number of readings before it instead.
constexpr std::uint64_t salt = 0x9e3779b97f4a7c15;

constexpr std::size_t memory_limit = std::size_t{64} << 20;  // far more than all windows together

// The results of the source's process.
struct Flow {
  Duration interval{};
  Duration pause{};  // of the sink, for each item
  std::uint64_t put = 0;
  Time start{};
  std::size_t before = 0;  // bytes of memory
  std::size_t most = 0;
};

class Measuring : public dispel::Source<Reading> {
 public:
  explicit Measuring(Flow* flow) : flow_(flow) {}

 protected:
  Task<> produce(std::uint64_t first) override {
    flow_->before = resident_bytes();
    flow_->start = clock_now();
    Reading reading;
    for (std::uint64_t number = first;; ++number) {
      reading.number = number;
      for (std::size_t i = 0; i < reading.values.size(); ++i) {
        reading.values[i] = (number + 1) * (salt + 2 * i);
      }
      co_await put(reading);
      ++flow_->put;
      if (number % 4096 == 0) flow_->most = std::max(flow_->most, resident_bytes());
      if (number % 256 == 0 && clock_now() - flow_->start >= flow_->interval) break;
    }
    reading.values.fill(flow_->put);
    co_await put(reading);
  }

 private:
  Flow* flow_;
};

class Forwards : public dispel::Filter<Reading, Reading> {
 protected:
  void process(const Reading& reading) override {
    Reading next = reading;
    ++next.number;
    put(next);
  }
};

// Fails unless each reading comes once, in order, as it was put in.
class Checks : public dispel::Sink<Reading> {
 public:
  Checks(std::uint64_t filters, Duration pause) : filters_(filters), pause_(pause) {}

 protected:
  void consume(const Reading& reading) override {
    if (reading.number + 1 == taken_ + filters_ && reading.values[0] == taken_) {
      is_over_ = true;
      return;
    }
    const std::uint64_t wanted = (taken_ + 1) * (salt + 2 * (reading.values.size() - 1));
    if (is_over_ || reading.number != taken_ + filters_ || reading.values.back() != wanted) {
      throw NotDone(fmt::format("reading {} is not what it should be", taken_));
    }
    ++taken_;
    if (pause_ == Duration::zero()) return;
    for (const Time end = clock_now() + pause_; clock_now() < end;) continue;
  }
  void on_end(const std::string& error) override {
    if (!error.empty() || !is_over_) throw NotDone("the stream broke off: " + error);
  }

 private:
  const std::uint64_t filters_;
  const Duration pause_;
  std::uint64_t taken_ = 0;
  bool is_over_ = false;
};

// The same structure in both processes.
dispel::Pipeline pipeline(std::uint32_t stages, Flow* flow) {
  dispel::Pipeline whole("pipeline");
  whole.add<Measuring>("source", flow);
  std::string last = "source";
  for (std::uint32_t i = 0; i + 2 < stages; ++i) {
    const std::string name = fmt::format("filter{}", i);
    whole.add<Forwards>(name).connect(last, name);
    last = name;
  }
  whole.add<Checks>("sink", std::uint64_t{stages - 2}, flow->pause).connect(last, "sink");
  return whole;
}

// Makes the first or the second half of the stages, and waits for their end.
void work(const Options& options, bool is_first, Flow& flow) {
  const dispel::Pipeline whole = pipeline(options.stages, &flow);
  const auto plan = whole.plan();
  Society society(options);
  for (std::size_t place = 0; place < plan.size(); ++place) {
    if ((2 * place < plan.size()) != is_first) continue;
    const auto worker =
        static_cast<unsigned>(2 * place % plan.size() * options.workers / plan.size());
    society.node().adopt(placed(plan[place].name.str(), worker), whole.make(plan[place]));
  }
  society.wait();
  if (!society.node().ledger().balanced()) throw NotDone("the ledger does not balance");
  if (flow.most > flow.before + memory_limit) {
    throw NotDone("the pipeline keeps more in memory than its windows hold");
  }
}

struct Passage {
  Run rate;
  Run memory;  // of the source's process, in megabytes
};

Passage pass(const Options& options, double interval, Duration pause) {
  Flow flow;
  flow.interval = seconds(interval);
  flow.pause = pause;
  MeetingPlace place;
  Options here = place.here(options);
  Partner partner([&] {
    place.enter(here);
    work(here, false, flow);
  });
  place.serve(here);
  work(here, true, flow);
  const Duration passed = clock_now() - flow.start;
  partner.wait();
  Passage passage;
  passage.rate.n = flow.put;
  passage.rate.value = static_cast<double>(flow.put) / (nanoseconds(passed) / 1e9);
  passage.memory.n = flow.put;
  passage.memory.value = static_cast<double>(flow.most - std::min(flow.most, flow.before)) / 1e6;
  return passage;
}

}  // namespace

std::vector<Metric> run_pipeline_apart(const Options& options, Progress& progress) {
  const double interval = options.interval(0.1, 1);
  double latest = 1;
  std::vector<Run> memory;
  const auto fast = [&] {
    Passage passage = pass(options, interval, Duration::zero());
    latest = passage.rate.value;
    return passage.rate;
  };
  const auto floor = [&] {
    return floor_socket_flood(socket_of(options.realization), sizeof(Reading), interval,
                              options.pin ? 0 : -1);
  };
  const auto slow = [&] {
    Passage passage = pass(options, interval, seconds(100 / latest));
    memory.push_back(passage.memory);
    return passage.rate;
  };
  const auto runs = interleave(options, progress, {fast, floor, slow});
  Params params = {{"stages", std::int64_t{options.stages}},
                   {"size", static_cast<std::int64_t>(sizeof(Reading))},
                   {"processes", std::int64_t{options.processes}}};
  std::vector<Metric> metrics = beside_floor("rate", "items/s", params, runs[0], runs[1]);
  params.emplace_back("slower_sink", std::int64_t{100});
  metrics.push_back({"rate", "items/s", params, summarize(runs[2]), {}});
  metrics.push_back({"memory", "MB", params, summarize(memory), {}});
  return metrics;
}

}  // namespace coracle::bench
