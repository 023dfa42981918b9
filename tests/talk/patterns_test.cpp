// Broadcasts, on every realization: each agent with a registered pattern that fits receives them,
// and the sender receives the number of receivers, or the name of the handler.
#include "coracle/broadcast.hpp"
#include "coracle/fitting.hpp"
#include "rpc_ground.hpp"

namespace coracle::rpc::test {

namespace {

// Waits until that many agents have sent that text.
Task<> expect_said(Agent& me, std::string text, int times = 1) {
  for (int i = 0; i < times; ++i) {
    const std::optional<Message> said = co_await me.receive(says(text), 10s);
    expect(said.has_value(), "somebody says '" + text + "'");
  }
}

// Expects that main gets no further message once all agents are at rest.
Task<> expect_silence(Agent& me) {
  const std::optional<Message> said = co_await me.receive(Deadline(20ms));
  expect(!said, said ? std::string(said->text()) : std::string());
}

// Observes, and reports each notice to main.
Body observer(Pattern pattern) {
  return [pattern](Agent& me) -> Task<> {
    Interests interests(me);
    co_await interests.observe(pattern);
    co_await me.send("main", "ready");
    for (;;) {
      const Heard heard = co_await interests.next();
      std::string said = me.name().str() + (heard.is_request() ? " sees " : " hears ");
      said += heard.text();
      for (const std::string& part : heard.captures()) said += " [" + part + "]";
      expect(!heard.asks(), "it only observes");
      co_await me.send("main", said);
    }
  };
}

// Handles messages that begin with "do": does the work, rejects it, fails, or does not reply.
Body handler(std::string manner) {
  return [manner](Agent& me) -> Task<> {
    Interests interests(me);
    co_await interests.handle(Pattern().format("do %s"));
    co_await me.send("main", "ready");
    for (;;) {
      Heard heard = co_await interests.next();
      expect(heard.asks() && heard.is_request(), "it is to handle it");
      const std::string done = me.name().str() + " did " + heard.captures().at(0);
      if (manner == "does") co_await heard.reply(done);
      if (manner == "rejects") co_await heard.reject("not today");
      if (manner == "fails") co_await heard.fail("out of paper");
    }
  };
}

void a_notice_goes_to_all_who_observe_it_and_says_how_many(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "ann", observer(Pattern().format("saved %s")));
    co_await start(me, "bob", observer(Pattern().text("^saved|^closed")));
    co_await start(me, "cid", observer(Pattern().format("closed %s")));
    co_await expect_said(me, "ready", 3);
    const Reached saved = co_await send_notice(me, "saved main.c");
    expect_equal(saved.interested, 2u, "interested");
    expect_equal(saved.reached, 2u, "reached");
    co_await expect_said(me, "ann hears saved main.c [main.c]");
    co_await expect_said(me, "bob hears saved main.c");
    const Reached lost = co_await send_notice(me, "nobody wants to know");
    expect_equal(lost.interested, 0u, "nobody");
    co_await expect_silence(me);
  });
}

void patterns_are_of_three_kinds(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "by/source", observer(Pattern().source("ma.*").target_is(whoever())));
    co_await start(me, "by/other", observer(Pattern().source_is("somebody")));
    co_await start(me, "by/text", observer(Pattern().text("(?i)LINE [0-9]+")));
    co_await start(me, "by/part",
                   observer(Pattern().component("file", "a.c").component("op", "edit")));
    co_await start(me, "by/format", observer(Pattern().format("%s at line %d")));
    co_await expect_said(me, "ready", 5);
    Broadcast broadcast("stopped at line 7");
    broadcast.header("file", "a.c").header("op", "edit").header("more", "x");
    const Reached all = co_await send_notice(me, broadcast);
    expect_equal(all.interested, 4u, "all but one");
    for (const char* who : {"by/source", "by/text", "by/part"}) {
      co_await expect_said(me, std::string(who) + " hears stopped at line 7");
    }
    co_await expect_said(me, "by/format hears stopped at line 7 [stopped] [7]");
    Broadcast other("going on");
    other.header("file", "a.c");
    const Reached few = co_await send_notice(me, other);
    expect_equal(few.interested, 1u, "only by the source");
    co_await expect_said(me, "by/source hears going on");
    co_await expect_silence(me);
  });
}

