// Promise 9: messages that are to be sent later, or repeatedly, end with their handle or their
// agent.
#include "coracle/timed.hpp"
#include "play.hpp"

namespace coracle::conformance {

namespace {

void a_message_is_sent_when_its_time_has_come(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "ann"), echo_to("main"));
    const Time begun = me.now();
    TimedSend later = send_later(me, {"ann", "later"}, 5ms);
    const TimedSend point = send_later(me, {me.self(), "sooner"}, Deadline(begun + 2ms));
    expect(later.is_pending(), "it has time");
    co_await me.send("ann", "now");
    expect_equal(co_await hear(me, from("ann")), "now", "what was sent at once");
    expect_equal(co_await hear(me, from("main")), "sooner", "what was due earlier");
    expect(me.now() - begun >= 2ms, "not too early");
    expect_equal(co_await hear(me, from("ann")), "later", "what was due later");
    expect(me.now() - begun >= 5ms, "not too early");
    expect(!later.is_pending() && !later.cancel(), "it is sent");
    while (later.sent() + point.sent() < 2) co_await me.pause(1ms);
  });
}

void what_is_called_off_is_not_sent(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    TimedSend called_off = send_later(me, {me.self(), "called off"}, 2ms);
    expect(called_off.cancel(), "in time");
    expect(!called_off.cancel(), "only once");
    { const TimedSend gone = send_later(me, {me.self(), "its handle is gone"}, 2ms); }
    TimedSend other = send_later(me, {me.self(), "replaced"}, 2ms);
    other = send_later(me, {me.self(), "the other"}, 4ms);
    const TimedSend never = send_later(me, {me.self(), "never"}, Deadline::never());
    send_later(me, {me.self(), "on its own"}, 6ms).detach();
    expect_equal(co_await hear(me), "the other", "first");
    expect_equal(co_await hear(me), "on its own", "second");
    expect_equal(me.pending(), 0u, "all others are called off");
  });
}

void with_its_agent_it_ends(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    const Body leaving = [](Agent& kid) -> Task<> {
      send_later(kid, {"main", "too late"}, 2ms).detach();
      send_every(kid, "main", "tick", 2ms).detach();
      co_await kid.send("main", "bye");
    };
    co_await start(me, across(me, "kid"), leaving);
    expect_equal(co_await hear(me), "bye", "its last word");
    co_await gone(me, "kid");
    expect(!co_await me.receive(a_moment), "nothing follows");
  });
}

void a_failure_is_kept_for_whoever_wants_to_know(const Subject& subject) {
  NodeOptions options = options_for(subject);
  options.content_limit = 1000;
  play(subject, options, [](Agent& me) -> Task<> {
    co_await start(me, "ann", deaf());
    const Content large(std::string(1001, 'x'));
    const TimedSend later = send_later(me, {"ann", large}, 1ms);
    const TimedSend again = send_every(me, "ann", large, 1ms);
    while (later.refused() == 0 || again.refused() < 3) co_await me.pause(1ms);
    for (const TimedSend* each : {&later, &again}) {
      expect_equal(each->sent(), 0u, "sent");
      const std::optional<Error> failure = each->failure();
      expect(failure && failure->errc() == Errc::too_large, "why");
    }
    expect(again.is_pending(), "it goes on");
  });
}

void a_message_comes_at_each_period_until_it_is_called_off(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    const Time begun = me.now();
    TimedSend ticks = send_every(me, me.self(), "tick", 2ms);
    for (int count = 1; count <= 5; ++count) {
      expect_equal(co_await hear(me), "tick", "a tick");
      expect(me.now() - begun >= count * 2ms, "not too early");
    }
    expect(ticks.sent() >= 4, "sent");
    expect(ticks.cancel(), "it goes on until now");
    while (me.try_receive()) continue;
    expect(!co_await me.receive(Deadline(10ms)), "no more of them");
    expect_error(co_await error_of([](Agent& self) -> Task<> {
                   send_every(self, self.self(), "too fast", 0ms).detach();
                   co_return;
                 }(me)),
                 Errc::bad_options, "no period");
  });
}

void who_does_not_read_finds_one_of_them(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    const Body slow = [](Agent& ann) -> Task<> {
      const Match asked = that([](const MessageView& each) { return each.text() == "how many?"; });
      (void)co_await ann.receive(asked);
      const std::size_t waiting = ann.pending();
      co_await ann.send("main", std::to_string(waiting));
      for (;;) (void)co_await ann.receive();
    };
    co_await start(me, "early", slow);
    const TimedSend to_early = send_every(me, "early", "tick", 1ms);
    const TimedSend to_late = send_every(me, "late", "tick", 1ms);
    while (to_early.skipped() < 5 || to_late.skipped() < 5) co_await me.pause(1ms);
    expect_equal(to_early.sent(), 1u, "sent to who does not read");
    expect_equal(to_late.sent(), 1u, "sent to nobody");
    co_await start(me, "late", slow);
    for (const char* who : {"early", "late"}) {
      co_await me.send(who, "how many?");
      expect_equal(co_await hear(me, from(who)), "1", "how many wait");
    }
    while (to_early.sent() < 3 || to_late.sent() < 3) co_await me.pause(1ms);
  });
}

void a_full_mailbox_holds_up_neither_the_agent_nor_the_next_period(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    const Body full = [](Agent& ann) -> Task<> {
      co_await ann.send("main", "ready");
      (void)co_await ann.receive(from("nobody"));
    };
    AgentSpec spec("ann");
    spec.mailbox(room_for(1));
    co_await start(me, spec, full);
    (void)co_await me.receive();
    co_await me.send("ann", "it is full");
    const TimedSend ticks = send_every(me, "ann", "tick", 2ms);
    while (ticks.refused() < 3) co_await me.pause(1ms);
    expect_equal(ticks.sent(), 0u, "sent");
    const std::optional<Error> failure = ticks.failure();
    expect(failure && failure->errc() == Errc::mailbox_full, "why");
  });
}

}  // namespace

Cases timed_cases() {
  return {
      CORACLE_CASE(9, a_message_is_sent_when_its_time_has_come),
      CORACLE_CASE(9, what_is_called_off_is_not_sent),
      CORACLE_CASE(9, with_its_agent_it_ends),
      CORACLE_CASE(9, a_failure_is_kept_for_whoever_wants_to_know),
      CORACLE_CASE(9, a_message_comes_at_each_period_until_it_is_called_off),
      CORACLE_CASE(9, who_does_not_read_finds_one_of_them),
      CORACLE_CASE(9, a_full_mailbox_holds_up_neither_the_agent_nor_the_next_period),
  };
}

}  // namespace coracle::conformance
