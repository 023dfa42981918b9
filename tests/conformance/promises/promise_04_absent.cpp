// Promise 4: messages to a name without a holder wait, within limits.
#include "play.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace coracle::conformance {

namespace {

void messages_wait_for_an_agent_that_comes_later(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await count_to(me, "ann", 20);
    co_await start(me, across(me, "ann"), echo_to("main"));
    for (int i = 1; i <= 20; ++i) expect_equal(co_await hear(me), std::to_string(i), "ann got");
  });
}

void what_an_agent_left_unread_waits_for_the_next_holder(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body reading_one = [](Agent& ann) -> Task<> { co_await hear(ann); };
    co_await count_to(me, "ann", 3);
    co_await start(me, across(me, "ann"), reading_one);
    co_await gone(me, "ann");
    co_await me.send("ann", "4");
    co_await start(me, "ann", echo_to("main"));
    for (const char* text : {"2", "3", "4"})
      expect_equal(co_await hear(me), text, "the next ann got");
  });
}

void too_many_messages_for_an_absent_agent_are_refused(const Subject& subject) {
  NodeOptions options = options_for(subject);
  options.absent_limit = 3;
  play(subject, options, [](Agent& me) -> Task<> {
    co_await count_to(me, "ann", 3);
    expect_error(co_await me.send_result("ann", "4"), Errc::absent_full, "a fourth message");
    co_await start(me, across(me, "ann"), echo_to("main"));
    for (int i = 1; i <= 3; ++i) expect_equal(co_await hear(me), std::to_string(i), "ann got");
    co_await me.send("ann", "5");
    expect_equal(co_await hear(me), "5", "ann is there now");
  });
}

void messages_to_an_absent_agent_expire_with_its_time_to_live(const Subject& subject) {
  NodeOptions options = options_for(subject);
  options.absent_time_to_live = 10ms;
  play(subject, options, [](Agent& me) -> Task<> {
    Receipt receipt = co_await me.track(Post("ann", "x"));
    expect(!co_await receipt.reached(Stage::consumed, soon), "nobody came");
    expect(receipt.first().outcome == Outcome::expired, "its outcome is expired");
    co_await start(me, across(me, "ann"), echo_to("main"));
    co_await me.send("ann", "y");
    expect_equal(co_await hear(me), "y", "ann gets only what came later");
  });
}

// Returns whether a reader that has come in time still gets the waiting messages after their time
// to live has passed. Returns nothing when the time to live was over before the reader came.
std::optional<bool> is_stopped(const Subject& subject, Duration to_live) {
  Duration until_there{};
  bool is_heard = false;
  NodeOptions options = options_for(subject);
  options.absent_time_to_live = to_live;
  play(subject, options, [&](Agent& me) -> Task<> {
    const Time begin = me.now();
    co_await me.send("ann", "x");
    Body slow = [&is_heard, to_live](Agent& ann) -> Task<> {
      co_await ann.pause(2 * to_live);
      is_heard = (co_await ann.receive(Deadline(soon / 2))).has_value();
      co_await ann.send("main", "done");
    };
    co_await start(me, across(me, "ann"), slow);
    until_there = me.now() - begin;
    expect_equal(co_await hear(me), "done", "ann says");
  });
  if (!is_heard && until_there > to_live * 3 / 4) return std::nullopt;
  return is_heard;
}

void an_agent_that_comes_in_time_stops_the_time_to_live(const Subject& subject) {
  for (const Duration to_live : {60ms, 1000ms}) {
    const std::optional<bool> verdict = is_stopped(subject, to_live);
    if (!verdict) continue;
    return expect(*verdict, "ann was there in time");
  }
  test::fail("this machine is too slow for a message that lives for a second");
}

// Returns whether a message survives when its message store is down for longer than its time to
// live. Returns nothing when the test itself used up that time.
std::optional<bool> outlives(const Subject& subject, Duration to_live) {
  Duration kept{};
  Time again{};
  bool is_heard = false;
  NodeOptions options = options_for(subject);
  options.absent_time_to_live = to_live;
  test::Proceedings proceedings;
  Node sender(std::move(storing_nodes_of(subject).at(0)), options);
  Body sending = [&](Agent& me) -> Task<> {
    const Time begin = me.now();
    Post post("bob", "x");
    Receipt receipt = co_await me.track(std::move(post));
    expect(co_await receipt.reached(Stage::stored, soon), "stored");
    subject.message_store(false);
    kept = me.now() - begin;
    co_await me.pause(to_live + to_live / 4);
    again = me.now();
    subject.message_store(true);
  };
  Body listening = [&](Agent& bob) -> Task<> {
    kept += bob.now() - again;
    is_heard = (co_await bob.receive(Deadline(soon))).has_value();
  };
  sender.adopt("ann", std::make_unique<test::Actor>(sending, proceedings));
  sender.wait();
  proceedings.rethrow();
  Node reader(std::move(subject.join().at(0)), options);
  reader.adopt("bob", std::make_unique<test::Actor>(listening, proceedings));
  reader.wait();
  proceedings.rethrow();
  if (!is_heard && kept > to_live * 3 / 4) return std::nullopt;
  return is_heard;
}

void time_when_the_message_store_was_down_does_not_count(const Subject& subject) {
  for (const Duration to_live : {2000ms, 10'000ms}) {
    const std::optional<bool> verdict = outlives(subject, to_live);
    if (!verdict) continue;
    return expect(*verdict, "what was stored is given after a time without message store");
  }
  test::fail("this machine is too slow for a message that lives for ten seconds");
}

}  // namespace

Cases absent_cases() {
  return {
      CORACLE_CASE(4, messages_wait_for_an_agent_that_comes_later),
      CORACLE_CASE(4, what_an_agent_left_unread_waits_for_the_next_holder),
      CORACLE_CASE(4, too_many_messages_for_an_absent_agent_are_refused),
      CORACLE_CASE(4, messages_to_an_absent_agent_expire_with_its_time_to_live),
      CORACLE_CASE(4, an_agent_that_comes_in_time_stops_the_time_to_live),
      CORACLE_CASE_NEEDS(4, time_when_the_message_store_was_down_does_not_count, storage),
  };
}

}  // namespace coracle::conformance
