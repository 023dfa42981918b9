// Promise 9: supervisors restart within limits, and a node that stops reports what was left.
#include "coracle/acquaintances.hpp"
#include "coracle/endings.hpp"
#include "coracle/supervisor.hpp"
#include "coracle/timer.hpp"
#include "play.hpp"

#include <thread>

namespace coracle::conformance {

namespace {

// A child that reports its birth to main and follows orders.
class Child final : public Agent {
 public:
  Task<> run() override {
    co_await send("main", "born");
    Message order = co_await receive();
    const bool crash = order.text() == "crash";
    order.acknowledge();  // otherwise the next child would receive it
    if (crash) throw Crash("as told");
  }
};

std::unique_ptr<Supervisor> supervisor(RestartLimit limit, std::vector<const char*> names,
                                       Restart strategy = Restart::one) {
  auto result = std::make_unique<Supervisor>(limit, strategy);
  for (const char* name : names) result->child(name, [] { return std::make_unique<Child>(); });
  return result;
}

void a_supervisor_makes_a_crashed_child_again(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    auto boss = supervisor({5, std::chrono::seconds(60)}, {"kid"});
    co_await me.adopt(across(me, "boss"), std::move(boss));
    expect_equal(co_await hear(me, from("kid")), "born", "the first");
    for (int i = 0; i < 3; ++i) {
      co_await me.send("kid", "crash");
      expect_equal(co_await hear(me, from("kid")), "born", "the next");
    }
    co_await me.send("kid", "stop");
    co_await gone(me, "boss");
  });
}

void a_supervisor_gives_up_beyond_its_limit(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    auto boss = supervisor({1, std::chrono::seconds(60)}, {"kid", "sister"});
    co_await me.adopt(across(me, "boss"), std::move(boss));
    Body watching = [](Agent& bob) -> Task<> {
      co_await bob.send("main", "watching");
      const Ending ending = co_await bob.watch("boss");
      const std::string said = std::string(to_string(ending.reason)) + ": " + ending.text;
      co_await bob.send("main", said);
    };
    co_await hear(me, from("sister"));
    co_await hear(me, from("kid"));
    co_await start(me, "bob", watching);
    co_await hear(me, from("bob"));
    co_await me.send("kid", "crash");
    co_await hear(me, from("kid"));
    co_await me.send("kid", "crash");
    const std::string said = co_await hear(me, from("bob"));
    expect(said.find("crashed") == 0, "the boss ended: " + said);
    expect(said.find("kid") != std::string::npos, "it names the child: " + said);
    co_await gone(me, "sister");
  });
}

void a_supervisor_can_make_all_its_children_again(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    auto boss = supervisor({5, std::chrono::seconds(60)}, {"kid", "sister"}, Restart::all);
    co_await me.adopt(across(me, "boss"), std::move(boss));
    co_await hear(me, from("kid"));
    co_await hear(me, from("sister"));
    co_await me.send("kid", "crash");
    expect_equal(co_await hear(me, from("kid")), "born", "kid again");
    expect_equal(co_await hear(me, from("sister")), "born", "sister again");
  });
}

void a_stop_lets_what_is_under_way_be_read(const Subject& subject) {
  Society society(nodes_of(subject), options_for(subject));
  society.run([](Agent& me) -> Task<> {
    Body patient = [](Agent& ann) -> Task<> {
      for (;;) {
        const Message message = co_await ann.receive();
        (void)message;
      }
    };
    co_await start(me, across(me, "ann"), patient);
    co_await count_to(me, "ann", 500);
  });
  const StopReport report = society.stop();
  expect(report.clean(), report.to_string());
  expect_equal(report.ledger.consumed, 500u, "all were read");
  expect(report.ledger.balanced(), "balanced");
}

void a_stop_tells_what_nobody_read(const Subject& subject) {
  Society society(nodes_of(subject), options_for(subject));
  society.run([](Agent& me) -> Task<> { co_await count_to(me, "absent", 3); });
  const StopReport report = society.stop();
  expect(!report.clean(), "something was left");
  expect_equal(report.undelivered.size(), 1u, "mailboxes with something in them");
  expect_equal(report.undelivered.front().name, Name("absent"), "whose");
  expect_equal(report.undelivered.front().messages, 3u, "how many");
  expect(report.ledger.balanced(), "balanced");
}

void a_stop_names_the_agents_that_did_not_end(const Subject& subject) {
  Society society(nodes_of(subject), options_for(subject));
  society.run([](Agent& me) -> Task<> {
    Body stubborn = [](Agent& ann) -> Task<> {
      for (;;) {
        // The stop of the node is announced to this agent, which ignores it.
        (void)co_await error_of([](Agent& self) -> Task<> { co_await self.receive(); }(ann));
        (void)co_await error_of(ann.compute([] { std::this_thread::yield(); }));
      }
    };
    co_await start(me, across(me, "stubborn"), stubborn);
  });
  const StopReport report = society.stop(a_moment);
  expect(report.ledger.balanced(), "balanced");
  expect_equal(report.still_alive.size(), 1u, "still alive: " + report.to_string());
  expect_equal(report.still_alive.front(), Name("stubborn"), "who was still alive");
}

