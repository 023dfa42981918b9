// A foreign agent as a stage of a pipeline: each text becomes a task, and the stage gives its
// result. Tests: gateways/a2a/tests/roles/foreign_roles_test.cpp
#pragma once

#include "coracle/clock.hpp"
#include "coracle/dispel/filter.hpp"

#include <string>

namespace coracle::a2a {

// A task that is not done ends the stream, with the reason.
class ForeignStage : public dispel::Filter<std::string, std::string> {
 public:
  // `agent` is the name of a ForeignAgent. `within` is the time for one text.
  explicit ForeignStage(Name agent, Duration within = std::chrono::hours(1));

 protected:
  coracle::Task<> consider(const std::string& item) override;

 private:
  const Name agent_;
  const Duration within_;
};

}  // namespace coracle::a2a
