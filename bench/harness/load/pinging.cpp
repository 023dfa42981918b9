#include "pinging.hpp"

#include "harness/figures/timing.hpp"
#include "harness/machines/forked.hpp"
#include "harness/run/measured_society.hpp"
#include "meeting_place.hpp"
#include "players.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace coracle::bench {

namespace {

// Round trips for each look at the clock; the look costs nothing beside a message between
// processes.
std::uint64_t batch_of(const Options& options) { return options.processes > 1 ? 100 : 1000; }

// The task of a pinger, and its result.
struct Game {
  Content content;
  double interval = 0;  // in seconds
  std::uint64_t batch = 0;
  PingSettings settings;
  Run found;
  std::uint64_t sent = 0;  // by all agents
};

class Pinger : public Player {
 public:
  explicit Pinger(Game& game) : game_(game) {}

 protected:
  Task<> play() override {
    const Address ponger = find("ponger");
    while (pending() < game_.settings.waiting) co_await yield();
    const Time begin = clock_now() + seconds(game_.interval / 5);
    const Time end = begin + seconds(game_.interval);
    Time before = clock_now();
    while (before < end || game_.found.n == 0) {
      co_await exchange(ponger);
      const Time after = clock_now();
      game_.sent += 2 * game_.batch;
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
    for (std::uint64_t i = 0; i < game_.batch; ++i) {
      co_await send(ponger, std::move(ball));
      if (game_.settings.is_directed) {
        Message pong = co_await receive(from(ponger));
        ball = pong.consume();
      } else {
        Message pong = co_await receive();
        ball = pong.consume();
      }
    }
  }

  void note(Duration passed) {
    game_.found.samples.push_back(nanoseconds(passed) / static_cast<double>(game_.batch));
    game_.found.value += nanoseconds(passed);
    game_.found.n += game_.batch;
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

Game game_of(const Options& options, const PingSettings& settings) {
  Game game;
  game.content = content_of(options.size);
  game.interval = options.interval(0.2, 1);
  game.batch = batch_of(options);
  game.settings = settings;
  return game;
}

Run play_here(const Options& options, const PingSettings& settings) {
  Game game = game_of(options, settings);
  const std::uint32_t waiting = settings.waiting;
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
Run play_apart(const Options& options) {
  MeetingPlace place;
  Options here = place.here(options);
  Partner partner([&here, &place] {
    place.enter(here);
    Society society(here);
    society.node().create<Ponger>(placed("ponger", here.workers - 1));
    society.wait();
    const std::uint64_t received = society.node().ledger().received;
    society.stop({.sent = received - 1, .received = received});
  });
  place.serve(here);
  Game game = game_of(options, {});
  Society society(here);
  society.node().adopt(placed("pinger", 0), std::make_unique<Pinger>(game));
  society.wait();
  partner.wait();
  const std::uint64_t pongs = game.sent / 2;
  society.stop({.sent = pongs + 1, .received = pongs});
  return game.found;
}

}  // namespace

Run run_one_pingpong(const Options& options, const PingSettings& settings) {
  return options.processes > 1 ? play_apart(options) : play_here(options, settings);
}

}  // namespace coracle::bench
