// Two sessions with nothing but bytes between them, for random runs: pieces of any size, cuts at
// any byte, restarts.
#pragma once

#include "support/session_model.hpp"

#include <optional>
#include <string>

namespace coracle::net::test {

// The faults of a run, in per mille of its steps.
struct RunFaults {
  unsigned cut = 20, restart = 3, give_up = 2;
};

class SessionRun {
 public:
  explicit SessionRun(std::uint64_t seed, RunFaults faults = {});

  // Runs `steps` steps; throws a Violation.
  void run(unsigned steps);
  // Stops all faults: everything must arrive and be acknowledged; throws a Violation.
  void drain();

  const Ledger& ledger() const { return ledger_; }
  std::uint64_t duplicates() const;
  unsigned cuts() const { return cuts_; }
  unsigned restarts() const { return restarts_; }

 private:
  struct Node {
    std::unique_ptr<ModelUser> user;
    std::unique_ptr<Session> session;
    Epoch epoch;
    std::string outgoing;  // written, not yet read by the other
    std::string unread;    // read, not yet processed
    std::uint64_t duplicates = 0;
    unsigned patience = 0;  // steps until a write is done
  };

  void start(unsigned index);
  void connect();
  void detach(unsigned index);
  void write(unsigned index);
  void deliver(unsigned from, std::size_t most);
  void step();
  void check(Node& node);
  Greeting greeting(unsigned index) const;

  SeededRandom random_;
  RunFaults faults_;
  Ledger ledger_;
  SessionOptions options_;
  ModelUser::Habits habits_;
  Node nodes_[2];
  Time now_{std::chrono::seconds(1)};
  std::uint64_t next_epoch_ = 1;
  unsigned cuts_ = 0, restarts_ = 0;
};

}  // namespace coracle::net::test
