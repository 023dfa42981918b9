// Promise 9: a request ends exactly once, and the end of an agent is announced with its reason.
#include "play.hpp"

#include <set>

namespace coracle::conformance {

namespace {

void a_request_ends_with_its_reply(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "ann"), answering());
    const Message reply = co_await me.ask("ann", "x", soon);
    expect_equal(reply.text(), "x", "the reply");
    expect_equal(reply.source().name(), Name("ann"), "its source");
    expect_equal(me.pending(), 0u, "it came to the ask alone");
  });
}

void a_request_can_be_refused_with_a_reason(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body refusing = [](Agent& ann) -> Task<> {
      const Message request = co_await ann.receive();
      expect(request.is_request(), "a request is marked");
      co_await ann.refuse(request, "it is Sunday");
    };
    co_await start(me, across(me, "ann"), refusing);
    const auto reply = co_await me.ask_result("ann", "x", soon);
    expect_error(reply, Errc::refused, "the request");
    expect(reply.error().sentence().find("it is Sunday") != std::string::npos, "with the reason");
  });
}

void a_request_ends_at_its_deadline(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "ann"), deaf());
    expect_error(co_await me.ask_result("ann", "x", 10ms), Errc::expired, "the request");
    expect_error(co_await me.ask_result("nobody", "x", 10ms), Errc::expired, "to nobody");
  });
}

void a_reply_that_comes_too_late_is_dropped(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body late = [](Agent& ann) -> Task<> {
      const Message request = co_await ann.receive();
      co_await hear(ann, in_conversation(9));
      co_await ann.reply(request, "late");
      co_await ann.send("main", "replied");
    };
    co_await start(me, across(me, "ann"), late);
    expect_error(co_await me.ask_result("ann", "x", 5ms), Errc::expired, "the request");
    co_await me.send("ann", "reply now", 9);
    expect_equal(co_await hear(me), "replied", "the next message, not the late reply");
    const auto reason = static_cast<std::size_t>(DropReason::late_reply);
    co_await until(me, [&] { return me.node().ledger().dropped[reason] == 1; }, "it was dropped");
    co_await hear_nothing(me);
  });
}

void a_second_reply_is_dropped(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body eager = [](Agent& ann) -> Task<> {
      const Message request = co_await ann.receive();
      co_await ann.reply(request, "one");
      (void)co_await error_of([](Agent& self, const Message& what) -> Task<> {
        co_await self.reply(what, "two");
      }(ann, request));
      co_await ann.send("main", "replied");
    };
    co_await start(me, across(me, "ann"), eager);
    const Message reply = co_await me.ask("ann", "x", soon);
    expect_equal(reply.text(), "one", "the reply");
    expect_equal(co_await hear(me), "replied", "the next message, not the second reply");
    co_await hear_nothing(me);
  });
}

// The agent goes on, and replies to the requests that it has not dropped.
Body dropping() {
  return [](Agent& ann) -> Task<> {
    std::optional<Message> later;
    for (;;) {
      Message request = co_await ann.receive();
      if (request.text() == "kept") request.keep();
      if (request.text() == "its content") (void)request.consume();
      if (!request) continue;
      if (request.text() == "too much") {
        (void)co_await error_of([](Agent& self, const Message& what) -> Task<> {
          co_await self.reply(what, std::string(1001, 'x'));
        }(ann, request));
      }
      if (request.text() == "now") co_await ann.reply(later.value(), "at last");
      if (request.text() != "later") continue;
      later = std::move(request);
      co_await ann.send("main", "held");
    }
  };
}

void a_request_that_is_dropped_unanswered_ends_at_once(const Subject& subject) {
  NodeOptions options = options_for(subject);
  options.content_limit = 1000;
  play(subject, options, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "ann"), dropping());
    for (const char* question : {"x", "its content", "too much"})
      expect_error(co_await me.ask_result("ann", question), Errc::unanswered, question);
    expect_error(co_await me.ask_result("ann", "kept", 10ms), Errc::expired, "one that is kept");
    me.spawn([](Agent& self) -> Task<> {
      const Message reply = co_await self.ask("ann", "later");
      co_await self.send("main", reply.text());
    }(me));
    expect_equal(co_await hear(me), "held", "word of it");
    expect_error(co_await me.ask_result("ann", "y"), Errc::unanswered, "one that comes behind it");
    co_await me.send("ann", "now");
    expect_equal(co_await hear(me), "at last", "one that was held on to");
  });
}

