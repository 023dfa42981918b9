// Two nodes with a link in the simulated network, and everything that can happen to them.
#pragma once

#include "realizations/net/src/simulated/alarms.hpp"
#include "support/link_node.hpp"
#include "support/sim_bench.hpp"

namespace coracle::net::test {

class LinkRun {
 public:
  explicit LinkRun(std::uint64_t seed);

  // Runs both for `span` while faults happen; throws a Violation.
  void run(Duration span);
  // Mends everything: all sent messages must arrive within a minute of virtual time; throws a
  // Violation.
  void drain();

  const Ledger& ledger() const { return ledger_; }
  unsigned faults() const { return faults_; }
  // Of both nodes' sessions, the living ones and the earlier ones.
  unsigned opened = 0, restarted = 0, suspected = 0, gone = 0;

 private:
  void start(unsigned index);
  void stop(unsigned index);
  void wreck();
  void mend();
  void act(unsigned index, unsigned most);
  void check(const LinkNode& node) const;

  SeededRandom dice_;
  SimLab lab_;
  Ledger ledger_;
  LinkOptions options_;
  ModelUser::Habits habits_;
  bool dials_[2];
  std::unique_ptr<Alarms> alarms_[2];
  std::unique_ptr<LinkNode> nodes_[2];
  std::uint64_t next_epoch_ = 1;
  unsigned faults_ = 0;
};

}  // namespace coracle::net::test
