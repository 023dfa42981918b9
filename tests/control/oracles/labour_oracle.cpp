#include "coracle/dispel/master.hpp"
#include "coracle/dispel/slave.hpp"
#include "oracles.hpp"

#include <algorithm>
#include <optional>

namespace coracle::dispel::test::oracles {

namespace {

using coracle::test::below;
using Ints = std::vector<std::int64_t>;

// A generated case, and its results.
struct Toil {
  std::uint64_t tasks = 0;
  unsigned slaves = 0;
  Division how;
  std::map<std::int64_t, unsigned> kills_left;  // by task
  std::map<std::int64_t, unsigned> killed;
  std::map<std::uint64_t, unsigned> told;  // results, by task
  bool some_leave = false;
  std::uint64_t left = 0;
  std::optional<Ints> results;
  std::string failure;
  bool over = false;
};

Toil labour_of(Random& random) {
  Toil one;
  one.tasks = 1 + below(random, below(random, 4) == 0 ? 3000 : 120);
  one.slaves = static_cast<unsigned>(1 + below(random, 6));
  one.how.shares = static_cast<Shares>(below(random, 3));
  one.how.chunk = static_cast<std::uint32_t>(1 + below(random, 10));
  one.how.most = one.how.chunk + static_cast<std::uint32_t>(below(random, 200));
  one.how.ordered = below(random, 2) == 0;
  if (below(random, 3) == 0) one.how.ahead = 1 + below(random, 50);
  one.how.attempts = static_cast<std::uint8_t>(1 + below(random, 5));
  one.some_leave = below(random, 3) == 0;
  // The tasks that kill are neighbours, or anywhere; they often kill fewer slaves than are needed
  // to give up, and sometimes without end.
  std::uint64_t task = below(random, one.tasks);
  for (std::uint64_t killers = below(random, 5); killers > 0; --killers) {
    const unsigned few = static_cast<unsigned>(1 + below(random, one.how.attempts + 1U));
    one.kills_left[static_cast<std::int64_t>(task)] = below(random, 12) == 0 ? 1'000'000 : few;
    task = below(random, 2) == 0 ? (task + 1) % one.tasks : below(random, one.tasks);
  }
  return one;
}

class Hand : public Slave<std::int64_t, std::int64_t> {
 public:
  Hand(Toil* labour, Random* random) : labour_(labour), random_(random) {}

  Task<> run() override {
    if (!labour_->some_leave || below(*random_, 2) == 0) co_return co_await work_as_slave();
    spawn(work_as_slave());
    co_await pause(coracle::test::up_to(*random_, 20ms));
    ++labour_->left;
  }

 protected:
  Task<std::int64_t> consider(const std::int64_t& task) override {
    if (below(*random_, 4) == 0) co_await pause(coracle::test::up_to(*random_, 300us));
    const auto killer = labour_->kills_left.find(task);
    if (killer != labour_->kills_left.end() && killer->second > 0) {
      --killer->second;
      ++labour_->killed[task];
      throw Crash("of task " + std::to_string(task));
    }
    co_return task * 3 + 1;
  }

 private:
  Toil* labour_;
  Random* random_;
};

class Overseer : public Master<std::int64_t, std::int64_t> {
 public:
  Overseer(std::vector<Name> slaves, Toil* labour) : Master(std::move(slaves)), labour_(labour) {}

  Task<> run() override {
    Ints tasks(labour_->tasks);
    for (std::size_t i = 0; i < tasks.size(); ++i) tasks[i] = static_cast<std::int64_t>(i);
    try {
      labour_->results = co_await divide(std::move(tasks), labour_->how);
    } catch (const Error& error) {
      if (error.errc() == Errc::stopped) throw;
      labour_->failure = error.sentence();
    }
    co_await send("main", "over");
  }

 protected:
  void on_result(std::uint64_t task, const std::int64_t&) override {
    if (labour_->how.ordered && task != labour_->told.size()) ++labour_->told[task];
    ++labour_->told[task];
  }

 private:
  Toil* labour_;
};

// Restarts a slave of that name whenever it ends.
Task<> keep_alive(Agent& me, Name name, Toil* labour, Random* random) {
  while (!labour->over) {
    auto slave = std::make_unique<Hand>(labour, random);
    const std::optional<Error> taken =
        co_await coracle::test::error_of(me.adopt(AgentSpec(name), std::move(slave)));
    if (!taken) {
      const std::optional<Error> gone = co_await coracle::test::error_of(me.watch(name));
      if (gone && gone->errc() == Errc::stopped) co_return;
    }
    if (taken || below(*random, 2) == 0) co_await me.pause(coracle::test::up_to(*random, 2ms));
  }
}

std::string named_in(const std::string& failure) {
  const std::string before = "died over task ";
  const std::size_t at = failure.find(before);
  if (at == std::string::npos) return {};
  return failure.substr(at + before.size(), failure.find(';') - at - before.size());
}

// The first slave may have had several tasks. Reports of the other deaths may come after further
// slaves have died of that task, or have done it.
unsigned most_deaths(const Toil& one) { return one.how.attempts + 1U + one.slaves; }

// Returns the fault in a division that was given up.
std::string wrong_failure(const Toil& one) {
  const std::string named = named_in(one.failure);
  if (named.empty()) return "it fails otherwise: " + one.failure;
  const auto killer = one.killed.find(std::stoll(named));
  if (killer == one.killed.end()) return "task " + named + " is named and has killed nobody";
  if (killer->second < one.how.attempts || killer->second > most_deaths(one)) {
    return "task " + named + " is named after " + std::to_string(killer->second) + " deaths, for " +
           std::to_string(one.how.attempts) + " attempts";
  }
  for (const auto& [task, times] : one.told) {
    if (times != 1) return "task " + std::to_string(task) + " counts more than once";
  }
  return {};
}

std::string wrong_results(const Toil& one) {
  for (const auto& [task, times] : one.killed) {
    if (times > most_deaths(one)) {
      return "task " + std::to_string(task) + " may kill " + std::to_string(times) + ", for " +
             std::to_string(one.how.attempts) + " attempts";
    }
  }
  if (!one.results || one.results->size() != one.tasks) return "results are missing";
  for (std::uint64_t task = 0; task < one.tasks; ++task) {
    if ((*one.results)[task] != static_cast<std::int64_t>(task) * 3 + 1) return "a wrong result";
    const auto told = one.told.find(task);
    if (told == one.told.end() || told->second != 1) {
      return "task " + std::to_string(task) + " was not told once, or not in order";
    }
  }
  return {};
}

}  // namespace

std::string play_labour(std::uint64_t seed, Counts& counts) {
  sim::World world(world_of_case(seed, 1));
  Random& random = world.random();
  Toil labour = labour_of(random);
  const std::string thrown = run_in(world, [&](Agent& me) -> Task<> {
    std::vector<Name> names;
    for (unsigned i = 0; i < labour.slaves; ++i) names.emplace_back("slave/" + std::to_string(i));
    for (const Name& each : names) me.spawn(keep_alive(me, each, &labour, &random));
    co_await me.adopt("boss", std::make_unique<Overseer>(names, &labour));
    co_await me.receive(from("boss"));
    labour.over = true;
  });
  if (!thrown.empty()) return thrown;
  for (const auto& [task, times] : labour.killed) counts["slaves that were killed"] += times;
  counts["slaves that left in order"] += labour.left;
  ++counts[labour.failure.empty() ? "divisions done" : "divisions given up"];
  return labour.failure.empty() ? wrong_results(labour) : wrong_failure(labour);
}

}  // namespace coracle::dispel::test::oracles
