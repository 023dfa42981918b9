// One pair: a ping, its pong, the next ping. The round trip of a closed loop, or with a rate the
// latency of an open one.
#include "floor/floors.hpp"
#include "harness/compare.hpp"
#include "harness/forked.hpp"
#include "harness/meeting_place.hpp"
#include "harness/open_loop.hpp"
#include "harness/players.hpp"
#include "harness/society.hpp"
#include "scenarios/scenarios.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace coracle::bench {

namespace {

constexpr std::uint64_t batch = 1000;  // round trips for each look at the clock

// What a pinger is to do, and what it found.
struct Game {
  Content content;
  double interval = 0;        // in seconds
  std::uint32_t waiting = 0;  // messages of others that wait in the mailbox meanwhile
  bool is_directed = false;   // it reads from the ponger alone
  Run found;
  std::uint64_t sent = 0;  // by everybody
};

class Pinger : public Player {
 public:
  explicit Pinger(Game& game) : game_(game) {}

 protected:
  Task<> play() override {
    const Address ponger = find("ponger");
    while (pending() < game_.waiting) co_await yield();
    const Time begin = clock_now() + seconds(game_.interval / 5);
    const Time end = begin + seconds(game_.interval);
    Time before = clock_now();
    while (before < end) {
      co_await exchange(ponger);
      const Time after = clock_now();
      game_.sent += 2 * batch;
      if (before >= begin) note(after - before);
      before = after;
    }
    co_await send(ponger, game_.content, farewell);
    std::uint32_t left = 0;
    while (try_receive()) ++left;
    game_.sent += 1 + left;
    game_.found.value /= static_cast<double>(game_.found.n);
  }

 private:
  Task<> exchange(Address ponger) {
    Content& ball = game_.content;
    for (std::uint64_t i = 0; i < batch; ++i) {
      co_await send(ponger, std::move(ball));
      if (game_.is_directed) {
        Message pong = co_await receive(from(ponger));
        ball = pong.consume();
      } else {
        Message pong = co_await receive();
        ball = pong.consume();
      }
    }
  }

  void note(Duration passed) {
    game_.found.samples.push_back(nanoseconds(passed) / batch);
    game_.found.value += nanoseconds(passed);
    game_.found.n += batch;
  }

  Game& game_;
};

// Fills the pinger's mailbox with messages that it does not read.
class Bystander : public Player {
 public:
  explicit Bystander(std::uint32_t messages) : messages_(messages) {}

 protected:
  Task<> play() override {
    const Address pinger = find("pinger");
    const Content content = content_of(64);
    for (std::uint32_t i = 0; i < messages_; ++i) co_await send(pinger, content);
  }

 private:
  std::uint32_t messages_;
};

Run play_once(const Options& options, std::uint32_t waiting, bool is_directed) {
  Game game;
  game.content = content_of(options.size);
  game.interval = options.interval(0.2, 1);
  game.waiting = waiting;
  game.is_directed = is_directed;

  Society society(options);
  society.node().create<Ponger>(placed("ponger", options.workers - 1));
  AgentSpec spec = placed("pinger", 0);
  spec.mailbox(MailboxOptions().messages(waiting + 1024));
  society.node().adopt(spec, std::make_unique<Pinger>(game));
  const std::uint32_t bystanders = std::min<std::uint32_t>(waiting, 100);
  for (std::uint32_t i = 0; i < bystanders; ++i) {
    const std::uint32_t share = waiting / bystanders + (i < waiting % bystanders ? 1 : 0);
    society.node().create<Bystander>(placed(fmt::format("bystander/{}", i), 0), share);
  }
  society.wait();
  society.stop({.sent = game.sent});
  return game.found;
}

// The ponger lives in another process.
Run play_apart_once(const Options& options) {
  MeetingPlace place;
  const Options here = place.here(options);
  Partner partner([&here] {
    Society society(here);
    society.node().create<Ponger>(placed("ponger", here.workers - 1));
    society.wait();
    const std::uint64_t received = society.node().ledger().received;
    society.stop({.sent = received - 1, .received = received});
  });
  place.serve();
  Game game;
  game.content = content_of(options.size);
  game.interval = options.interval(0.2, 1);
  Society society(here);
  society.node().adopt(placed("pinger", 0), std::make_unique<Pinger>(game));
  society.wait();
  partner.wait();
  const std::uint64_t pongs = game.sent / 2;
  society.stop({.sent = pongs + 1, .received = pongs});
  return game.found;
}

Run floor_once(const Options& options) {
  const double interval = options.interval(0.05, 0.3);
  if (options.processes > 1) {
    return floor_socket_round_trip(socket_of(options.realization), options.size, interval,
                                   options.pin ? 0 : -1);
  }
  if (options.workers == 1) return floor_call_round_trip(interval);
  return floor_ring_round_trip(1, interval, options.pin ? 0 : -1);
}

// With messages of others waiting: beside the same directed read with none.
std::vector<Metric> measure_waiting(const Options& options, Progress& progress, Params params) {
  const auto runs = interleave(options, progress,
                               {[&] { return play_once(options, options.waiting, true); },
                                [&] { return play_once(options, 0, true); }});
  Params none = params;
  none.emplace_back("waiting", std::int64_t{0});
  params.emplace_back("waiting", std::int64_t{options.waiting});
  return {{"rtt", "ns", params, summarize(runs[0]), {}},
          {"rtt", "ns", none, summarize(runs[1]), {}},
          {"ratio_to_none_waiting", "x", params, ratio(runs[0], runs[1]), {}}};
}

}  // namespace

std::vector<Metric> run_pingpong(const Options& options, Progress& progress) {
  Params params = {{"workers", std::int64_t{options.workers}},
                   {"size", static_cast<std::int64_t>(options.size)}};
  if (options.processes > 1) params.emplace_back("processes", std::int64_t{options.processes});
  if (options.rate) return run_open_loop(options, params, {{0, options.workers - 1}});
  if (options.waiting > 0) return measure_waiting(options, progress, params);

  const auto runs = interleave(options, progress,
                               {[&] {
                                  return options.processes > 1 ? play_apart_once(options)
                                                               : play_once(options, 0, false);
                                },
                                [&] { return floor_once(options); }});
  std::vector<Metric> metrics = beside_floor("rtt", "ns", params, runs[0], runs[1]);
  std::vector<double> rates;
  for (const Run& run : runs[0]) rates.push_back(2e9 / run.value);
  metrics.push_back({"rate", "messages/s", params, summarize(rates, metrics[0].summary.n * 2), {}});
  return metrics;
}

}  // namespace coracle::bench
