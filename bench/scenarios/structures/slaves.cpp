// A master with slaves: the cost of a task beside its work, and the speed of two workers compared
// with one, or of two processes compared with one. The floor is the same work in a loop.
#include "harness/figures/compare.hpp"
#include "harness/figures/timing.hpp"
#include "harness/load/meeting_place.hpp"
#include "harness/machines/forked.hpp"
#include "harness/run/failures.hpp"
#include "harness/run/measured_society.hpp"
#include "scenarios/scenarios.hpp"

#include <coracle/dispel/master.hpp>
#include <coracle/dispel/slave.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <latch>
#include <numeric>
#include <thread>
#include <vector>

namespace coracle::bench {

namespace {

using Number = std::uint64_t;

// A chain of multiplications that cannot be shortened; each takes about a nanosecond.
Number spin(Number number, std::uint64_t steps) {
  for (std::uint64_t i = 0; i < steps; ++i) number = number * 6364136223846793005U + 1;
  return number;
}

struct Job {
  std::uint64_t tasks = 0;
  std::uint64_t steps = 0;  // of each task
  Duration passed{};
  Number sum = 0;
  bool done = false;
};

class Spins : public dispel::Slave<Number, Number> {
 public:
  explicit Spins(std::uint64_t steps) : Slave(dispel::Orphan::leaves), steps_(steps) {}

 protected:
  Number work(const Number& number) override { return spin(number, steps_); }

 private:
  std::uint64_t steps_;
};

class Boss : public dispel::Master<Number, Number> {
 public:
  Boss(std::vector<Name> slaves, Job* job, std::latch* over)
      : Master(slaves), slaves_(std::move(slaves)), job_(job), over_(over) {}
  ~Boss() override { over_->count_down(); }

  Task<> run() override {
    for (const Name& each : slaves_) co_await command(each, Number{0});  // this hires them
    std::vector<Number> tasks(job_->tasks);
    std::iota(tasks.begin(), tasks.end(), Number{0});
    const Time start = clock_now();
    const std::vector<Number> results = co_await divide(std::move(tasks));
    job_->passed = clock_now() - start;
    job_->sum = std::accumulate(results.begin(), results.end(), Number{0});
    job_->done = true;
  }

 private:
  std::vector<Name> slaves_;
  Job* job_;
  std::latch* over_;
};

// A slave on each worker of a process, named after both.
std::vector<Name> slaves_of(const Options& options, unsigned process) {
  std::vector<Name> names;
  for (unsigned i = 0; i < options.workers; ++i)
    names.emplace_back(fmt::format("slave/{}/{}", process, i));
  return names;
}

void add_slaves(Node& node, const std::vector<Name>& names, std::uint64_t steps) {
  for (unsigned i = 0; i < names.size(); ++i) {
    node.adopt(placed(names[i].str(), i), std::make_unique<Spins>(steps));
  }
}

// Makes the slaves work for a master of this process.
void lead(Society& society, std::vector<Name> slaves, Job& job) {
  std::latch over(1);
  society.node().adopt(placed("master", 0), std::make_unique<Boss>(std::move(slaves), &job, &over));
  over.wait();  // asleep: the slaves have work for every processor
  if (!job.done) throw NotDone("the master has failed");
  if (!society.node().ledger().balanced()) throw NotDone("the ledger does not balance");
}

Job divide(const Options& options, std::uint64_t tasks, std::uint64_t steps) {
  Job job;
  job.tasks = tasks;
  job.steps = steps;
  std::vector<Name> slaves = slaves_of(options, 0);
  if (options.processes == 1) {
    Society society(options);
    add_slaves(society.node(), slaves, steps);
    lead(society, std::move(slaves), job);
    return job;
  }
  MeetingPlace place;
  Options here = place.here(options);
  const std::vector<Name> others = slaves_of(options, 1);
  Partner partner([&] {
    place.enter(here);
    Society society(here);
    add_slaves(society.node(), others, steps);
    society.wait();  // the slaves leave with their master
  });
  place.serve(here);
  {
    Society society(here);
    add_slaves(society.node(), slaves, steps);
    slaves.insert(slaves.end(), others.begin(), others.end());
    lead(society, std::move(slaves), job);
  }
  partner.wait();
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

// The same work in as many threads as there are slaves, each with its part from the beginning: the
// most that the machine's processors can do, which may be less than that multiple of one of them.
Job at_best(std::uint64_t tasks, std::uint64_t steps, std::uint64_t threads) {
  Job job;
  job.tasks = tasks;
  std::vector<Number> sums(threads);
  const Time start = clock_now();
  {
    std::vector<std::jthread> all;
    for (std::uint64_t i = 0; i < threads; ++i) {
      all.emplace_back([&sums, tasks, steps, threads, i] {
        for (Number number = i; number < tasks; number += threads) sums[i] += spin(number, steps);
      });
    }
  }
  job.passed = clock_now() - start;
  job.sum = std::accumulate(sums.begin(), sums.end(), Number{0});
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
  const std::uint64_t slaves = std::uint64_t{options.workers} * options.processes;
  Params params = {{"slaves", static_cast<std::int64_t>(slaves)}};
  if (options.processes > 1) params.emplace_back("processes", std::int64_t{options.processes});
  std::vector<Metric> metrics =
      beside_floor("overhead", "ns/task", params, overhead[0], overhead[1]);
  const auto speed = interleave(
      options, progress,
      {[&] { return wanted = plainly(large, steps).sum, per_task(divide(options, large, steps)); },
       [&] { return per_task(plainly(large, steps)); },
       [&] { return per_task(at_best(large, steps, slaves)); }});
  Metric gain;
  gain.name = "speed_up";
  gain.unit = "x";
  gain.params = params;
  gain.summary = ratio(speed[1], speed[0]);
  metrics.push_back(std::move(gain));
  metrics.push_back({"ratio_to_ideal", "x", params, ratio(speed[2], speed[0]), {}});
  return metrics;
}

}  // namespace coracle::bench
