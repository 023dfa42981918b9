// A pipeline: items that go through all its stages, in order and each once. The floor is the same
// chain of virtual functions over vectors in one loop, which stores nothing and knows no names.
#include "harness/figures/compare.hpp"
#include "harness/figures/timing.hpp"
#include "harness/run/failures.hpp"
#include "harness/run/measured_society.hpp"
#include "pipeline_apart.hpp"
#include "scenarios/scenarios.hpp"

#include <coracle/dispel/filter.hpp>
#include <coracle/dispel/pipeline.hpp>
#include <coracle/dispel/sink.hpp>
#include <coracle/dispel/source.hpp>

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace coracle::bench {

namespace {

using Item = std::uint64_t;

struct Flow {
  Duration interval{};
  std::uint64_t put = 0;
  std::uint64_t taken = 0;
  std::uint64_t sum = 0;
  Time start{};
  Time end{};
};

class Counting : public dispel::Source<Item> {
 public:
  explicit Counting(Flow* flow) : flow_(flow) {}

 protected:
  Task<> produce(std::uint64_t first) override {
    flow_->start = clock_now();
    for (Item item = first;; ++item) {
      co_await put(item);
      ++flow_->put;
      if (item % 4096 == 0 && clock_now() - flow_->start >= flow_->interval) co_return;
    }
  }

 private:
  Flow* flow_;
};

class Next : public dispel::Filter<Item, Item> {
 protected:
  void process(const Item& item) override { put(item + 1); }
};

class Adding : public dispel::Sink<Item> {
 public:
  explicit Adding(Flow* flow) : flow_(flow) {}

 protected:
  void consume(const Item& item) override {
    ++flow_->taken;
    flow_->sum += item;
  }
  void on_end(const std::string&) override { flow_->end = clock_now(); }

 private:
  Flow* flow_;
};

// The sum of `count` items that began as 0, 1, 2 … and passed that many filters.
std::uint64_t sum_of(std::uint64_t count, std::uint64_t filters) {
  return count * (count - 1) / 2 + count * filters;
}

Run rate_of(const Flow& flow, std::uint32_t filters) {
  if (flow.taken == 0 || flow.taken != flow.put) throw NotDone("items were lost");
  if (flow.sum != sum_of(flow.taken, filters)) throw NotDone("items were not what they should be");
  Run run;
  run.value = static_cast<double>(flow.taken) / (nanoseconds(flow.end - flow.start) / 1e9);
  run.n = flow.taken;
  return run;
}

Run pipeline_once(const Options& options) {
  Flow flow;
  flow.interval = seconds(options.interval(0.1, 1));
  const std::uint32_t filters = options.stages - 2;
  dispel::Pipeline pipeline("pipeline");
  pipeline.add<Counting>("source", &flow);
  std::string last = "source";
  for (std::uint32_t i = 0; i < filters; ++i) {
    const std::string name = fmt::format("filter{}", i);
    pipeline.add<Next>(name).connect(last, name);
    last = name;
  }
  pipeline.add<Adding>("sink", &flow).connect(last, "sink");
  Society society(options);
  std::uint32_t place = 0;
  const auto plan = pipeline.plan();
  for (const auto& each : plan) {
    // Neighbours share a worker: the first part of the pipeline is on the first worker, and so on.
    const auto worker =
        static_cast<unsigned>(place++ * std::uint64_t{options.workers} / plan.size());
    society.node().adopt(placed(each.name.str(), worker), pipeline.make(each));
  }
  society.wait();
  if (!society.node().ledger().balanced()) throw NotDone("the ledger does not balance");
  return rate_of(flow, filters);
}

// --- the floor ---

class Step {
 public:
  virtual ~Step() = default;
  virtual Item process(Item item) const = 0;
};

class PlusOne final : public Step {
 public:
  Item process(Item item) const override { return item + 1; }
};

Run floor_once(const Options& options) {
  const std::uint32_t filters = options.stages - 2;
  std::vector<std::unique_ptr<Step>> steps;
  for (std::uint32_t i = 0; i < filters; ++i) steps.push_back(std::make_unique<PlusOne>());
  Flow flow;
  flow.interval = seconds(options.interval(0.1, 1));
  flow.start = clock_now();
  do {
    for (int rounds = 0; rounds < 16; ++rounds) {
      std::vector<Item> batch;
      for (int i = 0; i < 256; ++i) batch.push_back(flow.put++);
      for (const auto& step : steps) {
        std::vector<Item> next;
        next.reserve(batch.size());
        for (const Item item : batch) next.push_back(step->process(item));
        batch = std::move(next);
      }
      for (const Item item : batch) ++flow.taken, flow.sum += item;
    }
    flow.end = clock_now();
  } while (flow.end - flow.start < flow.interval);
  return rate_of(flow, filters);
}

}  // namespace

std::vector<Metric> run_pipeline(const Options& options, Progress& progress) {
  if (options.processes > 1) return run_pipeline_apart(options, progress);
  const Params params = {{"stages", std::int64_t{options.stages}},
                         {"workers", std::int64_t{options.workers}}};
  const auto runs =
      interleave(options, progress,
                 {[&] { return pipeline_once(options); }, [&] { return floor_once(options); }});
  return beside_floor("rate", "items/s", params, runs[0], runs[1]);
}

}  // namespace coracle::bench
