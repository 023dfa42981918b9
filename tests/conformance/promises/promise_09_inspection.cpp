// Promise 9: an inspection shows what an agent waits for, on whatever node it runs.
#include "coracle/inspection.hpp"
#include "coracle/supervisor.hpp"
#include "play.hpp"

#include <future>

namespace coracle::conformance {

namespace {

using Wanted = std::function<bool(const Inspection&)>;

// Inspects the agent until the result is as wanted.
Task<Inspection> seen(Agent& me, Name who, Wanted is_wanted, const char* what) {
  const Time end = Deadline(soon).at(me.now());
  for (;;) {
    Task<Inspection> inspecting = inspect(me, who);
    Inspection found = co_await inspecting;
    if (is_wanted(found)) co_return found;
    expect(me.now() < end, std::string("an inspection never shows ") + what);
    co_await me.pause(70ms);  // a node may be asked 16 times in a second
  }
}

Wanted waiting_for(WaitFor what) {
  return [what](const Inspection& found) {
    return found.activity == Activity::waits && found.waits.front().what == what;
  };
}

// Takes the requests, and never replies.
Body silent() {
  return [](Agent& me) -> Task<> {
    std::vector<Message> kept;
    for (;;) kept.push_back(co_await me.receive());
  };
}

void an_inspection_shows_for_whose_reply_an_agent_waits(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "bob"), silent());
    Body asking = [](Agent& ann) -> Task<> {
      (void)co_await ann.ask_result("bob", "well?", Deadline(1h));
    };
    co_await start(me, "ann", asking);
    const Wanted wanted = waiting_for(WaitFor::reply);
    const Inspection ann = co_await seen(me, "ann", wanted, "the request");
    const Wait& wait = ann.waits.front();
    expect_equal(wait.whom, Name("bob"), "whom ann waits for");
    expect(wait.conversation != 0, "the conversation is known");
    expect(wait.since && !wait.is_at_least && *wait.since <= soon, "since when");
    expect(wait.left && *wait.left > 50min, "until when");
    expect_equal(ann.requests, 1u, "open requests");
    expect(ann.age && *ann.age <= soon, "how long it lives");
    expect_equal(ann.sent, 1u, "sent");
    const Wanted has_it = [](const Inspection& found) { return found.in_hand == 1; };
    const Inspection bob = co_await seen(me, "bob", has_it, "that bob has the request");
    expect(bob.waits.front().what == WaitFor::message, "bob reads on");
  });
}

void an_inspection_shows_which_messages_a_receive_wants(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body choosing = [](Agent& ann) -> Task<> {
      const Match wanted = from("bob") && in_conversation(7) && of_type("plan/v1");
      (void)co_await ann.receive(wanted, Deadline(1h));
    };
    co_await start(me, across(me, "ann"), choosing);
    co_await me.send("ann", "not that");
    const Wanted has_both = [](const Inspection& found) {
      return found.activity == Activity::waits && found.waiting == 1;
    };
    const Inspection ann = co_await seen(me, "ann", has_both, "the receive");
    const Wait& wait = ann.waits.front();
    expect(wait.what == WaitFor::message, "it receives");
    expect(wait.whom == Name("bob") && wait.conversation == 7 && wait.tests_content, "what");
    expect(wait.since && wait.left && *wait.left > 50min, "since when, and until when");
    expect_equal(ann.queued, 1u, "in the mailbox");
    expect_equal(ann.messages.front().source, "main", "from whom");
    expect_equal(ann.messages.front().text, "not that", "the text");
    const auto again = [](const Inspection& found) { return found.waiting == 1; };
    expect_equal((co_await seen(me, "ann", again, "the same")).queued, 1u, "it took nothing");
  });
}

void an_inspection_shows_who_waits_for_room(const Subject& subject) {
  NodeOptions options = options_for(subject);
  options.patience = 1h;
  play(subject, options, [](Agent& me) -> Task<> {
    AgentSpec spec = across(me, "full");
    spec.mailbox(room_for(2, Overflow::wait));
    co_await start(me, spec, deaf());
    Body sending = [](Agent& ann) -> Task<> { (void)co_await error_of(count_to(ann, "full", 5)); };
    co_await start(me, "ann", sending);
    const Wanted wanted = waiting_for(WaitFor::room);
    const Inspection ann = co_await seen(me, "ann", wanted, "the wait for room");
    expect_equal(ann.waits.front().whom, Name("full"), "whose mailbox is full");
    expect(ann.waits.front().since && !ann.waits.front().is_at_least, "since when");
    const Wanted has_two = [](const Inspection& found) { return found.queued == 2; };
    const Inspection full = co_await seen(me, "full", has_two, "the full mailbox");
    expect_equal(full.mailbox.messages(), 2u, "its limit");
    expect(full.waits.front().what == WaitFor::pause, "it pauses");
    expect(full.waits.front().left && full.waits.front().since, "since when, and until when");
  });
}

