// What is kept of a negotiation, so that anybody can find its plan again. Contract:
// caf/tests/negotiation_test.cpp.
#pragma once

#include "coracle/caf/game_tree.hpp"
#include "coracle/caf/record.hpp"
#include "coracle/clock.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::caf {

// What is done with the judgements of a client that does not answer in time, or has died. It is not
// asked again in the same negotiation.
enum class Silent : std::uint8_t {
  repeats,   // what it said of the node before counts for those after it
  abstains,  // it would agree with anything
  dropped,   // the others decide as if it were not there
};

// With what a negotiation begins.
struct Beginning {
  NegotiationId id = 0;
  std::uint32_t epoch = 1;
  std::string arbiter;
  // The present state, and what has been spent up to it.
  std::string state;
  std::int64_t cost = 0;
  // In the order of their names.
  std::vector<Interest> clients;
  // The moves that each of them would begin with.
  std::vector<std::vector<std::string>> moves;
  // What each thought of the state before this, and the rest of the plan, when it goes on with one.
  std::vector<Worth> before;
  std::vector<std::string> rest;

  friend bool operator==(const Beginning&, const Beginning&) = default;
};

// Something that had an effect.
struct HeardOf {
  // What it was. `time`: something was due; `prepared`: the planner says whether it can be done,
  // and if not, why, in `text`; `ended`: the arbiter has ended it.
  enum class Kind : std::uint8_t { critique, answer, gone, time, prepared, ended };

  // What it was, and who said it.
  Kind kind = Kind::critique;
  std::uint32_t client = 0;
  // Time since the beginning.
  Duration at{};
  PlanCritique critique;
  PlanAnswer answer;
  std::string text;

  friend bool operator==(const HeardOf&, const HeardOf&) = default;
};

// Everything about one negotiation.
struct NegotiationRecord {
  static constexpr std::string_view content_type = "coracle/caf/negotiation-record/v1";

  // With what it began.
  Beginning beginning;
  // By which rule, and within which limits.
  std::string rule;
  GrowthLimits limits;
  Duration answer_within{};
  Duration within{};
  Silent silent = Silent::repeats;
  std::uint32_t offers = 0;
  // What was said, in its order; what was refused; and what has come of it.
  std::vector<HeardOf> heard;
  std::vector<Incident> incidents;
  PlanOutcome outcome;
  // How many nodes the tree had, and whether more would have made no difference.
  std::uint32_t nodes = 0;
  bool is_exhausted = false;
};

// Negotiates again by what was said, and says what is wrong with the record; nothing when it
// supports its outcome. Fails with Errc::bad_options when the rule has no name here; then give it.
std::vector<std::string> renegotiate(const NegotiationRecord& record, const Game& game);
std::vector<std::string> renegotiate(const NegotiationRecord& record, const Game& game,
                                     const Selection& rule);

}  // namespace coracle::caf
