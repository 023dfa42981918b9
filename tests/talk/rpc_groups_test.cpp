// One call to several agents, and calls with many replies, on every realization.
#include "rpc_ground.hpp"

#include <algorithm>

namespace coracle::rpc::test {

namespace {

const std::vector<Name> three = {"one", "two", "three"};

Task<> start_three(Agent& me) {
  for (const Name& name : three) {
    co_await start(me, name, [](Agent& member) -> Task<> {
      co_await member.join(group("desks"));
      co_await member.send("main", "joined");
      Clerk clerk(member);
      Service<Desk, Clerk> service(member, clerk, all_functions());
      co_await service.run();
    });
    (void)co_await me.receive(says("joined"));
  }
}

void all_of_a_list_or_a_group_are_called(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start_three(me);
    Stubs<Desk> listed(me, three);
    Stubs<Desk> grouped(me, group("desks"));
    for (Stubs<Desk>* desks : {&listed, &grouped}) {
      const Answers<std::string> names = co_await desks->name(Collect::all());
      expect(names.enough, "all have answered");
      expect_equal(names.all.size(), 3U, "answers");
      for (const auto& [who, name] : names.all) {
        expect_equal(name.value(), who.str(), "each for itself");
      }
    }
    const std::vector<Name> none;
    Stubs<Desk> nobody(me, none);
    expect((co_await nobody.name(Collect::all())).enough, "all of nobody");
    expect(!(co_await nobody.name(Collect::first())).enough, "the first of nobody");
  });
}

// Returns whether an agent that is present has not replied in time.
bool was_hurried(const Answers<std::string>& names) {
  return std::any_of(names.all.begin(), names.all.end(), [](const auto& each) {
    return each.who.view() != "nobody" && !each.result &&
           each.result.error().errc() == Errc::expired;
  });
}

void whoever_fails_is_named_and_keeps_nobody_from_answering(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start_three(me);
    const std::vector<Name> four = {"one", "two", "nobody", "three"};
    Duration within = 50ms;
    Answers<std::string> names;
    Answers<std::string> by_then;
    do {
      Stubs<Desk> unhurried(me, four, {.within = within});
      names = co_await unhurried.name(Collect::all());
      by_then = co_await unhurried.name(Collect::until_deadline());
      within *= 8;
    } while (was_hurried(names) || was_hurried(by_then));
    expect(!names.enough, "one is missing");
    expect_equal(names.all.size(), 4U, "ends");
    for (const auto& [who, name] : names.all) {
      if (who.view() == "nobody") expect_error(name, Errc::expired, "nobody");
      else expect_equal(name.value(), who.str(), "the others");
    }
    expect(by_then.enough && by_then.all.size() == 4, "whatever has come is enough");
    Stubs<Desk> desks(me, four, {.within = 50ms});
    const Answers<void> failed = co_await desks.fail(Collect::first(), "no");
    expect(!failed.enough, "nobody has a value");
    const Answers<std::string> many = co_await desks.name(Collect::at_least(5));
    expect(!many.enough && many.all.empty(), "more than there are cannot come");
  });
}

void the_first_answers_can_be_enough(Place& place) {
  const StopReport report = place.run([](Agent& me) -> Task<> {
    co_await start_three(me);
    Stubs<Desk> desks(me, group("desks"));
    // "two" replies when it gets the word; the others do not reply before that.
    co_await me.send("two", "go");
    const Answers<std::string> first = co_await desks.wait(Collect::first(), "go");
    expect(first.enough && first.all.size() == 1, "one answer");
    expect_equal(first.all.front().who.str(), std::string("two"), "the one that could");
    for (const char* name : {"one", "three"}) co_await me.send(name, "go");
    const Answers<std::string> two = co_await desks.name(Collect::at_least(2));
    expect(two.enough && two.all.size() == 2, "two answers");
    const Answers<std::string> all = co_await desks.name(Collect::all());
    expect(all.enough, "all are there still");
    const Answers<std::optional<std::string>> found =
        co_await desks.find(Collect::first_non_empty(), "three");
    expect(found.enough, "one has it");
    expect_equal(found.all.back().who.str(), std::string("three"), "who has it");
    const Answers<std::optional<std::string>> none =
        co_await desks.find(Collect::first_non_empty(), "four");
    expect(!none.enough && none.all.size() == 3, "nobody has it");
  });
  const auto dropped = report.ledger.dropped[static_cast<std::size_t>(DropReason::late_reply)];
  expect(dropped >= 2, "late answers are counted");
}

void a_group_is_told_without_answers(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start_three(me);
    Stubs<Desk> desks(me, group("desks"));
    Stubs<Desk> listed(me, three);
    co_await desks.wait.tell("go");
    co_await listed.wait.tell("go");
    for (int times = 0; times < 2; ++times) {
      for (const Name& name : three) co_await me.send(name, "go");
    }
    const Answers<std::string> names = co_await desks.name(Collect::all());
    expect(names.enough, "they did as they were told");
  });
}

