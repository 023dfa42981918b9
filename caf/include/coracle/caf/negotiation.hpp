// One negotiation as a state machine: what clients say and the time go in, what to ask next and at
// last a plan with its record come out. It sends nothing and knows no clock; Arbiter drives it.
// Contract: caf/tests/negotiation_test.cpp.
#pragma once

#include "coracle/caf/negotiation_record.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace coracle::caf {

// How an arbiter goes about it.
struct NegotiationOptions {
  NegotiationOptions() = default;

  // Which plan is chosen, and how many nodes and moves there may be.
  Selection rule = mutually_agreeable();
  GrowthLimits limits;
  // How long a client has for each answer, and how long the tree grows at most; then the best plan
  // counts that is there.
  Duration answer_within = std::chrono::seconds(2);
  Duration within = std::chrono::seconds(60);
  Silent silent = Silent::repeats;
  // How many plans are offered before it ends without one.
  std::uint32_t offers = 16;
};

// Where a negotiation stands.
enum class Bargaining : std::uint8_t {
  growing,    // clients judge what is new
  offering,   // they are asked whether they take a plan
  preparing,  // they do: can it be done? prepared() says it
  agreed,     // the arbiter is bound
  failed,     // there is no plan
};

// Something to be sent to one client.
struct Uttering {
  std::uint32_t to = 0;
  std::variant<PlanDraft, PlanOffer, PlanOutcome> what;
};

// A negotiation under way. Clients are numbers among those of its beginning. What somebody says
// returns why it, or a part of it, has no effect; empty: all of it has.
class Negotiation {
 public:
  // `game` outlives it. Fails with Errc::bad_options as GameTree does.
  Negotiation(Beginning beginning, NegotiationOptions options, const Game& game, Time now);

  // Where it stands, and until when at the latest.
  Bargaining stage() const noexcept { return stage_; }
  bool is_over() const noexcept { return stage_ >= Bargaining::agreed; }
  Time deadline() const noexcept;
  // What is to be sent, once.
  std::vector<Uttering> take_utterings() noexcept { return std::exchange(utterings_, {}); }
  // What has been so far; complete when it is over.
  const NegotiationRecord& record() const noexcept { return record_; }
  const GameTree& tree() const noexcept { return *tree_; }
  // The plan that is offered, or was agreed upon.
  const Plan& plan() const noexcept { return record_.outcome.plan; }
  // How many plans have been offered.
  std::uint32_t offers() const noexcept { return offer_; }
  // Whether a client does not answer any more.
  bool is_silent(std::uint32_t client) const { return silent_.at(client); }
  // What each client thinks of the plan after that many of its moves.
  std::vector<Worth> worths_after(std::size_t moves) const;

  // What clients say.
  std::string hear(std::uint32_t client, const PlanCritique& critique, Time now);
  std::string hear(std::uint32_t client, const PlanAnswer& answer, Time now);
  // Something has no effect for a reason that the driver knows: a stranger said it.
  std::string refuse(std::string_view who, std::string_view what, std::string reason, Time now);
  // A client cannot be reached.
  void give_up(std::uint32_t client, std::string_view why, Time now);
  // Does what is due.
  void on_time(Time now);
  // In Bargaining::preparing: the plan can be done, or `fault` says why not; then another is
  // sought.
  void prepared(std::string fault, Time now);
  // It is over without a plan, for a reason that the driver knows.
  void end(std::string why, Time now);

 private:
  const std::string& name(std::uint32_t client) const {
    return record_.beginning.clients[client].client;
  }
  HeardOf& note(HeardOf::Kind kind, std::uint32_t client, Time now);
  std::string fault_of_time(NegotiationId id, std::uint32_t epoch) const;
  void answered(std::uint32_t client);
  void fall_silent(std::uint32_t client);
  void stand_in(std::uint32_t client);
  void ask(Time now);
  void go_on(Time now);
  void choose(Time now);
  void turn_down(Time now);
  void over(Bargaining stage, std::string why);

  NegotiationOptions options_;
  NegotiationRecord record_;
  std::unique_ptr<GameTree> tree_;
  Bargaining stage_ = Bargaining::growing;
  Time begin_;
  Time round_ends_ = Time::max();
  Time growth_ends_ = Time::max();
  bool is_late_ = false;  // the tree grows no more
  std::uint32_t round_ = 0;
  std::uint32_t offer_ = 0;
  std::optional<NodeId> chosen_;
  std::vector<bool> silent_;
  std::vector<bool> has_answered_;
  std::uint32_t waiting_for_ = 0;
  bool is_rejected_ = false;
  std::vector<Uttering> utterings_;
};

}  // namespace coracle::caf
