// An agent that performs a given function.
#pragma once

#include "coracle/agent.hpp"

#include <functional>
#include <utility>

namespace coracle::test {

class Doer final : public Agent {
 public:
  using What = std::function<Task<>(Agent&)>;
  explicit Doer(What what) : what_(std::move(what)) {}
  Task<> run() override { return what_(*this); }

 private:
  What what_;
};

}  // namespace coracle::test
