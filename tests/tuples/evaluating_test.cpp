// Functions that a space has evaluated, on every realization.
#include "ground.hpp"

namespace coracle::tuples {

namespace {

std::tuple<std::string, int, int> square(int number) { return {"square", number, number * number}; }

std::unique_ptr<Evaluator> squares() {
  auto evaluator = std::make_unique<Evaluator>("board");
  evaluator->offer("square", square);
  return evaluator;
}

void whoever_offers_a_function_evaluates_it_and_the_result_is_a_tuple(Meadow& meadow) {
  meadow.run([&meadow](Agent& me) -> Task<> {
    for (int i = 0; i < 3; ++i) {
      co_await meadow.place(me, "worker/" + std::to_string(i), squares());
    }
    Space board(me, "board");
    for (int i = 0; i < 30; ++i) co_await board.eval("square", i);
    for (int i = 0; i < 30; ++i) {
      const auto [what, number, result] = co_await board.in("square", i, any<int>);
      expect_equal(result, i * i, "a square");
    }
    expect(!co_await board.inp("square", any<int>, any<int>), "each came once");
  });
}

void what_is_evaluated_may_use_the_space_itself(Meadow& meadow) {
  meadow.run([&meadow](Agent& me) -> Task<> {
    auto evaluator = std::make_unique<Evaluator>("board", EvaluatorOptions{4, 5s});
    const auto add = [](Agent& agent, std::string what) -> Task<std::tuple<std::string, int>> {
      Space there(agent, "board");
      const auto [first, one] = co_await there.in(what, any<int>);
      const auto [second, two] = co_await there.in(what, any<int>);
      co_return std::tuple(std::string("sum"), one + two);
    };
    const auto quiet = [](Agent& agent, std::string what, int number) -> Task<> {
      Space there(agent, "board");
      co_await there.out(what, number);
    };
    evaluator->offer("add", add).offer("put", quiet);
    co_await meadow.place(me, "worker", std::move(evaluator));
    Space board(me, "board");
    co_await board.eval("add", "n");
    co_await board.eval("put", "n", 3);
    co_await board.eval("put", "n", 4);
    expect_equal(std::get<1>(co_await board.in("sum", any<int>)), 7, "the sum");
  });
}

void what_fails_leaves_a_tuple_that_says_why(Meadow& meadow) {
  meadow.run([&meadow](Agent& me) -> Task<> {
    auto evaluator = squares();
    evaluator->offer("fail", [](int) -> std::tuple<int> { throw std::runtime_error("no luck"); });
    co_await meadow.place(me, "worker", std::move(evaluator));
    Space board(me, "board");
    co_await board.eval("fail", 1);
    const auto [failed, function, why] =
        co_await board.in("eval failed", any<std::string>, any<std::string>);
    expect_equal(function, "fail", "the function");
    expect_equal(why, "no luck", "the reason");
    co_await board.eval("square", "seven");
    const auto [again, other, wrong] =
        co_await board.in("eval failed", any<std::string>, any<std::string>);
    expect_equal(other, "square", "the function");
    expect(wrong.find("seven") != std::string::npos, "it names the arguments");
    co_await board.eval("square", 3);
    expect_equal(std::get<2>(co_await board.in("square", 3, any<int>)), 9, "it still works");
  });
}

// Reports when it begins, then waits for ever, or until it is ordered to die.
class Stuck : public Evaluator {
 public:
  Stuck() : Evaluator("board") {
    offer("square", [](Agent& agent, int) -> Task<> {
      co_await agent.send("main", "begun");
      (void)co_await agent.receive(from("nobody"));
    });
  }
  Task<> run() override {
    spawn(die());
    co_await work_as_evaluator();
  }

 private:
  Task<> die() {
    (void)co_await receive(from("main"));
    throw Crash("an evaluator dies");
  }
};

void what_a_dead_evaluator_had_begun_is_done_by_another(Meadow& meadow) {
  meadow.run([&meadow](Agent& me) -> Task<> {
    co_await meadow.place(me, "stuck", std::make_unique<Stuck>());
    Space board(me, "board");
    co_await board.eval("square", 5);
    co_await board.eval("square", 6);
    expect(co_await me.receive(from("stuck"), Deadline(soon)), "it has begun");
    co_await me.send("stuck", "die");
    co_await meadow.place(me, "worker", squares());
    expect_equal(std::get<2>(co_await board.in("square", 5, any<int>)), 25, "what it had begun");
    expect_equal(std::get<2>(co_await board.in("square", 6, any<int>)), 36, "what it had not");
  });
}

void what_too_many_die_over_is_given_up(Meadow& meadow) {
  TupleSpaceOptions options;
  options.evaluation_tries = 2;
  const auto body = [&meadow](Agent& me) -> Task<> {
    Space board(me, "board");
    for (int i = 0; i < 2; ++i) {
      co_await meadow.place(me, "stuck/" + std::to_string(i), std::make_unique<Stuck>());
    }
    co_await board.eval("square", 5);
    for (int i = 0; i < 2; ++i) {
      const auto begun = co_await me.receive(Deadline(soon));
      expect(begun.has_value(), "one has begun");
      const std::string who = begun->source().name().str();
      co_await me.send(who, "die");
    }
    const auto [failed, function, why] =
        co_await board.in("eval failed", any<std::string>, any<std::string>);
    expect_equal(function, "square", "the function");
  };
  meadow.run(body, options);
}

void a_space_that_begins_anew_is_offered_the_functions_again(Meadow& meadow) {
  meadow.run([&meadow](Agent& me) -> Task<> {
    auto evaluator = std::make_unique<Evaluator>("late", EvaluatorOptions{1, 20ms});
    evaluator->offer("square", square);
    co_await meadow.place(me, "worker", std::move(evaluator));
    co_await meadow.place(me, "late", std::make_unique<TupleSpace>());
    Space late(me, "late");
    co_await late.eval("square", 2);
    expect_equal(std::get<2>(co_await late.in("square", 2, any<int>)), 4, "the square");
  });
}

[[maybe_unused]] const bool registered_evaluating = on_every_ground(
    "evaluating", {GROUND_CASE(whoever_offers_a_function_evaluates_it_and_the_result_is_a_tuple),
                   GROUND_CASE(what_is_evaluated_may_use_the_space_itself),
                   GROUND_CASE(what_fails_leaves_a_tuple_that_says_why),
                   GROUND_CASE(what_a_dead_evaluator_had_begun_is_done_by_another),
                   GROUND_CASE(what_too_many_die_over_is_given_up),
                   GROUND_CASE(a_space_that_begins_anew_is_offered_the_functions_again)});

}  // namespace

}  // namespace coracle::tuples
