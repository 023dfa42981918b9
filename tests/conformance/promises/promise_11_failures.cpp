// Promise 11: failures are noticed, and a long computation is not a failure.
#include "play.hpp"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace coracle::conformance {

namespace {

void a_long_computation_leaves_its_worker_to_the_others(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    auto finished = std::make_shared<std::atomic<bool>>(false);
    Body computing = [finished](Agent& ann) -> Task<> {
      const auto long_one = [finished] {  // named: g++ 12 destroys a temporary closure twice
        finished->wait(false);            // as long as the others need
        return 42;
      };
      const int answer = co_await ann.compute(long_one);
      co_await ann.send("main", std::to_string(answer));
    };
    co_await start(me, "ann", computing);
    co_await start(me, "bob", answering());
    for (int i = 0; i < 10; ++i) {
      const Message reply = co_await me.ask("bob", "still quick?", soon);
      expect_equal(reply.text(), "still quick?", "bob");
    }
    finished->store(true);
    finished->notify_all();
    expect_equal(co_await hear(me), "42", "ann says");
  });
}

void an_agent_goes_on_with_its_other_tasks_while_it_computes(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    auto finished = std::make_shared<std::atomic<bool>>(false);
    Body computing = [finished](Agent& ann) -> Task<> {
      auto releasing = [](Agent& self, std::shared_ptr<std::atomic<bool>> flag) -> Task<> {
        co_await hear(self);
        flag->store(true);
        flag->notify_all();
      };
      ann.spawn(releasing(ann, finished));
      const auto long_one = [finished] { finished->wait(false); };
      co_await ann.compute(long_one);
      co_await ann.send("main", "computed");
    };
    co_await start(me, across(me, "ann"), computing);
    co_await me.send("ann", "go on");
    expect_equal(co_await hear(me), "computed", "ann says");
  });
}

void an_exception_in_a_computation_reaches_whoever_waits_for_it(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    std::string caught;
    try {
      co_await me.compute([] { throw Crash("in the pool"); });
    } catch (const Crash& crash) {
      caught = crash.what();
    }
    expect_equal(caught, "in the pool", "what was caught");
  });
}

// Its node does nothing until the test releases it.
void suspicion_never_discards_a_stored_message(const Subject& subject) {
  std::atomic<bool> is_released{false};
  std::string heard;
  bool is_stored = false, is_suspected = false;
  std::vector<Realization> parts = nodes_of(subject);
  parts.at(0).stores = true;
  test::Proceedings proceedings;
  Node silent(std::move(parts[0]), options_for(subject));
  Node other(std::move(parts[1]), options_for(subject));
  Body falling_silent = [&](Agent& ann) -> Task<> {
    co_await hear(ann);
    Post post("bob", "x");
    Receipt receipt = co_await ann.track(std::move(post));
    is_stored = co_await receipt.reached(Stage::stored, soon);
    is_released.wait(false);
  };
  Body watching = [&](Agent& me) -> Task<> {
    co_await me.send("ann", "go on");
    const Time end = me.now() + 4 * soon;
    bool is_there = true;
    while (is_there && me.now() < end) {
      co_await me.pause(10ms);
      is_there = (co_await me.node().directory().look_up("ann")).has_value();
    }
    is_suspected = !is_there;
  };
  Body listening = [&](Agent& bob) -> Task<> { heard = co_await hear(bob); };
  silent.adopt("ann", std::make_unique<test::Actor>(falling_silent, proceedings));
  other.adopt("watcher", std::make_unique<test::Actor>(watching, proceedings));
  other.wait();
  other.adopt("bob", std::make_unique<test::Actor>(listening, proceedings));
  other.wait();
  is_released.store(true);
  is_released.notify_all();
  silent.wait();
  proceedings.rethrow();
  expect(is_stored, "stored");
  expect(is_suspected, "its sender is suspected");
  expect_equal(heard, "x", "bob hears");
}

}  // namespace

Cases failure_cases() {
  return {
      CORACLE_CASE_NEEDS(11, a_long_computation_leaves_its_worker_to_the_others, threads),
      CORACLE_CASE_NEEDS(11, an_agent_goes_on_with_its_other_tasks_while_it_computes, threads),
      CORACLE_CASE(11, an_exception_in_a_computation_reaches_whoever_waits_for_it),
      CORACLE_CASE_ELSEWHERE(11, a_silent_peer_is_suspected_in_seconds, second_node,
                             "realizations/net/tests/link/link_test.cpp: "
                             "a_silent_peer_is_suspected_within_5_s_and_trusted_when_it_is_back"),
      CORACLE_CASE_NEEDS(11, suspicion_never_discards_a_stored_message, storage),
      CORACLE_CASE_ELSEWHERE(11, a_busy_node_is_not_taken_for_a_dead_one, second_node,
                             "tests/simulation/societies/silence_test.cpp: "
                             "a_host_that_is_busy_again_and_again_has_not_ended"),
  };
}

}  // namespace coracle::conformance
