// Clients that send requests to one server as fast as it answers: measures answers per second, and
// whether every client gets its share. The floor is the same requests and replies as bare messages.
#include "harness/figures/compare.hpp"
#include "harness/figures/timing.hpp"
#include "harness/load/players.hpp"
#include "harness/run/failures.hpp"
#include "harness/run/measured_society.hpp"
#include "scenarios/scenarios.hpp"

#include <coracle/dispel/client.hpp>
#include <coracle/dispel/server.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <latch>
#include <vector>

namespace coracle::bench {

namespace {

using Number = std::uint64_t;

// The task and the results of one repeat. Each client has an entry of its own.
struct Office {
  explicit Office(std::size_t clients)
      : answers(clients), busy(static_cast<std::ptrdiff_t>(clients)) {}

  Time end{};
  std::vector<std::uint64_t> answers;
  Duration passed{};
  std::latch busy;
};

class Increment : public dispel::Server<Number, Number> {
 protected:
  Number answer(const Number& number) override { return number + 1; }
};

class Asks : public dispel::Client {
 public:
  Asks(Office* office, std::size_t place) : office_(office), place_(place) {}

  Task<> run() override {
    const dispel::Whom server("server");
    while (clock_now() < office_->end) {
      for (int round = 0; round < 16; ++round) {
        const Number number = office_->answers[place_];
        const auto next = co_await call<Number>(server, number);
        if (next != number + 1) std::abort();
        office_->answers[place_] = next;
      }
    }
    office_->busy.count_down();
  }

 private:
  Office* office_;
  std::size_t place_;
};

// --- the floor ---

class AsksPlainly : public Player {
 public:
  AsksPlainly(Office* office, std::size_t place, Address server)
      : office_(office), place_(place), server_(server) {}

 protected:
  Task<> play() override {
    while (clock_now() < office_->end) {
      for (int round = 0; round < 16; ++round) {
        const Content number = Content::of(Number{office_->answers[place_]});
        co_await send(server_, number);
        const Message answer = co_await receive();
        office_->answers[place_] = answer.as<Number>();
      }
    }
    office_->busy.count_down();
  }

 private:
  Office* office_;
  std::size_t place_;
  Address server_;
};

class AnswersPlainly : public Player {
 protected:
  Task<> play() override {
    for (;;) {
      const Message question = co_await receive();
      const Address who = question.source();
      if (question.conversation() == farewell) co_return;
      const Content next = Content::of(question.as<Number>() + 1);
      co_await send(who, next);
    }
  }
};

class Farewell : public Player {
 protected:
  Task<> play() override { co_await send("server", Content(), farewell); }
};

void serve(const Options& options, Office& office, bool is_floor) {
  Society society(options);
  Node& node = society.node();
  Address server;
  if (is_floor) server = node.adopt(placed("server", 0), std::make_unique<AnswersPlainly>());
  else server = node.adopt(placed("server", 0), std::make_unique<Increment>());
  const Time start = clock_now();
  office.end = start + seconds(options.interval(0.1, 1));
  for (std::size_t i = 0; i < office.answers.size(); ++i) {
    std::unique_ptr<Agent> client;
    if (is_floor) client = std::make_unique<AsksPlainly>(&office, i, server);
    else client = std::make_unique<Asks>(&office, i);
    const auto worker = static_cast<unsigned>(i % options.workers);
    node.adopt(placed(fmt::format("client/{}", i), worker), std::move(client));
  }
  office.busy.wait();
  office.passed = clock_now() - start;
  if (is_floor) node.adopt(placed("farewell", 0), std::make_unique<Farewell>());
  if (is_floor) node.wait();
  std::uint64_t sum = 0;
  for (const std::uint64_t each : office.answers) sum += each;
  society.stop({2 * sum + (is_floor ? 1 : 0), 0});
  if (sum == 0) throw NotDone("nobody was answered");
}

Run rate_of(const Office& office) {
  Run run;
  for (const std::uint64_t each : office.answers) run.n += each;
  run.value = static_cast<double>(run.n) / (nanoseconds(office.passed) / 1e9);
  return run;
}

}  // namespace

std::vector<Metric> run_clients(const Options& options, Progress& progress) {
  std::vector<Run> shares;
  const std::size_t clients = options.pairs.value_or(100);
  const auto served = [&] {
    Office office(clients);
    serve(options, office, false);
    const auto [least, most] = std::minmax_element(office.answers.begin(), office.answers.end());
    Run share;
    share.value = static_cast<double>(*least) / static_cast<double>(*most);
    shares.push_back(share);
    return rate_of(office);
  };
  const auto plainly = [&] {
    Office office(clients);
    serve(options, office, true);
    return rate_of(office);
  };
  const auto runs = interleave(options, progress, {served, plainly});
  const Params params = {{"clients", static_cast<std::int64_t>(clients)},
                         {"workers", std::int64_t{options.workers}}};
  std::vector<Metric> metrics = beside_floor("rate", "requests/s", params, runs[0], runs[1]);
  Metric fairness;
  fairness.name = "fairness";
  fairness.unit = "least/most";
  fairness.params = params;
  fairness.summary = summarize(shares);
  metrics.push_back(std::move(fairness));
  return metrics;
}

}  // namespace coracle::bench