void a_request_ends_when_the_agent_that_took_it_crashes(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body crashing = [](Agent& ann) -> Task<> {
      Message request = co_await ann.receive();
      request.acknowledge();
      throw Crash("the roof fell in");
    };
    co_await start(me, across(me, "ann"), crashing);
    const auto reply = co_await me.ask_result("ann", "x", soon);
    expect_error(reply, Errc::agent_failed, "the request");
    expect(reply.error().sentence().find("the roof fell in") != std::string::npos,
           "with what the exception said: " + reply.error().sentence());
  });
}

void a_request_that_was_dropped_leaves_no_wait_behind(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    const Body asking_back = [](Agent& ann) -> Task<> {
      co_await ann.pause(20ms);
      const auto answer = co_await ann.ask_result("main", "and you?", soon);
      const std::string what = answer ? "answered" : answer.error().sentence();
      co_await ann.send("main", what);
    };
    AgentSpec spec("ann");
    spec.mailbox(MailboxOptions().messages(1).overflow(Overflow::drop_newest));
    co_await start(me, spec, asking_back);
    co_await me.send("ann", "1");
    expect_error(co_await me.ask_result("ann", "how much?", soon), Errc::dropped, "the request");
    Message question = co_await me.receive();
    co_await me.reply(question, "well");
    expect_equal(co_await hear(me), "answered", "what became of the other question");
  });
}

void a_request_in_the_hands_of_an_agent_that_ends_ends_with_it(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    // The request outlives the agent. Other nodes wait for its end, but no longer than 10 s.
    const Body holding = [held = std::make_shared<Message>()](Agent& ann) -> Task<> {
      *held = co_await ann.receive();
    };
    co_await start(me, across(me, "ann"), holding);
    expect_error(co_await me.ask_result("ann", "x", soon), Errc::peer_down, "the request");
  });
}

void a_request_ends_when_the_agent_that_took_it_stops(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body stopping = [](Agent& ann) -> Task<> {
      Message request = co_await ann.receive();
      request.keep();
    };
    co_await start(me, across(me, "ann"), stopping);
    expect_error(co_await me.ask_result("ann", "x", soon), Errc::peer_down, "the request");
  });
}

// A request that the agent only read, or did not read, gets its reply from the next holder.
void a_request_ends_when_the_agent_that_took_it_loses_its_name(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body taking = [](Agent& ann) -> Task<> {
      Message taken = co_await ann.receive();
      taken.acknowledge();
      co_await ann.send("main", "taken");
      const Message held = co_await ann.receive();
      co_await ann.send("main", "read");
      (void)co_await ann.receive(from("nobody"));
    };
    Body asking = [](Agent& bob) -> Task<> {
      const std::string text(bob.name().view());
      const auto reply = co_await bob.ask_result("ann", text, soon);
      const bool is_over = !reply && reply.error().errc() == Errc::peer_down;
      const std::string end = is_over ? "over" : std::string((*reply).text());
      co_await bob.send("main", end);
    };
    co_await start(me, across(me, "ann"), taking);
    co_await start(me, across(me, "bob"), asking);
    expect_equal(co_await hear(me), "taken", "ann says");
    co_await start(me, "cid", asking);
    expect_equal(co_await hear(me), "read", "ann says");
    co_await start(me, across(me, "dora"), asking);
    AgentSpec again("ann");
    again.take_over();
    co_await start(me, again, answering());
    std::multiset<std::string> ends;
    for (int i = 0; i < 3; ++i) ends.insert(co_await hear(me));
    expect(ends == std::multiset<std::string>{"cid", "dora", "over"}, "two are answered");
  });
}

void many_requests_at_once_get_each_its_own_reply(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "ann"), answering());
    auto asking = [](Agent& self, int i, int& done) -> Task<> {
      const std::string text = std::to_string(i);
      const Message reply = co_await self.ask("ann", text, soon);
      expect_equal(reply.text(), text, "the reply");
      ++done;
    };
    int done = 0;
    for (int i = 0; i < 50; ++i) me.spawn(asking(me, i, done));
    co_await until(me, [&] { return done == 50; }, "all were answered");
  });
}

void a_reply_goes_where_the_request_wanted_it(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "ann"), answering());
    co_await start(me, "bob", echo_to("main"));
    Post post("ann", "x");
    post.reply_to("bob").conversation(7);
    co_await me.send(std::move(post));
    const Message echo = co_await take(me);
    expect_equal(echo.source().name(), Name("bob"), "bob got the answer");
  });
}

