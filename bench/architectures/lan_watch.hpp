// The agents that see to it that a run on several hosts ends: with a failure that says why when a
// host dies or does not reach another one, and for all hosts when it ends for one.
#pragma once

#include "architectures/roll_call.hpp"
#include "harness/players.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <latch>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace coracle::bench {

// The name of the agent that answers for a worker.
std::string sentry_name(const std::string& worker);

// On a worker's host: tries the other workers when the coordinator calls it, and reports. Ends with
// the farewell. When that gives a reason, or the coordinator has been silent for too long, it ends
// this process with exit code 1.
class Sentry : public Player {
 public:
  // `moves` are the messages that this host's agents have sent; `sent` those of this agent.
  // `coordinator` is where that one listens.
  Sentry(std::string coordinator, const std::atomic<std::uint64_t>& moves,
         std::atomic<std::uint64_t>& sent)
      : coordinator_(std::move(coordinator)), moves_(moves), sent_(sent) {}

 protected:
  Task<> play() override;

 private:
  struct Round;

  void begin_round(Message request);
  Task<> answer(Message probe);
  Task<> try_one(std::shared_ptr<Round> round, std::uint32_t which);
  Task<> report(std::shared_ptr<Round> round);

  const std::string coordinator_;
  const std::atomic<std::uint64_t>& moves_;
  std::atomic<std::uint64_t>& sent_;
};

// What the coordinator's threads and its agents know in common.
struct Watch {
  std::vector<Station> workers;
  std::atomic<bool> is_closing{false};  // workers may end now
  // How long there may be no message of an agent; zero: they have nothing to do.
  std::atomic<std::int64_t> longest_silence_ns{0};
  // Messages of the coordinator's node, without those of its overseer; these; and those of agents
  // on other nodes of this process.
  std::atomic<std::uint64_t> sent{0};
  std::atomic<std::uint64_t> calls{0};
  std::atomic<std::uint64_t> beside{0};
  std::latch reached{1};  // until everybody has reached everybody once
};

// On the coordinator's host: an agent that can end the run for all.
class Officer : public Player {
 protected:
  explicit Officer(Watch& watch) : watch_(watch) {}

  // Tells the workers why, and ends this process with exit code 1.
  Task<> break_off(std::string why);
  // Tells the workers why they end with exit code 1.
  Task<> tell_all(Content why);

  Watch& watch_;

 private:
  Task<> tell(Name sentry, Content why);
};

// Breaks off when a worker ends before it is sent home.
class Guard : public Officer {
 public:
  Guard(Watch& watch, Station worker) : Officer(watch), worker_(std::move(worker)) {}

 protected:
  Task<> play() override;

 private:
  const Station worker_;
};

// Calls all workers, again and again, and breaks off when not everybody reaches everybody, or when
// nothing moves. Sends them home when it gets the farewell, with the reason that this gives.
class Overseer : public Officer {
 public:
  explicit Overseer(Watch& watch) : Officer(watch) {}

 protected:
  Task<> play() override;

 private:
  struct Round;

  void begin_round();
  Task<> call(std::shared_ptr<Round> round, std::uint32_t which);
  Task<> end_round(std::shared_ptr<Round> round);

  Standstill still_;
  bool is_calling_ = false;
  bool has_reached_all_ = false;
};

// Ends this process with exit code 1 and a sentence unless it is destroyed in time: for what has no
// deadline of its own.
class Patience {
 public:
  Patience(Duration limit, std::function<std::string()> sentence);
  ~Patience();
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

 private:
  std::mutex mutex_;  // guards is_over_
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace coracle::bench