void an_agent_gets_it_once_however_many_of_its_patterns_fit(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "ann", [](Agent& ann) -> Task<> {
      Interests interests(ann);
      const Interest saved = co_await interests.observe(Pattern().format("saved %s"));
      const Interest all = co_await interests.observe(Pattern());
      const Interest other = co_await interests.observe(Pattern().format("closed %s"));
      co_await ann.send("main", "ready");
      const Heard first = co_await interests.next();
      expect(first.is_for(saved) && first.is_for(all) && !first.is_for(other), "which of them");
      expect_equal(first.captures().size(), 1u, "of the format");
      const Heard second = co_await interests.next();
      expect_equal(second.text(), "the end", "nothing in between");
      co_await ann.send("main", "once");
    });
    co_await expect_said(me, "ready");
    const Reached reached = co_await send_notice(me, "saved a.c");
    expect_equal(reached.interested, 1u, "one agent");
    co_await send_notice(me, "the end");
    co_await expect_said(me, "once");
  });
}

void a_request_is_handled_by_one_and_seen_by_observers(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "ann", observer(Pattern().format("do %s")));
    co_await start(me, "bob", handler("does"));
    co_await start(me, "cid", handler("does"));
    co_await expect_said(me, "ready", 3);
    const Handled handled = co_await send_request(me, "do work", 10s);
    expect(handled.state == Handled::State::replied, "it is done");
    expect_equal(handled.observers, 1u, "observers");
    expect_equal(handled.rejections, 0u, "rejections");
    expect_equal(handled.answer.text(), handled.by.str() + " did work", "by whom");
    co_await expect_said(me, "ann sees do work [work]");
    const Reached notice = co_await send_notice(me, "do more");
    expect_equal(notice.interested, 1u, "a notice is not for those who handle");
    co_await expect_said(me, "ann hears do more [more]");
    co_await expect_silence(me);
  });
}

void who_rejects_leaves_it_to_the_next(Place& place) {
  place.run([](Agent& me) -> Task<> {
    const Handled none = co_await send_request(me, "do work", 10s);
    expect(none.state == Handled::State::rejected, "nobody handles it");
    expect_equal(none.rejections + none.observers, 0u, "nobody was asked");
    co_await start(me, "ann", handler("rejects"));
    co_await start(me, "bob", handler("rejects"));
    co_await expect_said(me, "ready", 2);
    const Handled both = co_await send_request(me, "do work", 10s);
    expect(both.state == Handled::State::rejected, "all reject it");
    expect_equal(both.rejections, 2u, "both were asked");
    expect_equal(both.reason, "not today", "why");
    co_await start(me, "cid", handler("does"));
    co_await expect_said(me, "ready");
    const Handled done = co_await send_request(me, "do work", 10s);
    expect(done.state == Handled::State::replied, "one of them does it");
    expect_equal(done.by, Name("cid"), "that one");
  });
}

void who_fails_ends_it(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "ann", handler("fails"));
    co_await start(me, "bob", handler("fails"));
    co_await expect_said(me, "ready", 2);
    const Handled handled = co_await send_request(me, "do work", 10s);
    expect(handled.state == Handled::State::failed, "it failed");
    expect_equal(handled.reason, "out of paper", "why");
    expect_equal(handled.rejections, 0u, "nobody else was asked");
    expect(handled.answer.empty(), "there is no answer");
  });
}

void who_says_nothing_has_failed(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "ann", handler("keeps quiet"));
    co_await expect_said(me, "ready");
    const Handled handled = co_await send_request(me, "do work", 10s);
    expect(handled.state == Handled::State::failed, "it failed");
    expect(handled.reason.find("'ann'") != std::string::npos, handled.reason);
  });
}

