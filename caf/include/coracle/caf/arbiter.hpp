// An agent that reconciles the wishes of several clients in one plan (the paper's arbiter, section
// 2.3.1 and Figure 7). Derive from it and define how a plan is carried out. Tests:
// tests/negotiation/negotiating_test.cpp.
#pragma once

#include "coracle/caf/contractor.hpp"
#include "coracle/caf/negotiation/negotiation.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace coracle::caf {

// The times at which an arbiter negotiates, and the way it does so.
struct ArbiterOptions {
  ArbiterOptions() = default;

  // The rule and the limits of a negotiation.
  NegotiationOptions negotiation;
  // The arbiter begins when `clients` clients have sent requests, or `gather` after the first
  // request.
  std::size_t clients = 1;
  Duration gather = std::chrono::seconds(1);
  // The time within which its clients must request the beginning of a plan. After that time the
  // arbiter is no longer bound by the plan.
  Duration go_within = std::chrono::seconds(60);
  // If true, the arbiter negotiates again after each control cycle; otherwise only after a cycle in
  // which a request has changed. It continues the rest of the plan unless it finds a better one.
  bool reconsiders = false;
};

// An agent that takes requests, negotiates, and carries out the agreed plan.
class Arbiter : public virtual Contractor {
 public:
  // Creates an arbiter whose first state is `state`. `random` outlives the arbiter.
  Arbiter(std::shared_ptr<const Game> game, std::string state, ArbiterOptions options = {},
          Random& random = machine_random());
  ~Arbiter() override;

 protected:
  // Works out how a plan that all clients have accepted can be achieved, before anybody is bound by
  // it. Returns the reason if the plan cannot be achieved; then the arbiter seeks another plan.
  virtual Task<std::string> prepare(Plan plan);
  // Called when the prepared plan is not wanted any more. The calls of release(), prepare(),
  // begin() and perform() do not overlap; they run beside everything else that the arbiter does.
  virtual Task<> release();
  // Called when a plan is about to be carried out.
  virtual Task<> begin(Plan plan);
  // Carries out one control cycle of a move, which leads to `cycle.state`. Returns the reason if it
  // cannot be carried out; then the plan ends there.
  virtual Task<std::string> perform(std::string move, Game::Step cycle);
  // Called with each negotiation when it is over, before anybody else learns of it. This includes
  // negotiations that ended because requests changed.
  virtual void on_record(const Negotiation& negotiation);
  // Called when a plan has been carried out, or has ended early.
  virtual void on_end(const PlanProgress& last);
  // Returns whether the arbiter takes requests of `client`.
  virtual bool admits(const Name& client, const PlanRequest& request);

  // The present state, the cost of everything up to this state, and the rules of the game.
  const std::string& state() const noexcept;
  std::int64_t cost() const noexcept;
  const Game& game() const noexcept;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coracle::caf
