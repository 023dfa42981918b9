// A master with slaves: what a task costs beside its work, and how much faster two workers are than
// one. The floor is the same work in a loop.
#include "harness/compare.hpp"
#include "harness/failures.hpp"
#include "harness/society.hpp"
#include "harness/timing.hpp"
#include "scenarios/scenarios.hpp"

#include <coracle/dispel/master.hpp>
#include <coracle/dispel/slave.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <latch>
#include <numeric>
#include <vector>

namespace coracle::bench {

namespace {

using Number = std::uint64_t;

// A chain of multiplications that cannot be shortened; about a nanosecond for each.
Number spin(Number number, std::uint64_t steps) {
  for (std::uint64_t i = 0; i < steps; ++i) number = number * 6364136223846793005U + 1;
  return number;
}

struct Job {
  std::uint64_t tasks = 0;
  std::uint64_t steps = 0;  // of each
  Duration passed{};
  Number sum = 0;
  bool done = false;
};

class Spins : public dispel::Slave<Number, Number> {
 public:
  explicit Spins(std::uint64_t steps) : steps_(steps) {}

 protected:
  Number work(const Number& number) override { return spin(number, steps_); }

 private:
  std::uint64_t steps_;
};

class Boss : public dispel::Master<Number, Number> {
 public:
  Boss(std::vector<Name> slaves, Job* job, std::latch* over)
      : Master(std::move(slaves)), job_(job), over_(over) {}
  ~Boss() override { over_->count_down(); }

  Task<> run() override {
    co_await divide(std::vector<Number>(2));  // so that the slaves are hired
    std::vector<Number> tasks(job_->tasks);
    std::iota(tasks.begin(), tasks.end(), Number{0});
    const Time start = clock_now();
    const std::vector<Number> results = co_await divide(std::move(tasks));
    job_->passed = clock_now() - start;
    job_->sum = std::accumulate(results.begin(), results.end(), Number{0});
    job_->done = true;
  }

 private:
  Job* job_;
  std::latch* over_;
};

Job divide(const Options& options, std::uint64_t tasks, std::uint64_t steps) {
  Job job;
  job.tasks = tasks;
  job.steps = steps;
  std::latch over(1);
  Society society(options);
  Node& node = society.node();
  std::vector<Name> slaves;
  for (unsigned i = 0; i < options.workers; ++i) slaves.emplace_back(fmt::format("slave/{}", i));
  for (unsigned i = 0; i < options.workers; ++i) {
    node.adopt(placed(slaves[i].str(), i), std::make_unique<Spins>(steps));
  }
  node.adopt(placed("master", 0), std::make_unique<Boss>(slaves, &job, &over));
  over.wait();  // asleep: the slaves have work for every processor
  if (!job.done) throw NotDone("the master has failed");
  if (!node.ledger().balanced()) throw NotDone("the ledger does not balance");
  return job;
}

Job plainly(std::uint64_t tasks, std::uint64_t steps) {
  Job job;
  job.tasks = tasks;
  const Time start = clock_now();
  for (Number number = 0; number < tasks; ++number) job.sum += spin(number, steps);
  job.passed = clock_now() - start;
  return job;
}

}  // namespace

std::vector<Metric> run_slaves(const Options& options, Progress& progress) {
  const std::uint64_t small = options.quick ? 20'000 : 500'000;
  const std::uint64_t large = options.quick ? 100 : 1'000;  // tasks of a millisecond
  constexpr std::uint64_t steps = 1'000'000;
  Number wanted = 0;
  const auto per_task = [&](const Job& job) {
    if (job.sum != wanted) throw NotDone("a result is wrong or counted twice");
    Run run;
    run.value = nanoseconds(job.passed) / static_cast<double>(job.tasks);
    run.n = job.tasks;
    return run;
  };
  const auto overhead = interleave(
      options, progress,
      {[&] { return wanted = plainly(small, 0).sum, per_task(divide(options, small, 0)); },
       [&] { return per_task(plainly(small, 0)); }});
  const Params params = {{"slaves", std::int64_t{options.workers}}};
  std::vector<Metric> metrics =
      beside_floor("overhead", "ns/task", params, overhead[0], overhead[1]);
  const auto speed = interleave(
      options, progress,
      {[&] { return wanted = plainly(large, steps).sum, per_task(divide(options, large, steps)); },
       [&] { return per_task(plainly(large, steps)); }});
  Metric gain;
  gain.name = "speed_up";
  gain.unit = "x";
  gain.params = params;
  gain.summary = ratio(speed[1], speed[0]);
  metrics.push_back(std::move(gain));
  return metrics;
}

}  // namespace coracle::bench