// Rejects the first request and reports it to main; then follows main's orders.
Body obedient() {
  return [](Agent& me) -> Task<> {
    Interests interests(me);
    co_await interests.handle(Pattern().format("do %s"));
    co_await me.send("main", "ready");
    {
      Heard heard = co_await interests.next();
      co_await me.send("main", "I was asked", 1);
      co_await heard.reject("later");
    }
    const Message order = co_await me.receive(in_conversation(2));
    if (order.text() == "leave") {
      while (interests.pending() == 0) co_await me.pause(1ms);
      co_return;
    }
    Heard heard = co_await interests.next();
    if (order.text() == "die") throw Crash("with a request in hand");
    const std::string answer = heard.again() ? "again" : "for the first time";
    co_await heard.reply(answer);
  };
}

Task<> expect_that_the_next_is_asked(Agent& me, std::string what_the_first_does) {
  co_await start(me, "ann", obedient());
  co_await start(me, "bob", obedient());
  co_await expect_said(me, "ready", 2);
  const Handled neither = co_await send_request(me, "do work", 10s);
  expect_equal(neither.rejections, 2u, "both reject it");
  const Message one = co_await me.receive(in_conversation(1));
  const Message other = co_await me.receive(in_conversation(1));
  co_await me.send(one.source(), what_the_first_does, 2);
  co_await me.send(other.source(), "serve", 2);
  const Handled handled = co_await send_request(me, "do it", 10s);
  expect(handled.state == Handled::State::replied, "it is done: " + handled.reason);
  expect_equal(handled.by, other.source().name(), "by the other one");
  expect_equal(handled.lost, 1u, "one has ended");
  expect_equal(handled.answer.text(), "again", "which is told to the next");
}

void when_a_handler_dies_over_it_the_next_is_asked(Place& place) {
  place.run([](Agent& me) -> Task<> { co_await expect_that_the_next_is_asked(me, "die"); });
}

void when_a_handler_ends_without_reading_it_the_next_is_asked(Place& place) {
  place.run([](Agent& me) -> Task<> { co_await expect_that_the_next_is_asked(me, "leave"); });
}

void who_unregisters_keeps_what_is_queued(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "ann", [](Agent& ann) -> Task<> {
      Interests interests(ann);
      const Interest saved = co_await interests.observe(Pattern().format("saved %s"));
      co_await ann.send("main", "ready");
      while (interests.pending() < 3) co_await ann.pause(1ms);
      co_await interests.unregister(saved);
      co_await ann.send("main", "unregistered");
      (void)co_await ann.receive(says("go on"));
      for (const char* file : {"a", "b", "c"}) {
        const Heard heard = co_await interests.next();
        expect_equal(heard.captures().at(0), file, "what was queued");
        expect(heard.is_for(saved), "for what it had registered");
      }
      const std::optional<Heard> more = co_await interests.next(10ms);
      expect(!more.has_value(), "nothing new");
      co_await ann.send("main", "done");
    });
    co_await expect_said(me, "ready");
    for (const char* text : {"saved a", "saved b", "saved c"}) co_await send_notice(me, text);
    co_await expect_said(me, "unregistered");
    const Reached none = co_await send_notice(me, "saved d");
    expect_equal(none.interested, 0u, "it is unregistered");
    co_await me.send("ann", "go on");
    co_await expect_said(me, "done");
  });
}

void a_format_that_cannot_be_parsed_is_a_named_error(Place& place) {
  place.run([](Agent& me) -> Task<> {
    for (const char* format : {"%", "%q", "%[a", "%99999999999d"}) {
      const auto error = coracle::test::error_from([&] { (void)Pattern().format(format); });
      expect_error(error, Errc::bad_pattern, format);
    }
    Interests interests(me);
    const Interest all = co_await interests.observe(Pattern());
    const Reached reached = co_await send_notice(me, "all goes on");
    expect_equal(reached.interested, 1u, "its own interest counts");
    const Heard heard = co_await interests.next();
    expect(heard.is_for(all), "it goes on");
  });
}

