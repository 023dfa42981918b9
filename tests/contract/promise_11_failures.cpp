// Promise 11: failures are noticed, and a long computation is not one.
#include "play.hpp"

#include <atomic>

namespace coracle::contract {

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

}  // namespace

Cases failure_cases() {
  return {
      CORACLE_CASE_NEEDS(11, a_long_computation_leaves_its_worker_to_the_others, threads),
      CORACLE_CASE_NEEDS(11, an_agent_goes_on_with_its_other_tasks_while_it_computes, threads),
      CORACLE_CASE(11, an_exception_in_a_computation_reaches_whoever_waits_for_it),
      CORACLE_CASE_LATER(11, a_silent_peer_is_suspected_in_seconds, second_node),
      CORACLE_CASE_LATER(11, suspicion_never_discards_a_stored_message, storage),
      CORACLE_CASE_LATER(11, a_busy_node_is_not_taken_for_a_dead_one, second_node),
  };
}

}  // namespace coracle::contract
