// Agents that die while they wait, take or observe, and spaces that restart, on every realization:
// no tuple is lost by that.
#include "ground.hpp"

namespace coracle::tuples {

namespace {

Task<> take_one(Agent& ann, bool& begun) {
  Space board(ann, "board");
  begun = true;
  (void)co_await board.in("x", any<int>);
  co_await board.out("ann has it");
}

// Waits for ("x", any number), and dies on request. Reports when it waits.
Body doomed() {
  return [](Agent& ann) -> Task<> {
    bool begun = false;
    ann.spawn(take_one(ann, begun));
    while (!begun) co_await ann.yield();
    Space board(ann, "board");
    (void)co_await board.rdp("nothing");
    co_await ann.send("main", "waits");
    (void)co_await ann.receive(from("main"));
    throw Crash();
  };
}

Task<> end_of(Agent& me, Name who) {
  co_await me.send(who, "die");
  try {
    (void)co_await me.watch(who);
  } catch (const Error& error) {
    if (error.errc() != Errc::no_such_agent) throw;
  }
}

void whoever_dies_while_waiting_takes_nothing(Meadow& meadow) {
  meadow.run([](Agent& me) -> Task<> {
    Space board(me, "board");
    for (int i = 0; i < 3; ++i) {
      const std::string who = "ann/" + std::to_string(i);
      co_await start(me, who, doomed());
      (void)co_await me.receive();
      co_await end_of(me, who);
    }
    for (int i = 0; i < 3; ++i) co_await board.out("x", i);
    for (int i = 0; i < 3; ++i) {
      expect_equal(std::get<1>(co_await board.in("x", any<int>)), i, "each is there");
    }
    expect(!co_await board.inp("ann has it"), "the dead have taken none");
  });
  expect_equal(meadow.given_back(), 3, "each came back once");
}

void an_old_waiter_that_died_does_not_keep_the_tuple_from_a_younger_one(Meadow& meadow) {
  meadow.run([](Agent& me) -> Task<> {
    co_await start(me, "ann", doomed());
    (void)co_await me.receive();
    Body bob = [](Agent& him) -> Task<> {
      Space board(him, "board");
      const auto [what, number] = co_await board.in("x", any<int>);
      co_await him.send("main", std::to_string(number));
    };
    co_await start(me, "bob", bob);
    co_await end_of(me, "ann");
    Space board(me, "board");
    co_await board.out("x", 5);
    const auto message = co_await me.receive(from("bob"), Deadline(soon));
    expect(message && message->text() == "5", "bob has it");
  });
}

void those_who_died_while_waiting_are_forgotten_and_the_others_wait_on(Meadow& meadow) {
  TupleSpaceOptions options;
  options.waiting = 2;
  options.ask_again = 20ms;
  const auto body = [](Agent& me) -> Task<> {
    Space board(me, "board");
    Body lives = [](Agent& bob) -> Task<> {
      Space there(bob, "board");
      (void)co_await there.in("y");
      co_await bob.send("main", "has it");
    };
    co_await start(me, "bob", lives);
    for (int i = 0; i < 3; ++i) {
      const std::string who = "ann/" + std::to_string(i);
      co_await start(me, who, doomed());
      (void)co_await me.receive();
      co_await end_of(me, who);
      co_await me.pause(60ms);
    }
    co_await board.out("y");
    const auto message = co_await me.receive(from("bob"), Deadline(soon));
    expect(message.has_value(), "bob has waited all the time");
    co_await board.out("x", 1);
    expect(co_await board.inp("x", any<int>), "nobody waits for it");
  };
  meadow.run(body, options);
}

void requests_wait_for_a_space_that_is_not_there_yet(Meadow& meadow) {
  meadow.run([&meadow](Agent& me) -> Task<> {
    Body early = [](Agent& ann) -> Task<> {
      Space late(ann, "late");
      co_await late.out("x", 1);
      co_await ann.send("main", "out");
    };
    co_await start(me, "ann", early);
    Space late(me, "late");
    expect(!co_await late.in(Deadline(1ms), "x", any<int>), "it is not there within its time");
    co_await meadow.place(me, "late", std::make_unique<TupleSpace>());
    (void)co_await me.receive(from("ann"), Deadline(soon));
    expect_equal(std::get<1>(co_await late.in("x", any<int>)), 1, "what ann has put out");
  });
}

// A space that crashes on request.
class FrailSpace : public TupleSpace {
 public:
  Task<> run() override {
    spawn(die());
    co_await work_as_space();
  }

 private:
  Task<> die() {
    (void)co_await receive(from("killer"));
    throw Crash("a space dies");
  }
};

void an_in_that_waits_goes_on_waiting_at_the_next_space_of_that_name(Meadow& meadow) {
  meadow.run([&meadow](Agent& me) -> Task<> {
    co_await meadow.place(me, "frail", std::make_unique<FrailSpace>());
    Body waits = [](Agent& ann) -> Task<> {
      Space frail(ann, "frail");
      for (;;) {
        try {
          (void)co_await frail.in("x");
          break;
        } catch (const Error& error) {
          // It is notified of the end of the space; or the next space reads its request.
          const bool ended = error.errc() == Errc::peer_down || error.errc() == Errc::agent_failed;
          if (!ended) throw;
        }
      }
      co_await ann.send("main", "has it");
    };
    co_await start(me, "ann", waits);
    Space frail(me, "frail");
    co_await frail.out("lost");
    Body kills = [](Agent& killer) -> Task<> { co_await killer.send("frail", "die"); };
    co_await start(me, "killer", kills);
    try {
      (void)co_await me.watch("frail");
    } catch (const Error& error) {
      if (error.errc() != Errc::no_such_agent) throw;
    }
    co_await meadow.place(me, "frail", std::make_unique<TupleSpace>());
    co_await frail.out("x");
    expect(co_await me.receive(from("ann"), Deadline(soon)), "ann has it");
    expect(!co_await frail.rdp("lost"), "a space that is not durable begins empty");
  });
}

void the_end_of_notices_waits_no_longer_than_its_deadline_for_a_space_that_has_gone(
    Meadow& meadow) {
  meadow.run([&meadow](Agent& me) -> Task<> {
    co_await meadow.place(me, "frail", std::make_unique<FrailSpace>());
    Space frail(me, "frail");
    co_await frail.out("y");
    auto notices = co_await frail.notify(Lease{1h}, "x");
    Body kills = [](Agent& killer) -> Task<> { co_await killer.send("frail", "die"); };
    co_await start(me, "killer", kills);
    try {
      (void)co_await me.watch("frail");
    } catch (const Error& error) {
      if (error.errc() != Errc::no_such_agent) throw;
    }
    co_await notices.end(Deadline(5ms));
    expect(!co_await notices.next(Deadline(1ms)), "there are no notices");
  });
}

[[maybe_unused]] const bool registered_dying = on_every_ground(
    "dying",
    {GROUND_CASE(whoever_dies_while_waiting_takes_nothing),
     GROUND_CASE(an_old_waiter_that_died_does_not_keep_the_tuple_from_a_younger_one),
     GROUND_CASE(those_who_died_while_waiting_are_forgotten_and_the_others_wait_on),
     GROUND_CASE(requests_wait_for_a_space_that_is_not_there_yet),
     GROUND_CASE(an_in_that_waits_goes_on_waiting_at_the_next_space_of_that_name),
     GROUND_CASE(the_end_of_notices_waits_no_longer_than_its_deadline_for_a_space_that_has_gone)});

}  // namespace

}  // namespace coracle::tuples