void a_request_ends_at_its_deadline(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "ann", [](Agent& ann) -> Task<> {
      Interests interests(ann);
      co_await interests.handle(Pattern());
      co_await ann.send("main", "ready");
      Heard heard = co_await interests.next();
      (void)co_await ann.receive(says("never"));
    });
    co_await expect_said(me, "ready");
    const auto error = co_await coracle::test::error_of(send_request(me, "do work", 5ms));
    expect_error(error, Errc::expired, "nobody has answered");
  });
}

void eavesdroppers_hear_a_broadcast_once(Place& place) {
  place.run([](Agent& me) -> Task<> {
    for (const char* name : {"ann", "bob", "cid"}) {
      co_await start(me, name, observer(Pattern().format("saved %s")));
    }
    co_await expect_said(me, "ready", 3);
    const Tap tap = co_await me.overhear(Pattern().target_is(whoever()));
    co_await send_notice(me, "saved main.c");
    co_await send_notice(me, "nobody wants to know");
    for (const char* wanted : {"saved main.c", "nobody wants to know"}) {
      const Message copy = co_await me.receive(overheard_by(tap));
      expect_equal(copy.text(), wanted, "each of them once");
      expect_equal(copy.target(), whoever(), "to whom");
    }
    co_await expect_said(me, "ann hears saved main.c [main.c]");
    expect_equal(me.pending(overheard_by(tap)), 0u, "no more than once");
  });
}

void a_receiver_reads_what_fits_and_leaves_the_rest(Place& place) {
  place.run([](Agent& me) -> Task<> {
    const Match bid = fitting(Pattern().format("bid %d"));
    const Match urgent = fitting(Pattern().component("lane", "fast"));
    const Match whole_team = fitting(Pattern().source("ann|bob").target_is("team"));
    co_await me.join(group("team"));
    co_await start(me, "ann", [](Agent& ann) -> Task<> {
      co_await ann.send("main", "hello");
      co_await ann.send("main", "bid 7");
      Post post(group("team"), "bid 9");
      post.header("lane", "fast");
      co_await ann.send(post);
      co_await ann.send("main", Content::of(std::int64_t{3}));
      co_await ann.send("main", "that is all");
    });
    const Message last = co_await me.receive(says("that is all"));
    expect_equal(me.pending(bid), 2U, "by a format");
    expect_equal(me.pending(urgent), 1U, "by a component");
    expect_equal(me.pending(whole_team), 1U, "by what it was sent to");
    expect_equal(me.pending(from("ann") && !bid), 2U, "combined");
    const Message first = co_await me.receive(bid);
    expect_equal(first.text(), "bid 7", "the oldest that fits");
    const Message second = co_await me.receive(urgent);
    expect_equal(second.text(), "bid 9", "what has the header");
    const Message rest = co_await me.receive();
    expect_equal(rest.text(), "hello", "the rest keeps its place");
  });
}

const bool registered_patterns = on_every_ground(
    "patterns", {
                    GROUND_CASE(a_receiver_reads_what_fits_and_leaves_the_rest),
                    GROUND_CASE(a_notice_goes_to_all_who_observe_it_and_says_how_many),
                    GROUND_CASE(patterns_are_of_three_kinds),
                    GROUND_CASE(an_agent_gets_it_once_however_many_of_its_patterns_fit),
                    GROUND_CASE(a_request_is_handled_by_one_and_seen_by_observers),
                    GROUND_CASE(who_rejects_leaves_it_to_the_next),
                    GROUND_CASE(who_fails_ends_it),
                    GROUND_CASE(who_says_nothing_has_failed),
                    GROUND_CASE(when_a_handler_dies_over_it_the_next_is_asked),
                    GROUND_CASE(when_a_handler_ends_without_reading_it_the_next_is_asked),
                    GROUND_CASE(who_unregisters_keeps_what_is_queued),
                    GROUND_CASE(a_format_that_cannot_be_parsed_is_a_named_error),
                    GROUND_CASE(a_request_ends_at_its_deadline),
                    GROUND_CASE(eavesdroppers_hear_a_broadcast_once),
                });

}  // namespace

}  // namespace coracle::rpc::test
