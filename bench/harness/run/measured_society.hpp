// The node on which one repeat of a scenario runs, and the proof that the work was done.
#pragma once

#include "options.hpp"

#include <coracle/agent_spec.hpp>
#include <coracle/node.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace coracle::bench {

// The work that a run must have done by its end.
struct Account {
  std::uint64_t sent = 0;      // messages that its agents have sent
  std::uint64_t received = 0;  // messages that came from another process
  std::uint64_t dropped = 0;   // of these, dropped by a policy that the scenario chose
};

// Opens a node as the options say: realization, workers, processors.
class Society {
 public:
  explicit Society(const Options& options, NodeOptions settings = {});
  // The same, with the requested realization as `change` changes it.
  Society(const Options& options, NodeOptions settings,
          const std::function<Realization(Realization)>& change);

  Node& node() noexcept { return node_; }
  // Waits until every agent has ended. Only then is the account known.
  void wait() { node_.wait(); }
  // Stops the node. Fails with NotDone unless the ledger balances, nothing is under way or unread,
  // and every message of `account` was consumed, here or in the other process.
  void stop(const Account& account);

 private:
  Node node_;
};

// An agent that stays on one worker.
AgentSpec placed(const std::string& name, unsigned worker);

// Checks the text of a realization and returns its full name. Fails with BadRequest.
std::string realization_name(const std::string& text);

}  // namespace coracle::bench
