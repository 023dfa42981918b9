// Remote calls, on every realization: each call ends once, and its error describes how.
#include "rpc_ground.hpp"

#include <atomic>

namespace coracle::rpc::test {

namespace {

void a_call_gives_its_value(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "desk", serving());
    Stub<Desk> desk(me, "desk");
    expect_equal(co_await desk.add(2, 3), 5, "a sum");
    const Route route{"here", "there", {"some", "stops"}};
    const std::vector<std::string> stops = co_await desk.plan(route);
    expect(stops == std::vector<std::string>{"here", "some", "stops", "there"}, "a plan");
    expect_equal(co_await desk.name(), std::string("desk"), "no arguments");
    const std::optional<std::string> none = co_await desk.find("somebody else");
    expect(!none, "an answer without anything in it");
    const Result<std::int64_t> sum = co_await desk.add.result(-1, 1);
    expect_equal(sum.value(), 0, "as a result");
  });
}

void what_a_function_throws_is_its_callers_error(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "desk", serving());
    Stub<Desk> desk(me, "desk");
    const Result<void> refused = co_await desk.fail.result("out of paper");
    expect_error(refused, Errc::refused, "an application's error");
    const std::string sentence = refused.error().sentence();
    expect(sentence.find("'fail' of 'desk'") != std::string::npos, sentence);
    expect(sentence.find("out of paper") != std::string::npos, sentence);
    const Result<void> strange = co_await desk.fail.result("strange");
    expect_error(strange, Errc::refused, "not even an exception of the standard library");
    bool thrown = false;
    try {
      co_await desk.fail("again");
    } catch (const Error& error) {
      thrown = error.errc() == Errc::refused;
    }
    expect(thrown, "it is thrown where it is not a result");
    expect_equal(co_await desk.add(1, 1), 2, "the server goes on");
  });
}

// The same names, other types, and more functions.
template <class Side>
struct OtherDesk {
  Function<Side, "add", std::string(std::string)> add;
  Function<Side, "name", Route()> name;
  Function<Side, "subtract", std::int64_t(std::int64_t)> subtract;
  Function<Side, "count", std::int64_t(std::int64_t)> count;
};

void a_call_that_the_server_does_not_know_is_named(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "desk", serving());
    Stub<OtherDesk> other(me, "desk");
    const auto subtract = co_await other.subtract.result(1);
    expect_error(subtract, Errc::no_such_function, "not in the interface");
    expect(subtract.error().sentence().find("subtract") != std::string::npos, "it is named");
    const auto count = co_await other.count.result(1);
    expect_error(count, Errc::no_such_function, "a stream is called as if it were none");
    const auto add = co_await other.add.result("one and one");
    expect_error(add, Errc::wrong_type, "other arguments");
    const auto name = co_await other.name.result();
    expect_error(name, Errc::wrong_type, "another answer");
    Stub<Desk> desk(me, "desk");
    expect_equal(co_await desk.add(1, 1), 2, "the server goes on");
    expect_equal(co_await desk.name(), std::string("desk"), "nothing is given back");
  });
}

void a_function_that_is_not_offered_is_named(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "desk", [](Agent& clerk_agent) -> Task<> {
      Clerk clerk(clerk_agent);
      Desk<AtServer<Clerk>> offers;
      offers.add = &Clerk::add;
      Service<Desk, Clerk> service(clerk_agent, clerk, offers);
      co_await service.run();
    });
    Stub<Desk> desk(me, "desk");
    const auto name = co_await desk.name.result();
    expect_error(name, Errc::no_such_function, "not offered");
    Stream<std::int64_t> numbers = desk.count(0, 3);
    bool failed = false;
    try {
      (void)co_await numbers.next();
    } catch (const Error& error) {
      failed = error.errc() == Errc::no_such_function;
    }
    expect(failed, "a stream that is not offered");
    expect_equal(co_await desk.add(1, 1), 2, "the others are");
  });
}

