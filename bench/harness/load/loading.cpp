#include "loading.hpp"

#include "harness/machines/forked.hpp"
#include "harness/run/failures.hpp"
#include "harness/run/measured_society.hpp"
#include "meeting_place.hpp"
#include "players.hpp"

#include <coracle/typed.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <numeric>
#include <optional>

namespace coracle::bench {

namespace {

enum Stage : std::size_t { warming, measuring, trailing, ended };

using Rounds = std::array<std::uint64_t, ended>;

// The state that all pairs share.
struct Load {
  std::size_t size = 0;  // of each message
  double interval = 0;
  bool is_apart = false;       // the pongers are in another process
  std::vector<Rounds> rounds;  // by pair; each pair writes its own entry, at its end
  double measured_seconds = 0;
  Usage usage;
  TcpTraffic traffic;
  std::atomic<bool> has_measured{false};  // a round trip in the measured interval
  alignas(64) std::atomic<Stage> stage{warming};
};

std::string ponger_of(const LoadShape& shape, std::uint32_t number) {
  return fmt::format("ponger/{}", shape.is_to_one ? 0 : number);
}

class LoadPinger : public Player {
 public:
  LoadPinger(Load& load, std::uint32_t number, std::string ponger)
      : load_(load), number_(number), ponger_(std::move(ponger)) {}

 protected:
  Task<> play() override {
    const Address ponger = find(ponger_);
    Content ball = content_of(load_.size);
    Rounds rounds{};
    for (;;) {
      const Stage stage = load_.stage.load(std::memory_order_relaxed);
      if (stage == ended) break;
      co_await send(ponger, std::move(ball));
      Message pong = co_await receive();
      ball = pong.consume();
      if (ball.size() != load_.size) throw NotDone("a pong has another size than its ping");
      ++rounds[stage];
      if (stage == measuring && rounds[measuring] == 1) load_.has_measured = true;
    }
    co_await send(ponger, std::move(ball), farewell);
    load_.rounds[number_] = rounds;
  }

 private:
  Load& load_;
  std::uint32_t number_;
  std::string ponger_;
};

// Sends everything back until all pingers have sent a farewell.
class SharedPonger : public Player {
 public:
  explicit SharedPonger(std::uint32_t pingers) : pingers_(pingers) {}

 protected:
  Task<> play() override {
    while (pingers_ > 0) {
      Message ping = co_await receive();
      if (ping.conversation() == farewell) {
        --pingers_;
        continue;
      }
      const Address pinger = ping.source();
      co_await send(pinger, ping.consume());
    }
  }

 private:
  std::uint32_t pingers_;
};

// The resources that a process has used up to now.
struct Reading {
  static constexpr std::string_view content_type = "coracle/bench/reading/v1";

  double user = 0;
  double system = 0;
  double bytes = 0;
  double segments = 0;
};

Reading read_meter() {
  const Usage usage = usage_of_process();
  const TcpTraffic traffic = tcp_traffic_of_process();
  return {usage.user, usage.system, traffic.bytes, traffic.segments};
}

// Sends the reading of the other process.
class Meter : public Player {
 protected:
  Task<> play() override {
    for (;;) {
      const Message question = co_await receive();
      if (question.conversation() == farewell) co_return;
      Content reading = Content::of(read_meter());
      co_await reply(question, std::move(reading));
    }
  }
};

// Begins and ends the measured interval. Its pauses may last longer than requested under load; the
// time that really passed between the two is what counts.
class Conductor : public Player {
 public:
  explicit Conductor(Load& load) : load_(load) {}

 protected:
  Task<> play() override {
    co_await pause(seconds(load_.interval / 4));
    const Reading there_before = co_await reading();
    const Usage before = usage_of_process();
    load_.stage.store(measuring, std::memory_order_relaxed);
    do co_await pause(seconds(load_.interval));
    while (!load_.has_measured);
    load_.stage.store(trailing, std::memory_order_relaxed);
    load_.usage = usage_of_process() - before;
    const Reading there = co_await reading();
    co_await pause(seconds(load_.interval / 8));
    load_.stage.store(ended, std::memory_order_relaxed);
    load_.measured_seconds = load_.usage.passed / 1e9;
    load_.usage.user += there.user - there_before.user;
    load_.usage.system += there.system - there_before.system;
    load_.traffic = {there.bytes - there_before.bytes, there.segments - there_before.segments};
    if (load_.is_apart) co_await send("meter", Content(), farewell);
  }

 private:
  Task<Reading> reading() {
    if (!load_.is_apart) co_return Reading{};
    const Content nothing;
    const Message answer = co_await ask("meter", nothing);
    co_return answer.content().as<Reading>();
  }

