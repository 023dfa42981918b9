// The agents that make sure that a run on several hosts ends: with a failure and its reason when a
// host dies or does not reach another one, and for all hosts when it ends for one.
#pragma once

#include "architectures/roll_call.hpp"
#include "harness/load/players.hpp"

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

// On a worker's host: calls the other workers when the coordinator calls it, and reports. Ends with
// the farewell. When the farewell has a reason, or when the coordinator has been silent for too
// long, the sentry ends this process with exit code 1.
class Sentry : public Player {
 public:
  // `moves` counts the messages that this host's agents have sent; `sent` counts those of this
  // agent. `coordinator` is the place where the coordinator listens.
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

// The state that the coordinator's threads and its agents share.
struct Watch {
  std::vector<Station> workers;
  std::atomic<bool> is_closing{false};  // workers may end now
  // The longest time without a message of an agent; zero: the agents have no work.
  std::atomic<std::int64_t> longest_silence_ns{0};
  // The messages of the coordinator's node, without those of its overseer; the overseer's messages;
  // and those of agents on other nodes of this process.
  std::atomic<std::uint64_t> sent{0};
  std::atomic<std::uint64_t> calls{0};
  std::atomic<std::uint64_t> beside{0};
  std::latch reached{1};  // until all hosts have reached each other once
};

// On the coordinator's host: an agent that can end the run for all.
class Officer : public Player {
 protected:
  explicit Officer(Watch& watch) : watch_(watch) {}

  // Sends the workers the reason, and ends this process with exit code 1.
  Task<> break_off(std::string why);
  // Sends the workers the reason why they end with exit code 1.
  Task<> tell_all(Content why);

  Watch& watch_;

 private:
  Task<> tell(Name sentry, Content why);
};

// Breaks the run off when a worker ends before it is sent home.
class Guard : public Officer {
 public:
  Guard(Watch& watch, Station worker) : Officer(watch), worker_(std::move(worker)) {}

 protected:
  Task<> play() override;

 private:
  const Station worker_;
};

// Calls all workers, again and again, and breaks the run off when not all hosts reach each other,
// or when no agent makes progress. Sends the workers home when it receives the farewell, with the
// reason in it.
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

// Ends this process with exit code 1 and a sentence unless the object is destroyed in time: for
// operations without a deadline of their own.
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
