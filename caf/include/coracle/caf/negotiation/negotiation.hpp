// One negotiation as a state machine. Its inputs are messages of clients and the time; its outputs
// are the next requests to clients and finally a plan with its record. It sends nothing and has no
// clock; Arbiter drives it. Tests: caf/tests/negotiation/negotiation_test.cpp.
#pragma once

#include "coracle/caf/negotiation/negotiation_record.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace coracle::caf {

// The options of a negotiation.
struct NegotiationOptions {
  NegotiationOptions() = default;

  // The rule by which a plan is chosen, and the limits on nodes and moves.
  Selection rule = mutually_agreeable();
  GrowthLimits limits;
  // The time that a client has for each reply, and the longest time for which the tree grows. After
  // that time, the best plan found so far counts.
  Duration answer_within = std::chrono::seconds(2);
  Duration within = std::chrono::seconds(60);
  Silent silent = Silent::repeats;
  // The number of plans that are offered before the negotiation ends without a plan.
  std::uint32_t offers = 16;
};

// The stage of a negotiation.
enum class Bargaining : std::uint8_t {
  growing,    // clients judge the new nodes
  offering,   // clients are offered a plan
  preparing,  // all accept; prepared() reports whether the plan can be done
  agreed,     // the arbiter is bound by a plan
  failed,     // there is no plan
};

// A message that is to be sent to one client.
struct Uttering {
  std::uint32_t to = 0;
  std::variant<PlanDraft, PlanOffer, PlanOutcome> what;
};

// A negotiation in progress. Clients are numbers in the order of Beginning::clients. A function
// that takes a message returns the reason why the message, or a part of it, has no effect; empty if
// all of it has an effect.
class Negotiation {
 public:
  // `game` outlives the negotiation. Fails with Errc::bad_options as GameTree does.
  Negotiation(Beginning beginning, NegotiationOptions options, const Game& game, Time now);

  // The stage, and the time at which the next step is due at the latest.
  Bargaining stage() const noexcept { return stage_; }
  bool is_over() const noexcept { return stage_ >= Bargaining::agreed; }
  Time deadline() const noexcept;
  // Returns the messages that are to be sent. Each is returned once.
  std::vector<Uttering> take_utterings() noexcept { return std::exchange(utterings_, {}); }
  // The record so far; complete when the negotiation is over.
  const NegotiationRecord& record() const noexcept { return record_; }
  const GameTree& tree() const noexcept { return *tree_; }
  // The plan that is offered, or was agreed upon.
  const Plan& plan() const noexcept { return record_.outcome.plan; }
  // The number of plans that have been offered.
  std::uint32_t offers() const noexcept { return offer_; }
  // Returns true if a client does not reply any more.
  bool is_silent(std::uint32_t client) const { return silent_.at(client); }
  // Returns the worth that each client gives to the plan after `moves` of its moves.
  std::vector<Worth> worths_after(std::size_t moves) const;

  // Handle messages of clients.
  std::string hear(std::uint32_t client, const PlanCritique& critique, Time now);
  std::string hear(std::uint32_t client, const PlanAnswer& answer, Time now);
  // Notes a message that has no effect for a reason that the driver knows: a stranger sent it.
  std::string refuse(std::string_view who, std::string_view what, std::string reason, Time now);
  // Notes that a client cannot be reached.
  void give_up(std::uint32_t client, std::string_view why, Time now);
  // Does everything that is due.
  void on_time(Time now);
  // In Bargaining::preparing: reports that the plan can be done, or in `fault` why it cannot. In
  // the latter case, the negotiation seeks another plan.
  void prepared(std::string fault, Time now);
  // Ends the negotiation without a plan, for a reason that the driver knows.
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
  bool is_late_ = false;  // true if the tree has stopped growing
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