void damaged_content_harms_nobody(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "desk", serving());
    Stub<Desk> desk(me, "desk");
    const std::vector<std::vector<unsigned char>> pieces = {
        {}, {0xff}, {0x82, 1}, {0x81, 0x82, 1}, {0x9f}, {0xf6}, {0x5b, 255, 255, 255, 255, 1}};
    for (const char* type : {"rpc/call/add", "rpc/call/plan", "rpc/open/count", "rpc/more",
                             "rpc/enough", "rpc/call/", "rpc/", "rpc/retire", "rpc/answer/add"}) {
      for (const auto& piece : pieces) {
        const Content content = Content::bytes(std::as_bytes(std::span(piece)), type);
        const Message answer = co_await me.ask("desk", content);
        const bool says_why = answer.content().type() == "rpc/failure";
        expect(says_why || answer.content().empty(), "it is answered, but not by a value");
        co_await me.send("desk", content);
      }
    }
    expect_equal(co_await desk.add(1, 1), 2, "the server goes on");
  });
}

// Works on its first call until the deadline has passed, and replies when "go" arrives.
class Patient {
 public:
  Patient(Agent& me, std::atomic<unsigned>& begun) : me_(me), begun_(begun) {}

  Task<std::string> wait(const Incoming& call, std::string) {
    expect(call.wants_answer(), "somebody waits for it");
    if (++begun_ > 1) co_return "";
    while (!call.expired()) co_await me_.pause(1ms);
    has_seen_ = true;
    (void)co_await me_.receive(says("go"));
    co_return "";
  }
  std::string name() const { return has_seen_ ? "seen" : "not seen"; }

 private:
  Agent& me_;
  std::atomic<unsigned>& begun_;
  bool has_seen_ = false;
};

// Calls a desk with longer and longer deadlines until a call has begun; returns the error.
Task<std::string> call_too_long(Agent& me, std::atomic<unsigned>& begun) {
  co_await start(me, "desk", [&begun](Agent& desk_agent) -> Task<> {
    Patient patient(desk_agent, begun);
    Desk<AtServer<Patient>> offers;
    offers.name = &Patient::name;
    offers.wait = &Patient::wait;
    Service<Desk, Patient> service(desk_agent, patient, offers);
    co_await service.run();
  });
  Stub<Desk> desk(me, "desk");
  for (Duration within = 30ms; begun == 0; within *= 4) {
    const auto late = co_await desk.wait.by(within).result("");
    expect_error(late, Errc::expired, "the deadline");
  }
  co_await me.send("desk", "go");
  co_return co_await desk.name();
}

void after_the_deadline_nobody_waits_and_a_late_answer_is_counted(Place& place) {
  std::atomic<unsigned> begun{0};
  const StopReport report = place.run([&begun](Agent& me) -> Task<> {
    (void)co_await call_too_long(me, begun);  // behind the late reply
  });
  // The call's request was handed out in time, so its outcome is good.
  const auto dropped = report.ledger.dropped[static_cast<std::size_t>(DropReason::late_reply)];
  expect_equal(dropped, begun.load(), "late answers");
}

void a_call_whose_deadline_passes_in_the_mailbox_is_not_begun(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "desk", [](Agent& clerk_agent) -> Task<> {
      Clerk clerk(clerk_agent);
      Service<Desk, Clerk> service(clerk_agent, clerk, all_functions());
      clerk_agent.spawn(service.run());
      co_await clerk_agent.receive(says("arrived?"));
      co_await clerk_agent.send("main", "arrived");
      co_await clerk_agent.receive(says("how many"));
      co_await clerk_agent.send("main", std::to_string(clerk.added()));
      co_await clerk_agent.receive(says("end"));
    });
    Stub<Desk> desk(me, "desk", {.within = 20ms});
    auto busy = desk.wait.by(Deadline::never()).begin("go");
    const auto late = co_await desk.add.result(1, 1);
    expect_error(late, Errc::expired, "the stub's own deadline");
    // At the server, the time of a call is counted from its arrival.
    co_await me.send("desk", "arrived?");
    (void)co_await me.receive(says("arrived"));
    co_await me.pause(25ms);
    co_await me.send("desk", "go");
    expect_equal(co_await busy, std::string("go"), "the one that kept it busy");
    co_await me.send("desk", "how many");
    const Message count = co_await me.receive(from("desk"));
    expect_equal(std::string(count.text()), std::string("0"), "sums that were made");
    co_await me.send("desk", "end");
  });
}

