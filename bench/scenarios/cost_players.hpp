// The agents of the scenario `cost`: a pair that plays with one promise more than usual, and those
// who listen.
#pragma once

#include "harness/players.hpp"
#include "harness/stats.hpp"

#include <coracle/pattern.hpp>
#include <coracle/post.hpp>

#include <latch>
#include <utility>
#include <vector>

namespace coracle::bench {

// How a pinger sends.
enum class Sent { plain, fresh, by_name, post, header, deadline, tracked, request };
// How it reads.
enum class Read { any, by_sender, by_conversation, by_predicate, until };

// What a pair is to do, and what it found.
struct CostGame {
  Content content;
  double interval = 0;  // in seconds
  Sent sent = Sent::plain;
  Read read = Read::any;
  std::vector<Address> company;  // who gets a farewell
  Run found;                     // ns per message
  std::uint64_t messages = 0;    // that were sent, by everybody
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

// Answers requests, and everything else too.
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
