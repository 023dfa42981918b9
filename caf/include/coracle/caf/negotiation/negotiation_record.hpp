// The record of a negotiation, by which anybody can find its plan again. Tests:
// caf/tests/negotiation/negotiation_test.cpp.
#pragma once

#include "coracle/caf/common/incident.hpp"
#include "coracle/caf/negotiation/game_tree.hpp"
#include "coracle/clock.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::caf {

// The treatment of a client that does not reply in time, or has ended. The client is not called
// again in the same negotiation.
enum class Silent : std::uint8_t {
  repeats,   // its judgement of a node also counts for the nodes after it
  abstains,  // the client counts as agreeing with everything
  dropped,   // the others decide as if the client did not take part
};

// The state with which a negotiation begins.
struct Beginning {
  NegotiationId id = 0;
  std::uint32_t epoch = 1;
  std::string arbiter;
  // The present state, and the cost of everything up to this state.
  std::string state;
  std::int64_t cost = 0;
  // The clients in the order of their names.
  std::vector<Interest> clients;
  // The first moves that each client wishes for.
  std::vector<std::vector<std::string>> moves;
  // Each client's worth of the state before this one, and the rest of the plan; only when the
  // negotiation continues a plan.
  std::vector<Worth> before;
  std::vector<std::string> rest;

  friend bool operator==(const Beginning&, const Beginning&) = default;
};

// An event that had an effect.
struct HeardOf {
  // The kind of event. `time`: something was due; `prepared`: the arbiter reports whether the plan
  // can be done, and if not, the reason in `text`; `ended`: the arbiter has ended the negotiation.
  enum class Kind : std::uint8_t { critique, answer, gone, time, prepared, ended };

  // The kind of the event, and the client that caused it.
  Kind kind = Kind::critique;
  std::uint32_t client = 0;
  // The time since the beginning.
  Duration at{};
  PlanCritique critique;
  PlanAnswer answer;
  std::string text;

  friend bool operator==(const HeardOf&, const HeardOf&) = default;
};

// Everything about one negotiation.
struct NegotiationRecord {
  static constexpr std::string_view content_type = "coracle/caf/negotiation-record/v1";

  // The state with which the negotiation began.
  Beginning beginning;
  // The rule and the limits.
  std::string rule;
  GrowthLimits limits;
  Duration answer_within{};
  Duration within{};
  Silent silent = Silent::repeats;
  std::uint32_t offers = 0;
  // The events in their order, the refused messages, and the outcome.
  std::vector<HeardOf> heard;
  std::vector<Incident> incidents;
  PlanOutcome outcome;
  // The number of nodes of the tree, and whether more nodes would have made no difference.
  std::uint32_t nodes = 0;
  bool is_exhausted = false;
};

// Repeats the negotiation from its recorded events and returns the faults of the record; nothing
// when the record supports its outcome. Fails with Errc::bad_options when the rule is not built in;
// then pass the rule.
std::vector<std::string> renegotiate(const NegotiationRecord& record, const Game& game);
std::vector<std::string> renegotiate(const NegotiationRecord& record, const Game& game,
                                     const Selection& rule);

}  // namespace coracle::caf
