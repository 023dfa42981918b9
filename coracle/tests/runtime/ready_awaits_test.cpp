// A loop of awaits that are ready at once takes no stack, however long it is: this test is built
// without optimization, and under sanitizers.
#include "support/in_memory.hpp"

#include "coracle/support/signal.hpp"
#include "coracle/timer.hpp"
#include "tests/support/societies/doer.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <functional>
#include <optional>

namespace coracle::test {

namespace {

// A frame of the stack takes 48 bytes at least: the 8 MiB of a thread would hold 170,000 of them.
constexpr std::int64_t turns = 1'000'000;

// The agent "ann" does it on a node of its own, to the end.
void run(Doer::What what) {
  Node node(in_memory());
  bool done = false;
  node.create<Doer>("ann", [&](Agent& me) -> Task<> {
    co_await what(me);
    done = true;
  });
  node.wait();
  BOOST_TEST(done);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ready_awaits)

BOOST_AUTO_TEST_CASE(a_loop_of_sends_for_which_there_is_room_takes_no_stack) {
  run([](Agent& me) -> Task<> {
    const Address self = me.self();
    for (std::int64_t turn = 0; turn < turns; ++turn) {
      co_await me.send(self, "x");
      (void)me.try_receive();
    }
  });
}

BOOST_AUTO_TEST_CASE(nor_do_receives_of_messages_that_wait_already) {
  run([](Agent& me) -> Task<> {
    const Address self = me.self();
    for (std::int64_t turn = 0; turn < turns; ++turn) {
      (void)co_await me.send_result(self, "x");
      (void)co_await me.receive();
    }
  });
}

BOOST_AUTO_TEST_CASE(nor_do_receives_with_a_pattern_or_a_deadline) {
  run([](Agent& me) -> Task<> {
    const Address self = me.self();
    for (std::int64_t turn = 0; turn < turns; turn += 2) {
      co_await me.send(self, "x", 1);
      (void)co_await me.receive(in_conversation(1));
      co_await me.send(self, "x", 2);
      const auto message = co_await me.receive(in_conversation(2), Deadline::never());
      if (!message) throw Error(Errc::expired, "a message that waits was not received");
    }
  });
}

BOOST_AUTO_TEST_CASE(nor_do_signals_that_are_set_and_timers_that_are_not) {
  run([](Agent& me) -> Task<> {
    const coracle::detail::Signal signal;
    signal.set();
    Timer timer(me);
    for (std::int64_t turn = 0; turn < turns; turn += 2) {
      (void)co_await signal.wait();
      (void)co_await timer.rung();
    }
  });
}

BOOST_AUTO_TEST_CASE(nor_do_pauses_that_are_over_and_other_agents_turns) {
  run([](Agent& me) -> Task<> {
    for (std::int64_t turn = 0; turn < turns; turn += 2) {
      co_await me.pause(Duration(0));
      co_await me.yield();
    }
  });
}

BOOST_AUTO_TEST_CASE(nor_do_tasks_that_are_spawned_and_end_at_once) {
  run([](Agent& me) -> Task<> {
    std::int64_t ended = 0;
    const auto ends = [](std::int64_t& count) -> Task<> {
      ++count;
      co_return;
    };
    for (std::int64_t turn = 0; turn < turns; ++turn) {
      me.spawn(ends(ended));
      if (turn % 1000 == 999) co_await me.yield();  // what was spawned begins now
    }
    while (ended < turns) co_await me.yield();
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
