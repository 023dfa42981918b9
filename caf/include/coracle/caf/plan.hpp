// What planners and arbiters say to each other (the paper's section 2.3.1): typed content, so that
// anybody can take part. One negotiation is: PlanRequest from each client; PlanDraft to each and
// PlanCritique from each, as often as the tree grows; PlanOffer, PlanAnswer; PlanOutcome, PlanGo;
// PlanProgress.
#pragma once

#include "coracle/typed.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::caf {

// The number of a negotiation, which no other one of the same arbiter has.
using NegotiationId = std::uint64_t;
// The place of a node in a game tree; the root's is zero.
using NodeId = std::uint32_t;

// No score is greater than this, or less than its opposite.
inline constexpr std::int64_t worth_limit = std::int64_t{1} << 40;

// What a client thinks of a node of the tree. It may depend on the node's state and cost and on the
// note of the node before it, and on nothing else: so the tree may take two ways to one state for
// the same. What costs less is never worth less.
struct Worth {
  // What a plan is worth that ends here.
  std::int64_t score = 0;
  // The most that any plan through here can be worth, and the least that such a plan costs.
  std::int64_t best = 0;
  std::int64_t ends = 0;
  // What the client wants to be told again at the nodes below.
  std::int64_t note = 0;
  // False: no plan through here, whatever follows.
  bool feasible = true;

  friend bool operator==(const Worth&, const Worth&) = default;
};

// From a client: what it wants. Another one replaces it, even while a plan is carried out.
struct PlanRequest {
  static constexpr std::string_view content_type = "coracle/caf/plan-request/v1";

  // For whoever reads it; the score from which on a plan is agreeable; and what it is worth to the
  // client that nothing is agreed upon.
  std::string goal;
  std::int64_t threshold = 0;
  std::int64_t otherwise = 0;
  // What its scores count for, and whom the others come after.
  std::int64_t weight = 1;
  std::int64_t priority = 0;
  // It does not want anything any more.
  bool withdraws = false;
  // The moves with which a plan could begin.
  std::vector<std::string> moves;

  friend bool operator==(const PlanRequest&, const PlanRequest&) = default;
};

// The answer to a PlanRequest that was asked: what is agreed upon from then on, takes account of
// it.
struct PlanTaken {
  static constexpr std::string_view content_type = "coracle/caf/plan-taken/v1";

  // Which is the first to do so.
  NegotiationId negotiation = 0;
  std::uint32_t epoch = 0;
};

// A node that a client is asked about.
struct PlanNode {
  NodeId node = 0;
  NodeId parent = 0;
  // The move that leads there, the state that it leads to, and what all moves up to there cost.
  std::string move;
  std::string state;
  std::int64_t cost = 0;
  // What the client itself thought of the parent.
  Worth before;

  friend bool operator==(const PlanNode&, const PlanNode&) = default;
};

// To a client: what has grown; what do you think of it, and where would you go on?
struct PlanDraft {
  static constexpr std::string_view content_type = "coracle/caf/plan-draft/v1";

  // Of which negotiation, and which time in it.
  NegotiationId negotiation = 0;
  std::uint32_t epoch = 0;
  std::uint32_t round = 0;
  std::vector<PlanNode> nodes;
  // No more moves at each node than this.
  std::uint32_t moves_limit = 0;
};

// What a client thinks of one node, and the moves that it wishes for there; none: it has no wish.
struct Judgement {
  NodeId node = 0;
  Worth worth;
  std::vector<std::string> moves;

  friend bool operator==(const Judgement&, const Judgement&) = default;
};

// From a client: that.
struct PlanCritique {
  static constexpr std::string_view content_type = "coracle/caf/plan-critique/v1";

  // Which draft it answers; whoever answers need not fill that in.
  NegotiationId negotiation = 0;
  std::uint32_t epoch = 0;
  std::uint32_t round = 0;
  std::vector<Judgement> judgements;

  friend bool operator==(const PlanCritique&, const PlanCritique&) = default;
};

// A way through the tree.
struct Plan {
  // Where it begins, and the moves in their order.
  std::string start;
  std::vector<std::string> moves;
  // What everything up to its end costs.
  std::int64_t cost = 0;
  // Who takes part, and what it is worth to each.
  std::vector<std::string> clients;
  std::vector<std::int64_t> scores;
  // Whether it is agreeable to all of them.
  bool is_mutual = false;

  friend bool operator==(const Plan&, const Plan&) = default;
};

// To a client: do you take this?
struct PlanOffer {
  static constexpr std::string_view content_type = "coracle/caf/plan-offer/v1";

  // Of which negotiation, and which one of it.
  NegotiationId negotiation = 0;
  std::uint32_t epoch = 0;
  std::uint32_t number = 0;
  Plan plan;
};

// From a client: yes, or why not; then `counter` may be moves from the same beginning instead.
struct PlanAnswer {
  static constexpr std::string_view content_type = "coracle/caf/plan-answer/v1";

  // Which offer it answers; whoever answers need not fill that in.
  NegotiationId negotiation = 0;
  std::uint32_t epoch = 0;
  std::uint32_t number = 0;
  bool accepts = true;
  std::string reason;
  std::vector<std::string> counter;

  friend bool operator==(const PlanAnswer&, const PlanAnswer&) = default;
};

// To a client: what has come of it. The arbiter is bound by it, and so are those below it.
struct PlanOutcome {
  static constexpr std::string_view content_type = "coracle/caf/plan-outcome/v1";

  // Of which negotiation.
  NegotiationId negotiation = 0;
  std::uint32_t epoch = 0;
  // Whether there is a plan; otherwise `why` says why not.
  bool agreed = false;
  Plan plan;
  std::string why;
  // Whether the client has not answered in time: it is not what it has said that counted.
  bool is_without_you = false;

  friend bool operator==(const PlanOutcome&, const PlanOutcome&) = default;
};

// From a client: begin. It says so once whoever it asks for is bound, too.
struct PlanGo {
  static constexpr std::string_view content_type = "coracle/caf/plan-go/v1";

  // With which plan.
  NegotiationId negotiation = 0;
  std::uint32_t epoch = 0;
};

// To a client: how far it is.
struct PlanProgress {
  static constexpr std::string_view content_type = "coracle/caf/plan-progress/v1";

  // Of which negotiation.
  NegotiationId negotiation = 0;
  std::uint32_t epoch = 0;
  // The move that is over, the state that it has led to, and what all has cost up to there.
  std::string move;
  std::string state;
  std::int64_t cost = 0;
  // Whether that was the last one.
  bool done = false;
  // Why it does not go on.
  std::string fault;
};

// To whoever sent something that has no effect: what, and why.
struct PlanObjection {
  static constexpr std::string_view content_type = "coracle/caf/plan-objection/v1";

  // Of which negotiation, if any.
  NegotiationId negotiation = 0;
  std::uint32_t epoch = 0;
  std::string what;
  std::string reason;
};

// What is wrong with these as such; empty when nothing is.
std::string fault_of(const PlanRequest& request);
std::string fault_of(const Worth& worth);

}  // namespace coracle::caf
