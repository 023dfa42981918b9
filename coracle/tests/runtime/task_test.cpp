// Tasks await tasks in loops of any length, whether or not the compiler makes tail calls: these
// tests are built without optimization, and under sanitizers.
#include "coracle/task.hpp"

#include "coracle/stream.hpp"
#include "support/run_now.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <optional>
#include <stdexcept>

namespace coracle::test {

namespace {

// A frame of the stack takes 48 bytes at least: the 8 MiB of a thread would hold 170,000 of them.
constexpr std::int64_t turns = 1'000'000;
constexpr std::int64_t fewer = turns / 4;  // of exceptions, which take four microseconds each
// The stack holds the frames of nested tasks, which clang makes large for the address sanitizer.
#if defined(__clang__)
constexpr int levels = 1'000;
#else
constexpr int levels = 10'000;
#endif

Task<int> one(std::int64_t turn) { co_return static_cast<int>(turn & 1); }

Task<int> through_two_more(std::int64_t turn) {
  const int half = co_await one(turn);
  co_return half + co_await one(turn + 1);
}

Task<int> deep(int levels_left) {
  if (levels_left == 0) co_return 0;
  co_return 1 + co_await deep(levels_left - 1);
}

Task<> fails() {
  throw std::runtime_error("so it is");
  co_return;
}

// Suspends the coroutine that awaits it, until go_on() is called.
class Pause {
 public:
  class Waiting {
   public:
    explicit Waiting(std::coroutine_handle<>& place) noexcept : place_(place) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> awaiting) noexcept { place_ = awaiting; }
    void await_resume() const noexcept {}

   private:
    std::coroutine_handle<>& place_;
  };
  Waiting wait() noexcept { return Waiting(place_); }
  bool is_waited_for() const noexcept { return static_cast<bool>(place_); }
  void go_on() { std::exchange(place_, {}).resume(); }

 private:
  std::coroutine_handle<> place_;
};

Task<int> now_and_then_waits(Pause& pause, std::int64_t turn) {
  if (turn % 10 == 0) co_await pause.wait();
  co_return 1;
}

rpc::Stream<std::int64_t> count(std::int64_t to, Pause& pause) {
  for (std::int64_t number = 0; number < to; ++number) {
    if (number % 10 == 0) co_await pause.wait();
    co_yield number;
  }
}

// Runs the task to its end, however often it waits.
void run(Task<> task, Pause& pause) {
  detail::EndedTask ended;
  const auto frame = task.release();
  frame.promise().set_root(ended);
  frame.resume();
  while (pause.is_waited_for()) pause.go_on();
  BOOST_TEST(ended.done);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(task)

BOOST_AUTO_TEST_CASE(a_loop_over_a_task_that_does_not_wait_takes_no_stack) {
  std::int64_t sum = 0;
  run_now([](std::int64_t& total) -> Task<> {
    for (std::int64_t turn = 0; turn < turns; ++turn) total += co_await one(turn);
  }(sum));
  BOOST_TEST(sum == turns / 2);
}

BOOST_AUTO_TEST_CASE(nor_do_tasks_of_tasks) {
  std::int64_t sum = 0;
  run_now([](std::int64_t& total) -> Task<> {
    for (std::int64_t turn = 0; turn < turns; ++turn) total += co_await through_two_more(turn);
  }(sum));
  BOOST_TEST(sum == turns);
}

BOOST_AUTO_TEST_CASE(nor_do_tasks_that_throw) {
  std::int64_t caught = 0;
  run_now([](std::int64_t& count) -> Task<> {
    for (std::int64_t turn = 0; turn < fewer; ++turn) {
      try {
        co_await fails();
      } catch (const std::runtime_error&) {
        ++count;
      }
    }
  }(caught));
  BOOST_TEST(caught == fewer);
}

BOOST_AUTO_TEST_CASE(nor_do_tasks_that_wait_now_and_then) {
  std::int64_t sum = 0;
  Pause pause;
  run(
      [](std::int64_t& total, Pause& at) -> Task<> {
        for (std::int64_t turn = 0; turn < turns; ++turn)
          total += co_await now_and_then_waits(at, turn);
      }(sum, pause),
      pause);
  BOOST_TEST(sum == turns);
}

BOOST_AUTO_TEST_CASE(nor_does_a_stream) {
  std::int64_t sum = 0;
  Pause pause;
  run(
      [](std::int64_t& total, Pause& at) -> Task<> {
        rpc::Stream<std::int64_t> numbers = count(turns, at);
        while (const std::optional<std::int64_t> number = co_await numbers.next()) total += *number;
      }(sum, pause),
      pause);
  BOOST_TEST(sum == turns * (turns - 1) / 2);
}

// Each level takes as much of the stack as a function call.
BOOST_AUTO_TEST_CASE(tasks_may_be_nested_deeply) { BOOST_TEST(run_now(deep(levels)) == levels); }

// A task may be destroyed while it waits, with all that it awaits.
BOOST_AUTO_TEST_CASE(a_task_that_waits_in_another_is_destroyed_with_it) {
  Pause pause;
  int began = 0;
  {
    const auto body = [](Pause& at, int& count) -> Task<> {
      ++count;
      (void)co_await now_and_then_waits(at, 0);
      ++count;
    };
    Task<> task = [](auto inner, Pause& at, int& count) -> Task<> { co_await inner(at, count); }(
                                                            body, pause, began);
    detail::EndedTask ended;
    auto frame = task.release();
    frame.promise().set_root(ended);
    frame.resume();
    BOOST_TEST(pause.is_waited_for());
    frame.destroy();
  }
  BOOST_TEST(began == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
