// A wait of an agent that a thread outside the library ends.
#include "coracle/support/signal.hpp"

#include "runtime/worker/worker.hpp"
#include "support/in_memory.hpp"

#include "tests/support/societies/doer.hpp"
#include "tests/support/societies/expect.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <future>
#include <optional>
#include <thread>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;
using coracle::detail::Signal;
using coracle::detail::SignalWait;

}  // namespace

BOOST_AUTO_TEST_SUITE(awaited_signal)

BOOST_AUTO_TEST_CASE(another_thread_lets_the_agent_continue_on_its_worker) {
  Node node(in_memory());
  const Signal signal;
  std::promise<void> waits;
  std::promise<std::thread::id> before, after;
  node.create<Doer>("ann", [&](Agent&) -> Task<> {
    before.set_value(std::this_thread::get_id());
    SignalWait wait = signal.wait();
    waits.set_value();
    co_await wait;
    after.set_value(std::this_thread::get_id());
  });
  waits.get_future().get();
  BOOST_TEST(signal.is_open());
  BOOST_TEST(signal.set());
  BOOST_TEST(!signal.set());
  BOOST_TEST(!signal.is_open());
  BOOST_TEST((after.get_future().get() == before.get_future().get()));
}

BOOST_AUTO_TEST_CASE(a_signal_that_was_set_before_ends_the_wait) {
  Node node(in_memory());
  const Signal signal;
  BOOST_TEST(signal.set());
  std::promise<void> done;
  node.create<Doer>("ann", [&](Agent&) -> Task<> {
    SignalWait wait = signal.wait();
    co_await wait;
    done.set_value();
  });
  done.get_future().get();
}

BOOST_AUTO_TEST_CASE(work_that_was_posted_before_is_done_when_the_wait_ends) {
  Node node(in_memory());
  bool is_done = false, was_done = false;
  node.create<Doer>("ann", [&](Agent&) -> Task<> {
    const Signal signal;
    detail::Worker::current()->post(detail::command([&](detail::Worker&) { is_done = true; }));
    signal.set();
    SignalWait wait = signal.wait();
    co_await wait;
    was_done = is_done;
  });
  node.wait();
  BOOST_TEST(was_done);
}

BOOST_AUTO_TEST_CASE(a_node_that_stops_ends_the_wait) {
  Node node(in_memory());
  const Signal signal;
  std::promise<void> waits;
  std::promise<std::optional<Error>> ended;
  node.create<Doer>("ann", [&](Agent&) -> Task<> {
    SignalWait wait = signal.wait();
    waits.set_value();
    try {
      co_await wait;
      ended.set_value(std::nullopt);
    } catch (const Error& error) {
      ended.set_value(error);
      throw;
    }
  });
  waits.get_future().get();
  node.stop(10s);
  const std::optional<Error> error = ended.get_future().get();
  BOOST_REQUIRE(error.has_value());
  BOOST_TEST((error->errc() == Errc::stopped));
  BOOST_TEST(!signal.set());
}

BOOST_AUTO_TEST_CASE(a_thread_sets_it_while_the_node_stops) {
  for (int round = 0; round < 50; ++round) {
    Node node(in_memory());
    const Signal signal;
    std::promise<void> waits;
    node.create<Doer>("ann", [&](Agent&) -> Task<> {
      SignalWait wait = signal.wait();
      waits.set_value();
      co_await wait;
    });
    waits.get_future().get();
    std::thread setter([&] { (void)signal.set(); });
    node.stop(10s);
    setter.join();
    BOOST_TEST(!signal.is_open());
  }
}

// The thread may still be in set() when the agent has ended.
BOOST_AUTO_TEST_CASE(a_thread_sets_it_and_the_node_is_destroyed) {
  for (int round = 0; round < 200; ++round) {
    const Signal signal;
    std::promise<void> waits;
    std::thread setter;
    {
      Node node(in_memory());
      node.create<Doer>("ann", [&](Agent&) -> Task<> {
        SignalWait wait = signal.wait();
        waits.set_value();
        co_await wait;
      });
      waits.get_future().get();
      setter = std::thread([signal] { signal.set(); });
      node.wait();
    }
    setter.join();
  }
}

BOOST_AUTO_TEST_CASE(a_signal_may_be_set_when_its_node_is_gone) {
  const Signal signal;
  std::optional<bool> came;
  {
    Node node(in_memory());
    node.create<Doer>("ann", [&](Agent&) -> Task<> {
      SignalWait wait = signal.wait(1ms);
      came = co_await wait;
    });
    node.wait();
  }
  BOOST_TEST(!came.value());
  BOOST_TEST(!signal.set());
  BOOST_TEST(!signal.is_open());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