void a_function_sees_that_its_deadline_has_passed(Place& place) {
  std::atomic<unsigned> begun{0};
  place.run([&begun](Agent& me) -> Task<> {
    const std::string name = co_await call_too_long(me, begun);
    expect_equal(name, std::string("seen"), "by the function");
  });
}

void a_server_that_ends_ends_the_call(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "desk", [](Agent& clerk_agent) -> Task<> {
      Clerk clerk(clerk_agent);
      Service<Desk, Clerk> service(clerk_agent, clerk, all_functions(), {.at_once = 2});
      clerk_agent.spawn(service.run());
      co_await clerk_agent.receive(says("crash"));
      throw Crash();
    });
    Stub<Desk> desk(me, "desk");
    auto call = desk.wait.begin("never");
    expect_equal(co_await desk.name(), std::string("desk"), "behind the call, which has begun");
    co_await start(me, "other", serving());
    co_await me.send("desk", "crash");
    std::optional<Error> error;
    try {
      (void)co_await call;
    } catch (const Error& known) {
      error = known;
    }
    expect_error(error, Errc::agent_failed, "it crashed over the call");
    Stub<Desk> other(me, "other");
    expect_equal(co_await other.name(), std::string("other"), "others answer");
  });
}

void a_call_can_be_cancelled(Place& place) {
  const StopReport report = place.run([](Agent& me) -> Task<> {
    co_await start(me, "desk", serving());
    Stub<Desk> desk(me, "desk");
    auto call = desk.wait.begin("go");
    expect(!call.ended(), "it is under way");
    call.cancel();
    std::optional<Error> error;
    try {
      (void)co_await call;
    } catch (const Error& known) {
      error = known;
    }
    expect_error(error, Errc::cancelled, "by its caller");
    { const auto forgotten = desk.wait.begin("go"); }
    co_await me.send("desk", "go");
    co_await me.send("desk", "go");
    expect_equal(co_await desk.add(1, 1), 2, "behind the late answers");
  });
  const auto dropped = report.ledger.dropped[static_cast<std::size_t>(DropReason::late_reply)];
  expect_equal(dropped, 2U, "late answers");
}

void many_calls_can_be_under_way(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "desk", serving());
    Stub<Desk> desk(me, "desk");
    std::vector<decltype(desk.add.begin(0, 0))> calls;
    for (int i = 0; i < 100; ++i) calls.push_back(desk.add.begin(i, i));
    for (int i = 99; i >= 0; --i) expect_equal(co_await calls[i], 2 * i, "each has its answer");
  });
}

void a_call_without_an_answer_is_made_in_its_turn(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "desk", serving());
    Stub<Desk> desk(me, "desk");
    co_await desk.fail.tell("nobody hears of it");
    auto waiting = desk.wait.begin("go");
    co_await desk.wait.tell("then");
    auto sum = desk.add.begin(1, 1);
    co_await me.send("desk", "go");
    expect_equal(co_await waiting, std::string("go"), "the first call");
    expect(!sum.ended(), "the one that nobody waits for keeps the others waiting");
    co_await me.send("desk", "then");
    expect_equal(co_await sum, 2, "the last call");
  });
}

const bool registered_rpc_calls = on_every_ground(
    "rpc_calls",
    {GROUND_CASE(a_call_gives_its_value), GROUND_CASE(what_a_function_throws_is_its_callers_error),
     GROUND_CASE(a_call_that_the_server_does_not_know_is_named),
     GROUND_CASE(a_function_that_is_not_offered_is_named),
     GROUND_CASE(damaged_content_harms_nobody),
     GROUND_CASE(after_the_deadline_nobody_waits_and_a_late_answer_is_counted),
     GROUND_CASE(a_call_whose_deadline_passes_in_the_mailbox_is_not_begun),
     GROUND_CASE(a_function_sees_that_its_deadline_has_passed),
     GROUND_CASE(a_server_that_ends_ends_the_call), GROUND_CASE(a_call_can_be_cancelled),
     GROUND_CASE(many_calls_can_be_under_way),
     GROUND_CASE(a_call_without_an_answer_is_made_in_its_turn)});

}  // namespace

}  // namespace coracle::rpc::test
