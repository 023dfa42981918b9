// The thin templates of Agent over its type-erased core.
#pragma once

#include "coracle/agent_spec.hpp"
#include "coracle/detail/computing.hpp"

namespace coracle {

template <class T, class... Args>
Task<Address> Agent::create(AgentSpec spec, Args... args) {
  return adopt(std::move(spec), std::make_unique<T>(std::move(args)...));
}

template <class Function>
auto Agent::compute(Function function) -> Task<decltype(function())> {
  detail::Computation<Function> computation(*this, std::move(function));
  co_await computation;
  co_return computation.result();
}

}  // namespace coracle
