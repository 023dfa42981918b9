// The handling of many calls by a service, on every realization.
#include "rpc_ground.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace coracle::rpc::test {

namespace {

// Counts the calls inside, from any thread.
struct Room {
  std::atomic<int> inside{0};
  std::atomic<int> most{0};

  void enter() {
    const int now = ++inside;
    int before = most.load();
    while (before < now && !most.compare_exchange_weak(before, now)) continue;
  }
  void leave() { --inside; }
};

struct Worker {
  Agent& me;
  Room* room;

  Task<std::string> wait(std::string text) {
    room->enter();
    co_await me.send("main", "begun");
    co_await me.receive(says(text));
    room->leave();
    co_return text;
  }
};

void so_many_calls_are_worked_on_at_the_same_time(Place& place) {
  Room room;
  place.run([&room](Agent& me) -> Task<> {
    co_await start(me, "desk", [&room](Agent& worker_agent) -> Task<> {
      Worker worker{worker_agent, &room};
      Desk<AtServer<Worker>> offers;
      offers.wait = &Worker::wait;
      Service<Desk, Worker> service(worker_agent, worker, offers, {.at_once = 3});
      co_await service.run();
    });
    Stub<Desk> desk(me, "desk");
    std::vector<decltype(desk.wait.begin(""))> calls;
    for (int i = 0; i < 8; ++i) calls.push_back(desk.wait.begin("go"));
    for (int begun = 0; begun < 3; ++begun) (void)co_await me.receive(says("begun"));
    for (int begun = 3; begun < 8; ++begun) {
      co_await me.send("desk", "go");
      (void)co_await me.receive(says("begun"));
    }
    for (int i = 0; i < 3; ++i) co_await me.send("desk", "go");
    for (auto& call : calls) (void)co_await call;
  });
  expect_equal(room.most.load(), 3, "calls at the same time");
}

// Notes the order of the calls of each caller; the first calls of two callers overlap.
struct Diary {
  Agent& me;
  std::vector<Address> inside;
  std::vector<Address> known;
  std::vector<std::string> notes;

  Task<std::string> wait(const Incoming& call, std::string note) {
    expect(std::find(inside.begin(), inside.end(), call.source()) == inside.end(),
           "one call of each caller");
    inside.push_back(call.source());
    if (std::find(known.begin(), known.end(), call.source()) == known.end()) {
      known.push_back(call.source());
    }
    while (known.size() < 2) co_await me.pause(1ms);
    co_await me.yield();
    notes.push_back(note);
    std::erase(inside, call.source());
    co_return note;
  }
  std::string name() const {
    std::string all;
    for (const std::string& note : notes) all += note;
    return all;
  }
};

void callers_take_turns_if_the_service_says_so(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "desk", [](Agent& diary_agent) -> Task<> {
      Diary diary{diary_agent, {}, {}, {}};
      Desk<AtServer<Diary>> offers;
      offers.name = &Diary::name;
      offers.wait = &Diary::wait;
      Service<Desk, Diary> service(diary_agent, diary, offers,
                                   {.at_once = 4, .turns = Turns::one_per_caller});
      co_await service.run();
    });
    const auto caller = [](std::string notes) {
      return [notes](Agent& writer) -> Task<> {
        Stub<Desk> desk(writer, "desk");
        std::vector<decltype(desk.wait.begin(""))> calls;
        for (const char note : notes) calls.push_back(desk.wait.begin(std::string(1, note)));
        for (auto& call : calls) (void)co_await call;
        co_await writer.send("main", "written");
      };
    };
    const Body ann = caller("abcdefgh");
    const Body bob = caller("12345678");
    co_await start(me, "ann", ann);
    co_await start(me, "bob", bob);
    for (int i = 0; i < 2; ++i) (void)co_await me.receive(says("written"));
    Stub<Desk> desk(me, "desk");
    const std::string all = co_await desk.name();
    std::string letters;
    std::string digits;
    for (const char note : all) (note < 'a' ? digits : letters) += note;
    expect_equal(letters, std::string("abcdefgh"), "the order of one");
    expect_equal(digits, std::string("12345678"), "the order of the other");
  });
}

