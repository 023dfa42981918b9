// More and more nodes, each in a process of its own and linked to all others: the cost of a
// message. Each two nodes have one round trip under way. The processor time is that of all
// processes together, from the start signal until the last one has done its share.
#include "architectures/graph.hpp"
#include "harness/figures/usage.hpp"
#include "harness/load/meeting_place.hpp"
#include "harness/load/players.hpp"
#include "harness/machines/forked.hpp"
#include "harness/run/failures.hpp"
#include "harness/run/measured_society.hpp"
#include "scenarios/scenarios.hpp"

#include <coracle/typed.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <deque>

namespace coracle::bench {

namespace {

constexpr unsigned most_nodes = 64;

// The task of all processes.
struct Round {
  unsigned nodes = 2;
  std::uint64_t round_trips = 0;  // for each two nodes
  std::size_t size = 0;

  std::uint64_t links() const noexcept { return std::uint64_t{nodes} * (nodes - 1) / 2; }
  std::uint64_t messages() const noexcept { return 2 * links() * round_trips; }
};

// The resources that a process has used up to now.
struct Taken {
  static constexpr std::string_view content_type = "coracle/bench/taken/v1";

  double user = 0;
  double system = 0;
};

std::string talker_of(unsigned node) { return fmt::format("talker/{}", node); }
std::string answerer_of(unsigned node) { return fmt::format("answerer/{}", node); }

// Answers the talkers of all nodes with a lower number, until each of them has sent a farewell.
class Answerer : public Player {
 public:
  explicit Answerer(unsigned askers) : askers_(askers) {}

 protected:
  Task<> play() override {
    while (askers_ > 0) {
      Message ping = co_await receive();
      if (ping.conversation() == farewell) {
        --askers_;
        continue;
      }
      const Address asker = ping.source();
      co_await send(asker, ping.consume());
    }
  }

 private:
  unsigned askers_;
};

// Exchanges messages with the answerers of all nodes with a higher number, and reports the
// resources that its process uses.
class Talker : public Player {
 public:
  Talker(const Round& round, unsigned node) : round_(round), node_(node) {}

 protected:
  Task<> play() override {
    std::vector<Address> others;
    for (unsigned other = node_ + 1; other < round_.nodes; ++other)
      others.push_back(find(answerer_of(other)));
    for (const Address other : others) co_await send(other, content_of(round_.size));
    for (std::size_t i = 0; i < others.size(); ++i) const Message ready = co_await receive();

    co_await tell();  // reports that it is ready
    co_await receive();
    std::uint64_t left = others.size() * round_.round_trips;
    for (const Address other : others) co_await send(other, content_of(round_.size));
    const std::uint64_t under_way = others.size();
    for (; left > 0; --left) {
      Message pong = co_await receive();
      const Address other = pong.source();
      if (left > under_way) co_await send(other, pong.consume());
    }
    co_await tell();  // reports that it has done its share
    co_await receive();
    for (const Address other : others) co_await send(other, Content(), farewell);
    co_await tell();
  }

 private:
  // Sends the conductor the resources used up to now. The conductor answers only when all have
  // reported.
  Task<> tell() {
    const Usage usage = usage_of_process();
    co_await send(find("conductor"), Content::of(Taken{usage.user, usage.system}));
  }

  const Round round_;
  const unsigned node_;
};

class Conductor : public Player {
 public:
  Conductor(const Round& round, Usage& found) : round_(round), found_(found) {}

 protected:
  Task<> play() override {
    const Usage before = co_await hear_all();
    co_await go_on();
    const Usage done = co_await hear_all();
    co_await go_on();
    const Usage after = co_await hear_all();
    found_ = after - before;
    found_.passed = (done - before).passed;
  }

 private:
  // The resources that all processes have used, when each of them has reported.
  Task<Usage> hear_all() {
    Usage sum;
    for (unsigned node = 0; node < round_.nodes; ++node) {
      const Message told = co_await receive();
      const auto& taken = told.content().as<Taken>();
      sum.user += taken.user;
      sum.system += taken.system;
    }
    sum.passed = nanoseconds(clock_now().time_since_epoch());
    co_return sum;
  }

  Task<> go_on() {
    for (unsigned node = 0; node < round_.nodes; ++node)
      co_await send(find(talker_of(node)), Content());
  }

  const Round round_;
  Usage& found_;
};

void add_players(Node& node, const Round& round, unsigned number) {
  node.create<Answerer>(placed(answerer_of(number), 0), number);
  node.create<Talker>(placed(talker_of(number), 0), round, number);
}

Usage talk_once(const Options& options, const Round& round) {
  MeetingPlace place;
  Options here = place.here(options);
  std::deque<Partner> partners;
  for (unsigned number = 1; number < round.nodes; ++number) {
    partners.emplace_back([&here, &place, &round, number] {
      place.enter(here);
      Society society(here);
      add_players(society.node(), round, number);
      society.wait();
      const Ledger ledger = society.node().ledger();
      society.stop({.sent = ledger.sent, .received = ledger.received});
    });
  }
  place.serve(here);
  Usage found;
  Society society(here);
  add_players(society.node(), round, 0);
  society.node().adopt(placed("conductor", 0), std::make_unique<Conductor>(round, found));
  society.wait();
  for (Partner& each : partners) each.wait();
  const Ledger ledger = society.node().ledger();
  society.stop({.sent = ledger.sent, .received = ledger.received});
  return found;
}

std::vector<unsigned> counts_of(const Options& options) {
  if (options.shapes.empty())
    return options.quick ? std::vector{2U, 4U} : std::vector{2U, 4U, 8U, 16U, 32U};
  std::vector<unsigned> counts;
  for (const std::string& text : options.shapes) {
    const std::uint32_t count = count_of(text);
    if (count < 2 || count > most_nodes)
      throw BadRequest(fmt::format("'{}' is no number of nodes from 2 to {}", text, most_nodes));
    counts.push_back(count);
  }
  return counts;
}

}  // namespace

std::vector<Metric> run_nodes(const Options& options, Progress& progress) {
  if (options.realization.starts_with("local"))
    throw BadRequest("nodes are processes of their own; choose distributed: or central:");
  const std::uint64_t all = options.messages.value_or(options.quick ? 5'000 : 400'000);
  std::vector<Metric> metrics;
  for (const unsigned nodes : counts_of(options)) {
    Round round{nodes, 0, options.size};
    round.round_trips = std::max<std::uint64_t>(2, all / (2 * round.links()));
    std::vector<double> costs, rates;
    for (unsigned repeat = 0; repeat < options.repeats(); ++repeat) {
      progress.step(fmt::format("{} nodes, repeat {}/{}", nodes, repeat + 1, options.repeats()));
      const Usage usage = talk_once(options, round);
      const auto messages = static_cast<double>(round.messages());
      costs.push_back(usage.both() / messages);
      rates.push_back(messages / usage.passed * 1e9);
    }
    const Params params = {{"nodes", std::int64_t{nodes}},
                           {"links", static_cast<std::int64_t>(round.links())},
                           {"size", static_cast<std::int64_t>(options.size)}};
    metrics.push_back({"cost", "ns/message", params, summarize(costs, round.messages()), {}});
    metrics.push_back({"rate", "messages/s", params, summarize(rates, round.messages()), {}});
  }
  return metrics;
}

}  // namespace coracle::bench
