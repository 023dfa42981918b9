// Who brings the wishes of several clients together (the paper's arbiter, section 2.3.1 and Figure
// 7): derive, and say how a plan is carried out. Contract: tests/negotiation/negotiating_test.cpp.
#pragma once

#include "coracle/caf/contractor.hpp"
#include "coracle/caf/negotiation.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace coracle::caf {

// When an arbiter negotiates, and how.
struct ArbiterOptions {
  ArbiterOptions() = default;

  // By which rule and within which limits.
  NegotiationOptions negotiation;
  // It begins once that many clients have requested something, or that long after the first.
  std::size_t clients = 1;
  Duration gather = std::chrono::seconds(1);
  // How long its clients have to say that a plan should begin; then it is bound no more.
  Duration go_within = std::chrono::seconds(60);
  // Whether it negotiates again after each control cycle; otherwise only after those in which a
  // request has changed. It goes on with the rest of the plan unless there is a better one.
  bool reconsiders = false;
};

// An agent that takes requests, negotiates, and carries out what is agreed upon.
class Arbiter : public virtual Contractor {
 public:
  // Begins in `state`. `random` outlives it.
  Arbiter(std::shared_ptr<const Game> game, std::string state, ArbiterOptions options = {},
          Random& random = machine_random());
  ~Arbiter() override;

 protected:
  // Works out how a plan that all have taken can be achieved, before anybody is bound by it. Gives
  // why it cannot be; then another plan is sought.
  virtual Task<std::string> prepare(Plan plan);
  // What was prepared is not wanted any more. This, prepare(), begin() and perform() come one after
  // another, beside everything else that the arbiter does.
  virtual Task<> release();
  // It is about to be carried out.
  virtual Task<> begin(Plan plan);
  // Carries out one control cycle of a move, which leads to `cycle.state`. Gives why it cannot be;
  // then the plan ends there.
  virtual Task<std::string> perform(std::string move, Game::Step cycle);
  // Told of each negotiation when it is over, before anybody else is. Those that a change of
  // requests has ended are among them.
  virtual void on_record(const Negotiation& negotiation);
  // Told when a plan has been carried out, or where it has ended.
  virtual void on_end(const PlanProgress& last);
  // Whether it takes requests of that client.
  virtual bool admits(const Name& client, const PlanRequest& request);

  // The present state, and what all has cost up to it.
  const std::string& state() const noexcept;
  std::int64_t cost() const noexcept;
  const Game& game() const noexcept;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace coracle::caf