void dead_letters_can_be_read_like_any_mailbox(const Subject& subject) {
  NodeOptions options = options_for(subject);
  options.absent_time_to_live = 5ms;
  play(subject, options, [](Agent& me) -> Task<> {
    Body undertaking = [](Agent& undertaker) -> Task<> {
      const Message letter = co_await take(undertaker);
      const std::string text =
          std::string(letter.header("to").value_or("?")) + ": " + std::string(letter.text());
      co_await undertaker.send("main", text);
    };
    co_await me.send("nobody", "hello?");
    co_await start(me, across(me, Node::dead_letters()), undertaking);
    expect_equal(co_await hear(me), "nobody: hello?", "the letter");
  });
}

void a_timer_rings_or_is_called_off(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Timer timer(me);
    timer.set(5ms);
    const Time before = me.now();
    expect(co_await timer.rung(), "it rang");
    expect(me.now() - before >= 5ms, "not too early");
    timer.set(1h);
    auto cancelling = [](Agent& self, Timer& which) -> Task<> {
      co_await self.yield();
      which.cancel();
    };
    me.spawn(cancelling(me, timer));
    expect(!co_await timer.rung(), "it was called off");
  });
}

void acquaintances_are_known_to_have_arrived(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "ann"), deaf());
    const std::vector<Name> names = {"ann", "bob"};
    Acquaintances friends = co_await me.acquaint(names);
    expect_equal(friends.addresses().size(), 2u, "friends");
    expect(friends.here(friends.addresses()[0]), "ann is here");
    expect(!friends.here(friends.addresses()[1]), "bob is not");
    expect(!co_await friends.all_here(a_moment), "not all are here");
    co_await start(me, "bob", deaf());
    expect(co_await friends.all_here(soon), "all are here");
    co_await me.send(friends.addresses()[1], "hello");
  });
}

void an_acquaintances_end_is_told_however_soon_it_comes(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    const std::vector<Name> names = {"ann"};
    Acquaintances friends = co_await me.acquaint(names);
    const Address ann = friends.addresses()[0];
    const Body dying = [](Agent& self) -> Task<> {
      co_await self.yield();
      throw Crash("at once");
    };
    for (int life = 0; life < 3; ++life) {
      co_await start(me, across(me, "ann"), dying);
      co_await me.pause(1ms);
      const Ending ending = co_await friends.ending(ann);
      expect(ending.reason == EndReason::crashed, "it crashed");
      expect_equal(ending.text, std::string("at once"), "why");
    }
    expect_error(co_await error_of(friends.ending(me.self())), Errc::no_such_agent, "a stranger");
  });
}

void the_endings_of_several_names_are_told_in_one_place(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    const Body telling = [](Agent& self) -> Task<> {
      const std::string life =
          std::to_string(life_of(self).epoch) + "." + std::to_string(life_of(self).counter);
      co_await self.send("main", life);
      co_await self.receive();
      throw Crash("as told");
    };
    Endings endings(me);
    co_await start(me, across(me, "ann"), telling);
    expect(co_await endings.add("ann"), "ann is here");
    expect(!co_await endings.add("bob"), "bob is not");
    expect(!co_await endings.add("bob"), "and still is not");
    co_await start(me, across(me, "bob"), telling);
    expect(co_await endings.add("bob"), "now bob is");
    for (const char* who : {"bob", "ann"}) {
      const std::string life = co_await hear(me, from(who));
      co_await me.send(who, "die");
      const Ending ending = co_await endings.next();
      expect_equal(ending.name, Name(who), "who");
      expect(ending.reason == EndReason::crashed, "it crashed");
      expect_equal(std::to_string(ending.incarnation.epoch) + "." +
                       std::to_string(ending.incarnation.counter),
                   life, "in which life");
      expect(!endings.here(who), "it is gone");
    }
    endings.drop("ann");
    co_await start(me, across(me, "ann"), [](Agent&) -> Task<> { co_return; });
    co_await start(me, across(me, "bob"), [](Agent&) -> Task<> { co_return; });
    const Ending ending = co_await endings.next();
    expect_equal(ending.name, Name("bob"), "ann is not watched any more");
    expect(ending.reason == EndReason::stopped, "it returned");
  });
}

}  // namespace

Cases supervision_cases() {
  return {
      CORACLE_CASE(9, a_supervisor_makes_a_crashed_child_again),
      CORACLE_CASE(9, a_supervisor_gives_up_beyond_its_limit),
      CORACLE_CASE(9, a_supervisor_can_make_all_its_children_again),
      CORACLE_CASE(9, a_stop_lets_what_is_under_way_be_read),
      CORACLE_CASE(9, a_stop_tells_what_nobody_read),
      CORACLE_CASE(9, a_stop_names_the_agents_that_did_not_end),
      CORACLE_CASE(9, dead_letters_can_be_read_like_any_mailbox),
      CORACLE_CASE(9, a_timer_rings_or_is_called_off),
      CORACLE_CASE(9, acquaintances_are_known_to_have_arrived),
      CORACLE_CASE(9, an_acquaintances_end_is_told_however_soon_it_comes),
      CORACLE_CASE(9, the_endings_of_several_names_are_told_in_one_place),
  };
}

}  // namespace coracle::conformance
