// Agents that evaluate functions for a tuple space; other agents request evaluations by
// Space::eval().
#pragma once

#include "coracle/agent.hpp"
#include "coracle/detail/tuple_messages.hpp"
#include "coracle/tuple.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace coracle {

// The options of an evaluator.
struct EvaluatorOptions {
  // The number of evaluations that it does at the same time.
  std::uint32_t at_once = 1;
  // The interval after which it offers its functions again, for a space that has begun anew.
  Duration offers_again = std::chrono::seconds(5);
};

namespace detail {

// The work of an evaluator for one function: arguments in, a tuple out; no tuple when it has no
// fields.
using Evaluation = std::function<Task<TupleFields>(Agent& agent, TupleFields arguments)>;

[[noreturn]] void fail_arguments(const TupleFields& wanted, const TupleFields& got);

template <class Tuple>
TupleFields fields_of_tuple(const Tuple& tuple) {
  if constexpr (std::tuple_size_v<Tuple> == 0) return {};
  else return std::apply([](const auto&... fields) { return fields_of(fields...); }, tuple);
}

template <class... Arguments>
std::tuple<std::decay_t<Arguments>...> arguments_of(const TupleFields& fields) {
  const TupleFields wanted = {FieldOf<std::decay_t<Arguments>>::open()...};
  if (!matches(wanted, fields)) fail_arguments(wanted, fields);
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::tuple<std::decay_t<Arguments>...>(
        FieldOf<std::decay_t<Arguments>>::load(fields[I])...);
  }
  (std::index_sequence_for<Arguments...>{});
}

// A plain function is computed on the node's pool of threads.
template <class Function, class Result, class... Arguments>
Task<TupleFields> evaluate(std::shared_ptr<const Function> function, Agent& agent,
                           TupleFields fields, Result (*)(Arguments...)) {
  const auto arguments = arguments_of<Arguments...>(fields);
  const auto work = [&] { return fields_of_tuple(std::apply(*function, arguments)); };
  co_return co_await agent.compute(work);
}

// A coroutine runs in the evaluator; it may use the space, and everything that an agent can use.
template <class Function, class Result, class... Arguments>
Task<TupleFields> evaluate(std::shared_ptr<const Function> function, Agent& agent,
                           TupleFields fields, Task<Result> (*)(Agent&, Arguments...)) {
  auto arguments = arguments_of<Arguments...>(fields);
  Task<Result> running =
      std::apply([&](auto&... each) { return (*function)(agent, each...); }, arguments);
  if constexpr (std::is_void_v<Result>) {
    co_await running;
    co_return TupleFields();
  } else {
    const Result result = co_await running;
    co_return fields_of_tuple(result);
  }
}

template <class Result, class Class, class... Arguments>
auto plain_form(Result (Class::*)(Arguments...) const) -> Result (*)(Arguments...);
template <class Result, class... Arguments>
auto plain_form(Result (*)(Arguments...)) -> Result (*)(Arguments...);

template <class Function>
constexpr auto form_of() {
  if constexpr (std::is_class_v<Function>) {
    return decltype(plain_form(&Function::operator()))(nullptr);
  } else {
    return decltype(plain_form(std::declval<Function>()))(nullptr);
  }
}

}  // namespace detail

// An agent that evaluates functions for a space. When it dies, another evaluator that offers the
// same function does the evaluations that it had begun. Tests: tests/tuples/evaluating_test.cpp.
class Evaluator : public Agent {
 public:
  explicit Evaluator(Name space, EvaluatorOptions options = {});
  ~Evaluator() override;

  // Offers a function; call it before the agent begins. The function takes fields by value and
  // returns a std::tuple of fields; or it is a coroutine that takes the agent before the fields and
  // returns a Task of a tuple, or of nothing. An exception of the function becomes the tuple ("eval
  // failed", name, the exception's text).
  template <class Function>
  Evaluator& offer(std::string name, Function function) {
    auto kept = std::make_shared<const Function>(std::move(function));
    functions_[std::move(name)] = [kept](Agent& agent, TupleFields arguments) {
      return detail::evaluate(kept, agent, std::move(arguments), detail::form_of<Function>());
    };
    return *this;
  }

  // Evaluates until the node stops.
  Task<> run() override { return work_as_evaluator(); }

 protected:
  // The body of run(), for an agent that has other roles, too.
  Task<> work_as_evaluator();
  // The same as offer(), for a function whose fields are known only at run time.
  void offer_any(std::string name, detail::Evaluation function) {
    functions_[std::move(name)] = std::move(function);
  }

 private:
  Task<> offer_all(std::uint64_t life);
  Task<> evaluate(Address space, detail::EvalJob job);

  Name space_;
  EvaluatorOptions options_;
  std::map<std::string, detail::Evaluation> functions_;
};

}  // namespace coracle
