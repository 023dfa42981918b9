// Plans and what becomes of them, as C reads them.
#pragma once

#include "shown_texts.hpp"

#include "coracle.h"
#include "coracle/caf/negotiation/plan.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace coracle::c {

struct ShownPlan {
  explicit ShownPlan(const caf::Plan& of)
      : start(of.start), moves(of.moves), clients(of.clients), scores(of.scores) {
    view = {start.c_str(), moves.view(), of.cost, clients.view(), scores.data(), of.is_mutual};
  }
  ShownPlan(const ShownPlan&) = delete;

  const std::string start;
  const ShownTexts moves, clients;
  const std::vector<std::int64_t> scores;
  coracle_plan view;
};

struct ShownOutcome {
  explicit ShownOutcome(const caf::PlanOutcome& of) : plan(of.plan), why(of.why) {
    view = {of.agreed, plan.view, why.c_str(), of.is_without_you};
  }
  ShownOutcome(const ShownOutcome&) = delete;

  const ShownPlan plan;
  const std::string why;
  coracle_plan_outcome view;
};

// Valid as long as the progress.
inline coracle_plan_progress shown(const caf::PlanProgress& progress) {
  return {progress.move.c_str(), progress.state.c_str(), progress.cost, progress.done,
          progress.fault.c_str()};
}

}  // namespace coracle::c
