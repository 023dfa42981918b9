// The end of agents that wait for each other's calls, on every realization: one of them gets an
// error that names the agents of the circle; all others go on.
#include "rpc_ground.hpp"
#include "support/suites.hpp"

#include <atomic>

namespace coracle::rpc::test {

namespace {

void a_call_of_oneself_is_a_circle(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "desk", serving());
    Stub<Desk> desk(me, "desk");
    const auto name = co_await desk.pass.result("desk");
    expect_error(name, Errc::refused, "its own call failed");
    const std::string sentence = name.error().sentence();
    expect(sentence.find("circle") != std::string::npos, sentence);
    expect_equal(co_await desk.name(), std::string("desk"), "it goes on");
  });
}

void a_service_that_works_on_two_calls_can_call_itself(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "desk", serving({.at_once = 2}));
    Stub<Desk> desk(me, "desk");
    expect_equal(co_await desk.pass("desk"), std::string("desk"), "through itself");
    co_await start(me, "other", serving({.at_once = 2}));
    expect_equal(co_await desk.pass("other"), std::string("other"), "through another");
  });
}

// On each call of its function, calls the next agent for its name.
struct Linked {
  Agent& me;
  std::string next;
  std::atomic<int>& made;
  Task<std::string> name() const {
    ++made;
    Stub<Desk> desk(me, next);
    co_return co_await desk.name();
  }
};

Body linked(std::string next, std::atomic<int>& made) {
  return [next, &made](Agent& me) -> Task<> {
    Linked object{me, next, made};
    Desk<AtServer<Linked>> offers;
    offers.name = &Linked::name;
    Service<Desk, Linked> service(me, object, offers);
    co_await service.run();
  };
}

// "a" calls "b", whose function calls "c", whose function calls "a".
Task<> call_in_a_circle(Agent& me, std::atomic<int>& made) {
  for (const auto& [name, next] : {std::pair("a", "b"), {"b", "c"}, {"c", "a"}}) {
    const Body body = linked(next, made);
    co_await start(me, name, body);
  }
  Stub<Desk> desk(me, "a");
  const auto name = co_await desk.name.result();
  expect_error(name, Errc::refused, "one of them found it");
  const std::string sentence = name.error().sentence();
  for (const char* each : {"'a'", "'b'", "'c'", "wait"}) {
    expect(sentence.find(each) != std::string::npos, sentence);
  }
}

void calls_that_come_back_to_who_waits_are_a_circle(Place& place) {
  std::atomic<int> made{0};
  place.run([&made](Agent& me) -> Task<> { co_await call_in_a_circle(me, made); });
}

void a_circle_that_has_failed_does_not_begin_again() {
  std::atomic<int> made{0};
  Place place(grounds().front());
  place.run([&made](Agent& me) -> Task<> {
    co_await call_in_a_circle(me, made);
    for (int turns = 0; turns < 1000; ++turns) co_await me.yield();
    expect_equal(made.load(), 3, "calls");
  });
}

// Each agent calls the next one before any of them serves: one call fails, the others get their
// replies.
void calls_in_a_circle_that_began_at_the_same_time_end(Place& place) {
  place.run([](Agent& me) -> Task<> {
    const std::vector<std::string> names = {"a", "b", "c"};
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string next = names[(i + 1) % names.size()];
      const Body body = [next](Agent& caller) -> Task<> {
        (void)co_await caller.receive(says("go"));
        std::string said = "ok";
        {
          Stub<Desk> desk(caller, next);
          const Result<std::string> name = co_await desk.name.result();
          if (!name) said = name.error().errc() == Errc::deadlock ? "" : "!";
          if (!name) said += name.error().sentence();
        }
        co_await caller.send("main", said);
        Clerk clerk(caller);
        Service<Desk, Clerk> service(caller, clerk, all_functions());
        co_await service.run();
      };
      co_await start(me, names[i], body);
    }
    for (const std::string& name : names) co_await me.send(name, "go");
    int failed = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Message said = co_await me.receive();
      if (said.text() == "ok") continue;
      ++failed;
      const std::string sentence(said.text());
      for (const std::string& name : names) {
        expect(sentence.find("'" + name + "'") != std::string::npos, sentence);
      }
      expect(sentence.front() != '!', sentence);
    }
    expect_equal(failed, 1, "those that fail");
  });
}

void what_is_called_but_not_awaited_is_no_circle(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "back", [](Agent& caller) -> Task<> {
      Clerk clerk(caller);
      Service<Desk, Clerk> service(caller, clerk, all_functions());
      co_await service.run();
    });
    Stub<Desk> back(me, "back");
    auto call = back.pass.begin("main");  // it calls us; we serve that call before we await it
    struct Once {
      Service<Desk, Once>* service = nullptr;
      std::string name() const {
        service->retire();
        return "main";
      }
    } once;
    Desk<AtServer<Once>> offers;
    offers.name = &Once::name;
    Service<Desk, Once> service(me, once, offers);
    once.service = &service;
    co_await service.run();
    expect_equal(co_await call, std::string("main"), "through us");
  });
}

const bool registered_rpc_circles =
    on_every_ground("rpc_circles", {GROUND_CASE(a_call_of_oneself_is_a_circle),
                                    GROUND_CASE(a_service_that_works_on_two_calls_can_call_itself),
                                    GROUND_CASE(calls_that_come_back_to_who_waits_are_a_circle),
                                    GROUND_CASE(calls_in_a_circle_that_began_at_the_same_time_end),
                                    GROUND_CASE(what_is_called_but_not_awaited_is_no_circle)});

const bool on_one_worker =
    coracle::test::register_suite("rpc_circles", "on_one_worker",
                                  {{"a_circle_that_has_failed_does_not_begin_again",
                                    a_circle_that_has_failed_does_not_begin_again}});

}  // namespace

}  // namespace coracle::rpc::test
