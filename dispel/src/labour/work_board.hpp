// Distributes tasks among slaves, as a state machine: slaves come, get chunks, bring results, and
// die. A slave that dies with several tasks in hand makes each of them a suspect. A suspect is
// given again alone, and a task is charged with a death only if the slave had nothing else.
// Contract: dispel/tests/labour/work_board_test.cpp.
#pragma once

#include "coracle/dispel/division.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace coracle::dispel::detail {

// Some tasks for one slave.
struct Chunk {
  std::uint64_t id = 0;
  std::uint64_t first = 0;
  std::uint32_t count = 0;
};

// Tasks are numbers below `tasks`, slaves numbers below `slaves`.
class WorkBoard {
 public:
  // Chunks have numbers above `numbers`.
  WorkBoard(std::uint64_t tasks, std::uint32_t slaves, Division how, std::uint64_t numbers = 0);

  // A slave is ready. With fixed shares, each slave that is ready when share_out() is called gets a
  // share.
  void ready(std::uint32_t slave);
  void share_out();
  // A slave serves no more, for an unknown reason: its tasks are given to others, as suspects.
  // Returns the slave's task if it had only one.
  std::optional<std::uint64_t> lost(std::uint32_t slave);
  // A slave has died over the only task that it had. The death counts unless the task is done.
  void charge(std::uint64_t task);
  // Calls lost() and charge().
  void died(std::uint32_t slave);
  // A slave is no longer there, for a reason that no task can be: its tasks are given to others.
  void left(std::uint32_t slave);
  // A chunk could not be sent to its slave, which gets nothing until it is ready again.
  void not_sent(const Chunk& chunk);
  // The next chunk for a slave, as long as it has less than two chunks.
  std::optional<Chunk> give(std::uint32_t slave);
  // A task is done; returns whether this is the first time.
  bool done(std::uint64_t task);
  // Returns whether a chunk was given out here.
  bool knows(std::uint64_t chunk) const noexcept { return chunk > numbers_ && chunk <= next_id_; }
  // A chunk has been brought back.
  void finished(std::uint64_t chunk);

  // Every task below this is done.
  std::uint64_t done_in_order() const noexcept { return in_order_; }
  std::uint64_t done_count() const noexcept { return done_count_; }
  bool all_done() const noexcept { return done_count_ == done_.size(); }
  // The number of slaves that are ready.
  std::uint32_t ready_count() const noexcept;
  // The task over which too many slaves have died, if there is one.
  std::optional<std::uint64_t> hopeless() const;
  // The number of tasks that were given again.
  std::uint64_t given_again() const noexcept { return given_again_; }

 private:
  struct Range {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
  };
  struct Slave {
    bool ready = false;
    std::deque<Range> own;  // of a fixed share
    std::map<std::uint64_t, Range> open;
    bool alone = false;  // it has a suspect, and gets nothing else meanwhile
  };
  static constexpr std::size_t chunks_each = 2;

  std::optional<Range> take(std::deque<Range>& from, std::uint64_t most);
  std::optional<Range> take_suspect();
  std::optional<Range> take_ordinary(Slave& slave);
  std::uint64_t size_of_next() const;
  void suspect(const Range& range);
  void give_back(const Range& range);
  void clear(Slave& slave);

  Division how_;
  std::vector<bool> done_;
  std::vector<Slave> slaves_;
  std::deque<Range> pool_;
  std::map<std::uint64_t, std::uint32_t> whose_;  // open chunks
  std::uint64_t numbers_;
  std::uint64_t next_id_;
  std::uint64_t in_order_ = 0;
  std::uint64_t done_count_ = 0;
  std::uint64_t left_ = 0;  // in the pool
  std::uint64_t given_again_ = 0;
  std::set<std::uint64_t> suspects_;               // that wait to be given alone
  std::map<std::uint64_t, std::uint32_t> deaths_;  // over suspects that were alone
};

}  // namespace coracle::dispel::detail