Task<> expect_ending(Agent& me, Body life, EndReason reason, std::string text) {
  Body watched = [life](Agent& ann) -> Task<> {
    co_await hear(ann);
    co_await life(ann);
  };
  co_await start(me, across(me, "ann"), watched);
  Body watching = [](Agent& bob) -> Task<> {
    auto telling = [](Agent& self) -> Task<> {
      co_await self.yield();
      co_await self.send("ann", "go on");
    };
    bob.spawn(telling(bob));
    const Ending ending = co_await bob.watch("ann");
    expect_equal(ending.name, Name("ann"), "who ended");
    const std::string said = std::string(to_string(ending.reason)) + ": " + ending.text;
    co_await bob.send("main", said);
  };
  co_await start(me, "bob", watching);
  const std::string said = co_await hear(me, from("bob"));
  expect(said.find(to_string(reason)) == 0, "the reason: " + said);
  expect(said.find(text) != std::string::npos, "the text: " + said);
}

void a_watcher_is_told_that_an_agent_stopped(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body life = [](Agent&) -> Task<> { co_return; };
    co_await expect_ending(me, life, EndReason::stopped, "");
  });
}

void a_watcher_is_told_that_an_agent_crashed_and_why(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body life = [](Agent&) -> Task<> {
      throw Crash("out of tea");
      co_return;
    };
    co_await expect_ending(me, life, EndReason::crashed, "out of tea");
  });
}

void a_crash_in_a_spawned_task_ends_its_agent(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body life = [](Agent& ann) -> Task<> {
      auto crashing = [](Agent& self) -> Task<> {
        co_await self.yield();
        throw Crash("in a side task");
      };
      ann.spawn(crashing(ann));
      co_await ann.pause(Deadline(std::chrono::hours(1)));
    };
    co_await expect_ending(me, life, EndReason::crashed, "in a side task");
  });
}

void watching_nobody_fails_with_no_such_agent(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    expect_error(co_await error_of(me.watch("nobody")), Errc::no_such_agent, "the watch");
  });
}

void an_exception_ends_its_agent_alone(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "ann"), answering());
    Body crashing = [](Agent&) -> Task<> {
      throw Crash();
      co_return;
    };
    for (int i = 0; i < 20; ++i)
      co_await start(me, across(me, Name("crasher" + std::to_string(i))), crashing);
    for (int i = 0; i < 20; ++i) {
      const Message reply = co_await me.ask("ann", "still there?", soon);
      expect_equal(reply.text(), "still there?", "ann");
    }
  });
}

void an_agent_that_ends_ends_its_tasks(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body leaving = [](Agent& ann) -> Task<> {
      auto nagging = [](Agent& self) -> Task<> {
        for (;;) {
          co_await self.pause(1ms);
          co_await self.send("main", "nag");
        }
      };
      ann.spawn(nagging(ann));
      co_await ann.pause(5ms);
    };
    co_await start(me, across(me, "ann"), leaving);
    co_await gone(me, "ann");
    // Messages that she sent before may still come.
    for (int late = 0; co_await me.receive(Deadline(a_moment)); ++late)
      expect(late < 1000, "she goes on");
  });
}

}  // namespace

Cases ending_cases() {
  return {
      CORACLE_CASE(9, a_request_ends_with_its_reply),
      CORACLE_CASE(9, a_request_can_be_refused_with_a_reason),
      CORACLE_CASE(9, a_request_ends_at_its_deadline),
      CORACLE_CASE(9, a_reply_that_comes_too_late_is_dropped),
      CORACLE_CASE(9, a_second_reply_is_dropped),
      CORACLE_CASE(9, a_request_that_is_dropped_unanswered_ends_at_once),
      CORACLE_CASE(9, a_request_that_was_dropped_leaves_no_wait_behind),
      CORACLE_CASE_LONG(9, a_request_in_the_hands_of_an_agent_that_ends_ends_with_it),
      CORACLE_CASE(9, a_request_ends_when_the_agent_that_took_it_crashes),
      CORACLE_CASE(9, a_request_ends_when_the_agent_that_took_it_loses_its_name),
      CORACLE_CASE(9, a_request_ends_when_the_agent_that_took_it_stops),
      CORACLE_CASE(9, many_requests_at_once_get_each_its_own_reply),
      CORACLE_CASE(9, a_reply_goes_where_the_request_wanted_it),
      CORACLE_CASE(9, a_watcher_is_told_that_an_agent_stopped),
      CORACLE_CASE(9, a_watcher_is_told_that_an_agent_crashed_and_why),
      CORACLE_CASE(9, a_crash_in_a_spawned_task_ends_its_agent),
      CORACLE_CASE(9, watching_nobody_fails_with_no_such_agent),
      CORACLE_CASE(9, an_exception_ends_its_agent_alone),
      CORACLE_CASE(9, an_agent_that_ends_ends_its_tasks),
      CORACLE_CASE_ELSEWHERE(9, a_watcher_is_told_that_a_node_fell_silent, second_node,
                             "tests/simulation/societies/silence_test.cpp: "
                             "a_host_that_falls_silent_is_noticed_within_five_seconds"),
  };
}

}  // namespace coracle::conformance