void a_circle_through_one_of_several_is_found(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start_three(me);
    // "one" replies; "two" calls us, and we wait for it.
    Stubs<Desk> desks(me, three);
    for (const char* name : {"one", "three"}) {
      Stub<Desk> desk(me, name);
      expect_equal(co_await desk.name(), std::string(name), "it is there");
    }
    const Answers<std::string> passed = co_await desks.pass(Collect::all(), "main");
    expect(!passed.enough, "nobody can have an answer");
    expect_equal(passed.all.size(), 3U, "ends");
    for (const auto& each : passed.all) {
      const std::string sentence = each.result.error().sentence();
      expect(sentence.find("circle") != std::string::npos, sentence);
    }
  });
}

// --- streams ---

void a_stream_gives_all_its_values(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "desk", serving());
    for (const std::uint32_t batch : {1U, 4U, 1000U}) {
      Stub<Desk> desk(me, "desk", {.batch = batch});
      Stream<std::int64_t> numbers = desk.count(5, 10);
      std::int64_t next = 5;
      while (const std::optional<std::int64_t> number = co_await numbers.next()) {
        expect_equal(*number, next++, "in order");
      }
      expect_equal(next, 15, "all of them");
      expect(!co_await numbers.next(), "the end is the end");
      Stream<std::int64_t> none = desk.count(5, 0);
      expect(!co_await none.next(), "a stream of nothing");
    }
  });
}

void a_stream_that_fails_gives_what_it_had(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "desk", serving());
    Stub<Desk> desk(me, "desk");
    Stream<std::int64_t> numbers = desk.count(0, -3);
    for (int i = 0; i < 3; ++i) expect(bool(co_await numbers.next()), "what it had");
    std::optional<Error> error;
    try {
      (void)co_await numbers.next();
    } catch (const Error& known) {
      error = known;
    }
    expect_error(error, Errc::refused, "its error");
    expect(!co_await numbers.next(), "it has ended");
  });
}

void a_stream_that_is_left_makes_room_for_others(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "desk", serving({.streams = 2}));
    Stub<Desk> desk(me, "desk");
    for (int i = 0; i < 10; ++i) {
      Stream<std::int64_t> numbers = desk.count(0, 1'000'000'000);
      expect(bool(co_await numbers.next()), "one value");
    }
    Stream<std::int64_t> first = desk.count(0, 1'000'000'000);
    Stream<std::int64_t> second = desk.count(0, 1'000'000'000);
    Stream<std::int64_t> third = desk.count(0, 1'000'000'000);
    expect(bool(co_await first.next()), "there is room");
    expect(bool(co_await second.next()), "there is room");
    std::optional<Error> error;
    try {
      (void)co_await third.next();
    } catch (const Error& known) {
      error = known;
    }
    expect_error(error, Errc::limit_reached, "then there is none");
    expect(bool(co_await first.next()), "those that are open go on");
  });
}

void a_stream_that_is_forgotten_gives_way(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "desk", serving({.streams = 1, .stream_patience = Duration::zero()}));
    Stub<Desk> desk(me, "desk");
    Stream<std::int64_t> first = desk.count(0, 1'000'000'000);
    expect(bool(co_await first.next()), "it is open");
    Stream<std::int64_t> second = desk.count(0, 1'000'000'000);
    expect(bool(co_await second.next()), "and gives way");
    std::optional<Error> error;
    try {
      (void)co_await first.next();
    } catch (const Error& known) {
      error = known;
    }
    expect_error(error, Errc::expired, "it was left alone");
  });
}

void a_stream_has_a_deadline(Place& place) {
  place.run([](Agent& me) -> Task<> {
    co_await start(me, "desk", serving());
    Stub<Desk> desk(me, "desk", {.batch = 4'000'000'000U});
    Stream<std::int64_t> numbers = desk.count.by(20ms)(0, 10);
    auto busy = desk.wait.begin("go");
    std::optional<Error> error;
    try {
      (void)co_await numbers.next();
    } catch (const Error& known) {
      error = known;
    }
    expect_error(error, Errc::expired, "the server was busy");
    co_await me.send("desk", "go");
    (void)co_await busy;
  });
}

const bool registered_rpc_groups = on_every_ground(
    "rpc_groups",
    {GROUND_CASE(all_of_a_list_or_a_group_are_called),
     GROUND_CASE(whoever_fails_is_named_and_keeps_nobody_from_answering),
     GROUND_CASE(the_first_answers_can_be_enough), GROUND_CASE(a_group_is_told_without_answers),
     GROUND_CASE(a_circle_through_one_of_several_is_found),
     GROUND_CASE(a_stream_gives_all_its_values), GROUND_CASE(a_stream_that_fails_gives_what_it_had),
     GROUND_CASE(a_stream_that_is_left_makes_room_for_others),
     GROUND_CASE(a_stream_that_is_forgotten_gives_way), GROUND_CASE(a_stream_has_a_deadline)});

}  // namespace

}  // namespace coracle::rpc::test
