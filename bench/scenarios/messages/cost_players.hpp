// The agents of the scenario `cost`: a pair that plays with one promise more than usual, and the
// eavesdroppers.
#pragma once

#include "harness/figures/stats.hpp"
#include "harness/load/players.hpp"

#include <coracle/pattern.hpp>
#include <coracle/post.hpp>

#include <latch>
#include <utility>
#include <vector>

namespace coracle::bench {

// The way in which a pinger sends.
enum class Sent { plain, fresh, by_name, post, header, deadline, tracked, request };
// The way in which a pinger reads.
enum class Read { any, by_sender, by_conversation, by_predicate, until };

// The task of a pair, and its results.
struct CostGame {
  Content content;
  double interval = 0;  // in seconds
  Sent sent = Sent::plain;
  Read read = Read::any;
  std::vector<Address> company;  // the agents that get a farewell
  Run found;                     // ns per message
  std::uint64_t messages = 0;    // the messages that all agents sent
};

class CostPinger : public Player {
 public:
  explicit CostPinger(CostGame& game) : game_(game) {}

 protected:
  Task<> play() override;

 private:
  Task<> exchange(Address ponger);
  Post dressed(Address ponger) const;

  CostGame& game_;
};

// Answers requests and all other messages.
class Answerer : public Player {
 protected:
  Task<> play() override;
};

// Takes each message, gives it back, and answers it when it comes again.
class Hesitator : public Player {
 protected:
  Task<> play() override;
};

// Overhears by its patterns until it gets a farewell itself.
class Listener : public Player {
 public:
  Listener(std::vector<Pattern> patterns, std::latch& listening)
      : patterns_(std::move(patterns)), listening_(listening) {}

 protected:
  Task<> play() override;

 private:
  std::vector<Pattern> patterns_;
  std::latch& listening_;
};

}  // namespace coracle::bench
