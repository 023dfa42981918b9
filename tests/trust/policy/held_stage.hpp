// Nodes in the simulator, with an agent that holds messages when it is told to.
#pragma once

#include "coracle/coracle.hpp"
#include "coracle/operating.hpp"
#include "coracle/realizations/sim.hpp"
#include "support/societies/doer.hpp"

#include <memory>
#include <string>
#include <vector>

namespace coracle::trust {

// Every node may operate the agents below `free/`, and no others.
class HeldStage {
 public:
  explicit HeldStage(unsigned nodes, std::uint64_t seed = 1);
  ~HeldStage();

  void start(unsigned at, const char* name, test::Doer::What what);
  // Reads into texts(), after a pause.
  void start_reader(unsigned at, const char* name, Duration pause = {});
  // Sends the numbers from 0 as texts.
  void start_sender(unsigned at, const char* name, const char* to, int count);
  // Has the operator, on the first node, do something; it has done it when this returns.
  void operate_by(test::Doer::What what);
  void hold(Pattern pattern, HoldOptions options = {});
  HoldState look();
  std::size_t release(std::size_t count = Hold::all);
  void end_hold();
  Hold& held() { return *hold_; }
  sim::World& world() { return *world_; }
  Node& node(unsigned at) { return *nodes_[at]; }
  void lose(unsigned at);
  std::vector<std::string>& texts() { return texts_; }

 private:
  std::vector<std::string> texts_;
  std::unique_ptr<sim::World> world_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::shared_ptr<Hold> hold_;
  int operators_ = 0;
};

}  // namespace coracle::trust
