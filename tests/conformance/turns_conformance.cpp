// Agents of one worker take turns: an agent that is busy all the time leaves turns to others.
#include "play.hpp"
#include "subjects/local_subject.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <thread>

namespace coracle::conformance {

namespace {

// Sends every message back to its source, and counts.
Body returning(std::uint64_t& count) {
  return [&count](Agent& me) -> Task<> {
    for (;;) {
      Message ball = co_await me.receive();
      ++count;
      const Address other = ball.reply_to();
      co_await me.send(other, ball.consume());
    }
  };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(turns)

BOOST_AUTO_TEST_CASE(pairs_that_talk_all_the_time_leave_turns_to_others) {
  std::uint64_t heard = 0;
  play(local_subject(1), [&heard](Agent& me) -> Task<> {
    for (const char* name : {"ann", "bob"}) {
      for (const char* pair : {"/1", "/2"}) {
        co_await start(me, std::string(name) + pair, returning(heard));
      }
    }
    // The effect is as if each agent had sent its ball to the other agent of its pair.
    for (const std::string pair : {"/1", "/2"}) {
      Post post("ann" + pair, "ball");
      post.reply_to("bob" + pair);
      co_await me.send(std::move(post));
    }
    std::uint64_t most = 0;
    std::uint64_t before = heard;
    for (int turn = 0; turn < 1000; ++turn) {
      co_await me.yield();
      most = std::max(most, heard - before);
      before = heard;
    }
    expect(heard > 1000, "the pairs talk");
    expect(most <= 64, "nobody waits while more than 64 messages are read");
  });
}

// Computes without waiting until an agent on another worker has set `done`, or until a limit.
bool work_until(const std::atomic<bool>& done) {
  constexpr int longest = 20'000'000;
  for (int step = 0; step < longest && !done; ++step) std::this_thread::yield();
  return done;
}

BOOST_AUTO_TEST_CASE(what_an_agent_sends_and_gets_does_not_wait_while_it_works) {
  std::atomic<bool> heard{false};
  std::atomic<bool> answered{false};
  play(local_subject(2), [&](Agent& me) -> Task<> {
    AgentSpec far("bob");
    far.on_worker(1);
    co_await start(me, far, [&](Agent& bob) -> Task<> {
      const Message call = co_await bob.receive();
      heard = true;
      co_await bob.send(call.reply_to(), "here");
      co_await bob.yield();
      answered = true;
      (void)co_await bob.receive();
    });
    AgentSpec near("ann");
    near.on_worker(0);
    co_await start(me, near, [&](Agent& ann) -> Task<> {
      co_await ann.send("bob", "come");
      co_await ann.yield();
      expect(work_until(heard), "what was sent before a yield goes out");
      expect(work_until(answered), "and so does an answer");
      co_await ann.yield();
      const auto answer = ann.try_receive();
      expect(answer.has_value(), "what came before a yield is there");
      co_await ann.send("bob", "go");
      co_await ann.send(me.self(), "done");
    });
    (void)co_await me.receive();
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::conformance
