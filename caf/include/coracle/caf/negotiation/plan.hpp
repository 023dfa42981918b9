// The messages between planners and arbiters (the paper's section 2.3.1). Their content is typed,
// so that any agent can take part. One negotiation consists of: PlanRequest from each client;
// PlanDraft to each and PlanCritique from each, as often as the tree grows; PlanOffer, PlanAnswer;
// PlanOutcome, PlanGo; PlanProgress.
#pragma once

#include "coracle/typed.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::caf {

// The number of a negotiation. No other negotiation of the same arbiter has it.
using NegotiationId = std::uint64_t;
// The index of a node in a game tree; the root's is zero.
using NodeId = std::uint32_t;

// The limit of scores: no score is greater than this, or less than its negative.
inline constexpr std::int64_t worth_limit = std::int64_t{1} << 40;

// The value of a node of the tree to a client. It may depend only on the node's state and cost and
// on the note of the node before it. So the tree may treat two ways to the same state as equal. A
// node that costs less is never worth less.
struct Worth {
  // The value of a plan that ends here.
  std::int64_t score = 0;
  // The greatest value of any plan through this node, and the least cost of such a plan.
  std::int64_t best = 0;
  std::int64_t ends = 0;
  // A number that the client receives again with the nodes below.
  std::int64_t note = 0;
  // False: no plan may go through this node, whatever follows.
  bool feasible = true;

  friend bool operator==(const Worth&, const Worth&) = default;
};

// From a client to an arbiter: what the client wants. A later request replaces it, even while a
// plan is carried out.
struct PlanRequest {
  static constexpr std::string_view content_type = "coracle/caf/plan-request/v1";

  // A text for human readers; the score from which on a plan is agreeable; and the value, to the
  // client, of no agreement.
  std::string goal;
  std::int64_t threshold = 0;
  std::int64_t otherwise = 0;
  // The weight of the client's scores, and the priority by which clients come before others.
  std::int64_t weight = 1;
  std::int64_t priority = 0;
  // True if the client withdraws its request.
  bool withdraws = false;
  // The moves with which a plan could begin.
  std::vector<std::string> moves;

  friend bool operator==(const PlanRequest&, const PlanRequest&) = default;
};

// The reply to a PlanRequest that was sent as a request. Every later agreement takes account of it.
struct PlanTaken {
  static constexpr std::string_view content_type = "coracle/caf/plan-taken/v1";

  // The first negotiation that takes account of the request.
  NegotiationId negotiation = 0;
  std::uint32_t epoch = 0;
};

// A node that a client is to judge.
struct PlanNode {
  NodeId node = 0;
  NodeId parent = 0;
  // The move that leads to the node, the state after this move, and the cost of all moves up to
  // there.
  std::string move;
  std::string state;
  std::int64_t cost = 0;
  // The worth that the client itself gave to the parent.
  Worth before;

  friend bool operator==(const PlanNode&, const PlanNode&) = default;
};

// From an arbiter to a client: the new nodes, which the client should judge, and from which it may
// wish for further moves.
struct PlanDraft {
  static constexpr std::string_view content_type = "coracle/caf/plan-draft/v1";

  // The negotiation, and the round in it.
  NegotiationId negotiation = 0;
  std::uint32_t epoch = 0;
  std::uint32_t round = 0;
  std::vector<PlanNode> nodes;
  // The greatest number of moves at each node.
  std::uint32_t moves_limit = 0;
};

// The client's worth of one node, and the moves that it wishes for there. No moves: it has no wish.
struct Judgement {
  NodeId node = 0;
  Worth worth;
  std::vector<std::string> moves;

  friend bool operator==(const Judgement&, const Judgement&) = default;
};

// From a client to an arbiter: its judgements of a draft.
struct PlanCritique {
  static constexpr std::string_view content_type = "coracle/caf/plan-critique/v1";

  // The draft that it replies to. Planner fills it in.
  NegotiationId negotiation = 0;
  std::uint32_t epoch = 0;
  std::uint32_t round = 0;
  std::vector<Judgement> judgements;

  friend bool operator==(const PlanCritique&, const PlanCritique&) = default;
};

// A path through the tree.
struct Plan {
  // The state in which the plan begins, and the moves in their order.
  std::string start;
  std::vector<std::string> moves;
  // The cost of everything up to the end of the plan.
  std::int64_t cost = 0;
  // The clients that take part, and the value of the plan to each.
  std::vector<std::string> clients;
  std::vector<std::int64_t> scores;
  // True if the plan is agreeable to all of them.
  bool is_mutual = false;

  friend bool operator==(const Plan&, const Plan&) = default;
};

// From an arbiter to a client: a plan that the client can accept or reject.
struct PlanOffer {
  static constexpr std::string_view content_type = "coracle/caf/plan-offer/v1";

  // The negotiation, and the number of the offer in it.
  NegotiationId negotiation = 0;
  std::uint32_t epoch = 0;
  std::uint32_t number = 0;
  Plan plan;
};

// From a client to an arbiter: it accepts the offer, or gives the reason why not. With a rejection,
// `counter` may contain moves from the same beginning as a counteroffer.
struct PlanAnswer {
  static constexpr std::string_view content_type = "coracle/caf/plan-answer/v1";

  // The offer that it replies to. Planner fills it in.
  NegotiationId negotiation = 0;
  std::uint32_t epoch = 0;
  std::uint32_t number = 0;
  bool accepts = true;
  std::string reason;
  std::vector<std::string> counter;

  friend bool operator==(const PlanAnswer&, const PlanAnswer&) = default;
};

// From an arbiter to a client: the outcome of a negotiation. It binds the arbiter and the arbiters
// below.
struct PlanOutcome {
  static constexpr std::string_view content_type = "coracle/caf/plan-outcome/v1";

  // The negotiation.
  NegotiationId negotiation = 0;
  std::uint32_t epoch = 0;
  // True if there is a plan; otherwise `why` contains the reason.
  bool agreed = false;
  Plan plan;
  std::string why;
  // True if the client has not replied in time, so that the arbiter used a substitute for its
  // replies.
  bool is_without_you = false;

  friend bool operator==(const PlanOutcome&, const PlanOutcome&) = default;
};

// From a client to an arbiter: the plan may begin. The client sends it once the agents that it acts
// for are bound, too.
struct PlanGo {
  static constexpr std::string_view content_type = "coracle/caf/plan-go/v1";

  // The negotiation of the plan.
  NegotiationId negotiation = 0;
  std::uint32_t epoch = 0;
};

// From an arbiter to a client: the progress of a plan.
struct PlanProgress {
  static constexpr std::string_view content_type = "coracle/caf/plan-progress/v1";

  // The negotiation.
  NegotiationId negotiation = 0;
  std::uint32_t epoch = 0;
  // The move that is over, the state after it, and the cost of everything up to this state.
  std::string move;
  std::string state;
  std::int64_t cost = 0;
  // True if this was the last move.
  bool done = false;
  // The reason why the plan does not continue.
  std::string fault;
};

// To the sender of a message that has no effect: what the message was, and the reason.
struct PlanObjection {
  static constexpr std::string_view content_type = "coracle/caf/plan-objection/v1";

  // The negotiation, if any.
  NegotiationId negotiation = 0;
  std::uint32_t epoch = 0;
  std::string what;
  std::string reason;
};

// Each returns the fault of its argument; empty when there is none.
std::string fault_of(const PlanRequest& request);
std::string fault_of(const Worth& worth);

}  // namespace coracle::caf
