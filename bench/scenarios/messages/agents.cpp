// A society of very many named agents that only wait: the memory for each agent, and the rate at
// which they are made. Each repeat has a process of its own (harness/machines/forked.hpp gives the
// reason).
#include "floor/floors.hpp"
#include "harness/load/players.hpp"
#include "harness/machines/forked.hpp"
#include "harness/machines/host.hpp"
#include "harness/run/failures.hpp"
#include "harness/run/measured_society.hpp"
#include "scenarios/scenarios.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <latch>
#include <memory>
#include <string>

namespace coracle::bench {

namespace {

constexpr std::uint32_t sample_size = 1000;

// Answers every request.
class Idle : public Agent {
 public:
  Task<> run() override {
    for (;;) co_await answer(co_await receive());
  }

 private:
  // An answer needs memory only while there is something to answer.
  Task<> answer(Message question) { co_await reply(question, question.content()); }
};

struct Census {
  std::uint32_t count = 0;
  double bytes_each = 0;
  double per_second = 0;
  std::uint64_t answers = 0;
  std::latch taken{1};
};

class Creator : public Player {
 public:
  explicit Creator(Census& census) : census_(census) {}

 protected:
  Task<> play() override {
    const std::size_t before = resident_bytes();
    const Time start = clock_now();
    for (std::uint32_t i = 0; i < census_.count; ++i) {
      AgentSpec spec(name_of(i));
      co_await create<Idle>(std::move(spec));
    }
    co_await yield();  // so that all of them have begun and wait
    const Duration passed = clock_now() - start;
    const auto grown = static_cast<double>(resident_bytes() - before);
    census_.bytes_each = grown / census_.count;
    census_.per_second = census_.count / (nanoseconds(passed) / 1e9);

    const std::uint32_t step = std::max(1U, census_.count / sample_size);
    for (std::uint32_t i = 0; i < census_.count; i += step) {
      const std::string whom = name_of(i);
      const Content question(whom);
      const Message answer = co_await ask(whom, question, std::chrono::seconds(10));
      if (answer.text() != question.text()) throw NotDone("an agent gave a wrong answer");
      census_.answers += 1;
    }
    census_.taken.count_down();
  }

 private:
  static std::string name_of(std::uint32_t number) { return fmt::format("idle/{}", number); }

  Census& census_;
};

// Bytes for each agent, agents per second.
std::vector<double> create_once(const Options& options, std::uint32_t count) {
  Census census;
  census.count = count;
  // The process ends with its society as it is: the end of so many agents is not measured.
  Node& node = (new Society(options))->node();
  node.adopt(placed("creator", 0), std::make_unique<Creator>(census));
  census.taken.wait();
  if (node.agents() < count) throw NotDone("some agents are missing");
  const Ledger ledger = node.ledger();
  if (!ledger.balanced() || ledger.sent != 2 * census.answers) {
    throw NotDone("the ledger does not add up: " + ledger.to_string());
  }
  return {census.bytes_each, census.per_second};
}

std::vector<double> floor_once(std::uint32_t count) {
  const ObjectCost cost = floor_objects(count);
  return {cost.bytes_each, cost.per_second};
}

Summary column(const std::vector<std::vector<double>>& rows, std::size_t index, std::uint64_t n) {
  std::vector<double> values;
  for (const auto& row : rows) values.push_back(row.at(index));
  return summarize(values, n);
}

}  // namespace

std::vector<Metric> run_agents(const Options& options, Progress& progress) {
  const std::uint32_t count = options.count.value_or(options.quick ? 100'000 : 1'000'000);
  const Params params = {{"count", std::int64_t{count}},
                         {"workers", std::int64_t{options.workers}}};
  std::vector<std::vector<double>> agents;
  std::vector<std::vector<double>> floor;
  std::vector<std::vector<double>> ratios;
  for (unsigned i = 0; i < options.repeats(); ++i) {
    progress.step(fmt::format("repeat {}/{}", i + 1, options.repeats()));
    agents.push_back(measured_in_child([&] { return create_once(options, count); }));
    floor.push_back(measured_in_child([&] { return floor_once(count); }));
    ratios.push_back({agents[i].at(0) / floor[i].at(0), agents[i].at(1) / floor[i].at(1)});
  }
  const std::uint64_t n = std::uint64_t{count} * options.repeats();
  Params of_bytes = params;
  of_bytes.emplace_back("of", std::string("bytes_per_agent"));
  Params of_rate = params;
  of_rate.emplace_back("of", std::string("creation_rate"));
  return {{"bytes_per_agent", "bytes", params, column(agents, 0, n), {}},
          {"creation_rate", "agents/s", params, column(agents, 1, n), {}},
          {"floor", "bytes", of_bytes, column(floor, 0, n), {}},
          {"floor", "agents/s", of_rate, column(floor, 1, n), {}},
          {"ratio_to_floor", "x", of_bytes, column(ratios, 0, n), {}},
          {"ratio_to_floor", "x", of_rate, column(ratios, 1, n), {}}};
}

}  // namespace coracle::bench