void an_inspection_shows_what_an_agent_shows_of_itself(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body showing = [](Agent& ann) -> Task<> {
      int count = 0;
      ann.show_state([&count] { return "count " + std::to_string(count); });
      for (; count < 2; ++count) co_await hear(ann);
      ann.show_state([]() -> std::string { throw Crash("no state"); });
      co_await hear(ann);
      co_await ann.join(Group("team"));
      ann.show_state([] { return std::string(100'000, 'x'); });
      co_await hear(ann, from("nobody"));
    };
    co_await start(me, across(me, "ann"), showing);
    const auto shows = [](std::string text) -> Wanted {
      return [text](const Inspection& found) { return found.state.starts_with(text); };
    };
    co_await seen(me, "ann", shows("count 0"), "the first state");
    co_await me.send("ann", "one");
    co_await seen(me, "ann", shows("count 1"), "the second state");
    co_await me.send("ann", "two");
    co_await seen(me, "ann", shows("its function for show_state() failed: no state"), "a failure");
    co_await me.send("ann", "three");
    const Inspection large = co_await seen(me, "ann", shows("xxx"), "a large state");
    expect_equal(large.state.size(), std::size_t{16} << 10, "the state is cut");
  });
}

// Fails its first request, and ends by an exception in its first life.
class Clumsy final : public Agent {
 public:
  Task<> run() override {
    (void)co_await error_of([](Agent& self) -> Task<> {
      (void)co_await self.ask("nobody/there", "well?", Deadline(1ms));
    }(*this));
    co_await send("main", "tried");
    Message message = co_await receive();
    message.acknowledge();
    throw Crash("it has slipped");
  }
};

void an_inspection_shows_the_last_errors_and_the_supervisor(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    auto boss = std::make_unique<Supervisor>();
    boss->child("kid", [] { return std::make_unique<Clumsy>(); });
    co_await me.adopt(across(me, "boss"), std::move(boss));
    co_await hear(me, from("kid"));
    co_await me.send("kid", "now");
    co_await hear(me, from("kid"));
    const Wanted wanted = [](const Inspection& found) { return found.restarts == 1; };
    const Inspection kid = co_await seen(me, "kid", wanted, "the restart");
    expect_equal(kid.supervisor, Name("boss"), "its supervisor");
    expect_equal(kid.errors.size(), 3u, "errors");
    expect_equal(kid.errors[1].text, "it ended by an exception: it has slipped", "the second");
    expect(kid.errors[0].text.find("nobody/there") != std::string::npos, kid.errors[0].text);
    expect(kid.errors[0].ago <= kid.errors[2].ago, "the latest comes first");
  });
}

void an_inspection_of_an_absent_agent_shows_what_waits_for_it(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Task<Inspection> first = inspect(me, "ann");
    const Inspection nobody = co_await first;
    expect(nobody.activity == Activity::absent && nobody.lease == 0, "nobody is there");
    co_await me.send("ann", "when you come");
    const Wanted has_one = [](const Inspection& found) { return found.waiting == 1; };
    const Inspection absent = co_await seen(me, "ann", has_one, "the message");
    expect(absent.activity == Activity::absent, "nobody is there");
    expect_equal(absent.messages.front().text, "when you come", "the text");
    expect(absent.waits.empty(), "nobody waits");
  });
}

void an_inspection_shows_that_an_agent_computes(const Subject& subject) {
  std::promise<void> goes_on;
  play(subject, [&goes_on](Agent& me) -> Task<> {
    Body computing = [&goes_on](Agent& ann) -> Task<> {
      const auto wait = [&goes_on] { goes_on.get_future().wait(); };
      co_await ann.compute(wait);
    };
    co_await start(me, across(me, "ann"), computing);
    const Wanted wanted = waiting_for(WaitFor::computation);
    std::exception_ptr failure;
    try {
      Task<Inspection> seeing = seen(me, "ann", wanted, "the computation");
      co_await seeing;
    } catch (...) {
      failure = std::current_exception();
    }
    goes_on.set_value();
    if (failure) std::rethrow_exception(failure);
  });
}

}  // namespace

Cases inspection_cases() {
  return {
      CORACLE_CASE(9, an_inspection_shows_for_whose_reply_an_agent_waits),
      CORACLE_CASE(9, an_inspection_shows_which_messages_a_receive_wants),
      CORACLE_CASE(9, an_inspection_shows_who_waits_for_room),
      CORACLE_CASE(9, an_inspection_shows_what_an_agent_shows_of_itself),
      CORACLE_CASE(9, an_inspection_shows_the_last_errors_and_the_supervisor),
      CORACLE_CASE(9, an_inspection_of_an_absent_agent_shows_what_waits_for_it),
      CORACLE_CASE_NEEDS(9, an_inspection_shows_that_an_agent_computes, threads),
  };
}

}  // namespace coracle::conformance