  Load& load_;
};

LoadFound evaluate(const Load& load) {
  LoadFound found;
  std::uint64_t sum = 0;
  std::uint64_t slowest = ~std::uint64_t{0};
  std::uint64_t fastest = 0;
  for (const Rounds& rounds : load.rounds) {
    const auto measured = static_cast<double>(rounds[measuring]);
    sum += rounds[measuring];
    slowest = std::min(slowest, rounds[measuring]);
    fastest = std::max(fastest, rounds[measuring]);
    found.rate.samples.push_back(2 * measured / load.measured_seconds);
    if (measured > 0) found.rtt.samples.push_back(load.measured_seconds * 1e9 / measured);
  }
  if (sum == 0) throw NotDone("no pair finished a round trip in the measured interval");
  const double mean = static_cast<double>(sum) / static_cast<double>(load.rounds.size());
  const auto messages = static_cast<double>(2 * sum);
  found.rate.value = messages / load.measured_seconds;
  found.rtt.value = load.measured_seconds * 1e9 / mean;
  found.fairness.value = static_cast<double>(slowest) / mean;
  found.evenness = static_cast<double>(slowest) / static_cast<double>(fastest);
  found.rate.n = 2 * sum;
  found.rtt.n = sum;
  found.fairness.n = load.rounds.size();
  found.usage = load.usage;
  found.wire_bytes = load.traffic.bytes / messages;
  found.ethernet_bytes = bytes_on_ethernet(load.traffic) / messages;
  return found;
}

void add_pongers(Node& node, const Options& options, const LoadShape& shape) {
  if (shape.is_to_one) {
    AgentSpec spec = placed("ponger/0", options.workers - 1);
    spec.mailbox(MailboxOptions().messages(shape.pairs + 1024));
    node.create<SharedPonger>(std::move(spec), shape.pairs);
    return;
  }
  for (std::uint32_t i = 0; i < shape.pairs; ++i) {
    const unsigned home = (i + (options.apart ? 1 : 0)) % options.workers;
    node.create<Ponger>(placed(fmt::format("ponger/{}", i), home));
  }
}

void add_pingers(Node& node, const Options& options, const LoadShape& shape, Load& load) {
  for (std::uint32_t i = 0; i < shape.pairs; ++i) {
    node.adopt(placed(fmt::format("pinger/{}", i), i % options.workers),
               std::make_unique<LoadPinger>(load, i, ponger_of(shape, i)));
  }
  node.adopt(placed("conductor", 0), std::make_unique<Conductor>(load));
}

std::uint64_t all_rounds(const Load& load) {
  std::uint64_t all = 0;
  for (const Rounds& rounds : load.rounds) {
    all += std::accumulate(rounds.begin(), rounds.end(), std::uint64_t{0});
  }
  return all;
}

void play_here(const Options& options, const LoadShape& shape, Load& load) {
  std::optional<MeetingPlace> place;
  Options here = options;
  if (has_service(options)) {
    here = place.emplace().here(options);
    place->serve(here);
  }
  Society society(here);
  add_pongers(society.node(), options, shape);
  add_pingers(society.node(), options, shape, load);
  society.wait();
  society.stop({.sent = 2 * all_rounds(load) + shape.pairs});
}

void play_apart(const Options& options, const LoadShape& shape, Load& load) {
  constexpr std::uint64_t readings = 2;
  MeetingPlace place;
  Options here = place.here(options);
  Partner partner([&here, &shape, &place] {
    place.enter(here);
    Society society(here);
    add_pongers(society.node(), here, shape);
    society.node().create<Meter>(placed("meter", 0));
    society.wait();
    const std::uint64_t received = society.node().ledger().received;
    society.stop({.sent = received - shape.pairs - 1, .received = received});
  });
  place.serve(here);
  Society society(here);
  add_pingers(society.node(), here, shape, load);
  society.wait();
  partner.wait();
  const std::uint64_t rounds = all_rounds(load);
  society.stop({.sent = rounds + shape.pairs + readings + 1, .received = rounds + readings});
}

}  // namespace

LoadFound run_one_load(const Options& options, const LoadShape& shape) {
  Load load;
  load.size = options.size;
  load.interval = options.interval(0.25, 1);
  load.rounds.resize(shape.pairs);
  load.is_apart = options.processes > 1;
  if (load.is_apart) play_apart(options, shape, load);
  else play_here(options, shape, load);
  return evaluate(load);
}

void LoadTable::add(LoadFound found) { repeats_.push_back(std::move(found)); }

std::vector<Run> LoadTable::rates() const {
  std::vector<Run> runs;
  for (const LoadFound& each : repeats_) runs.push_back(each.rate);
  return runs;
}

std::vector<Run> LoadTable::rtts() const {
  std::vector<Run> runs;
  for (const LoadFound& each : repeats_) runs.push_back(each.rtt);
  return runs;
}

std::vector<double> LoadTable::costs() const {
  std::vector<double> costs;
  for (const LoadFound& each : repeats_)
    costs.push_back(each.usage.both() / static_cast<double>(each.rate.n));
  return costs;
}

Summary LoadTable::fairness() const {
  std::vector<Run> runs;
  for (const LoadFound& each : repeats_) runs.push_back(each.fairness);
  return summarize(runs);
}

Summary LoadTable::evenness() const {
  std::vector<double> values;
  for (const LoadFound& each : repeats_) values.push_back(each.evenness);
  return summarize(values, repeats_.empty() ? 0 : repeats_.front().fairness.n);
}

}  // namespace coracle::bench