void a_service_retires_after_the_calls_that_it_has_begun(Place& place) {
  place.run([](Agent& me) -> Task<> {
    for (const std::uint32_t at_once : {1U, 3U}) {
      const std::string name = "desk" + std::to_string(at_once);
      co_await start(me, name, [at_once](Agent& clerk_agent) -> Task<> {
        struct Tired {
          Agent& me;
          Service<Desk, Tired>* service = nullptr;
          void fail(const std::string&) const { service->retire(); }
          Task<std::string> wait(std::string text) const {
            co_await me.send("main", "begun");
            const Message said = co_await me.receive(says(text));
            co_return text;
          }
        } tired{clerk_agent};
        Desk<AtServer<Tired>> offers;
        offers.fail = &Tired::fail;
        offers.wait = &Tired::wait;
        Service<Desk, Tired> service(clerk_agent, tired, offers, {.at_once = at_once});
        tired.service = &service;
        co_await service.run();
        co_await clerk_agent.send("main", std::to_string(service.served().answered));
      });
      Stub<Desk> desk(me, name);
      std::optional<decltype(desk.wait.begin(""))> begun;
      if (at_once > 1) {
        begun.emplace(desk.wait.begin("go"));
        (void)co_await me.receive(says("begun"));
      }
      co_await desk.fail("");
      if (begun) {
        co_await me.send(name, "go");
        expect_equal(co_await *begun, std::string("go"), "what it had begun");
      }
      const Message count = co_await me.receive(from(name.c_str()));
      expect_equal(std::string(count.text()), std::string(at_once > 1 ? "2" : "1"), "answers");
    }
  });
}

void what_is_not_a_call_stays_in_the_mailbox(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "desk", serving());
    Stub<Desk> desk(me, "desk");
    auto call = desk.wait.begin("the word");
    co_await me.send("desk", "another word");
    co_await me.send("desk", "the word");
    expect_equal(co_await call, std::string("the word"), "it is the agent's own to read");
  });
}

void calls_that_are_overheard_are_not_served_twice(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "desk", serving());
    co_await start(me, "spy", [](Agent& spy) -> Task<> {
      Clerk clerk(spy);
      (void)co_await spy.overhear(Pattern().target_is("desk"));
      co_await spy.send("main", "ready");
      Service<Desk, Clerk> service(spy, clerk, all_functions());
      spy.spawn(service.run());
      const Message heard =
          co_await spy.receive(that([](const MessageView& m) { return m.overheard(); }));
      co_await spy.send("main", std::string(heard.content().type()));
      const Message end = co_await spy.receive(says("how many"));
      co_await spy.send("main", std::to_string(service.served().answered));
    });
    (void)co_await me.receive(says("ready"));
    Stub<Desk> desk(me, "desk");
    expect_equal(co_await desk.add(1, 2), 3, "the answer");
    const Message type = co_await me.receive(from("spy"));
    expect_equal(std::string(type.text()), std::string("rpc/call/add"), "what was heard");
    co_await me.send("spy", "how many");
    const Message count = co_await me.receive(from("spy"));
    expect_equal(std::string(count.text()), std::string("0"), "calls that the spy answered");
  });
}

const bool registered_rpc_service = on_every_ground(
    "rpc_service", {GROUND_CASE(so_many_calls_are_worked_on_at_the_same_time),
                    GROUND_CASE(callers_take_turns_if_the_service_says_so),
                    GROUND_CASE(a_service_retires_after_the_calls_that_it_has_begun),
                    GROUND_CASE(what_is_not_a_call_stays_in_the_mailbox),
                    GROUND_CASE(calls_that_are_overheard_are_not_served_twice)});

}  // namespace

}  // namespace coracle::rpc::test
