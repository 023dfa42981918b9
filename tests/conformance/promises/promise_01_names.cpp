// Promise 1: each name has one owner, and a takeover leaves no doubt who the owner is.
#include "coracle/directory_changes.hpp"
#include "play.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>

namespace coracle::conformance {

namespace {

void claiming_a_held_name_fails_with_name_taken(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "ann"), deaf());
    const auto error = co_await error_of(start(me, "ann", deaf()));
    expect_error(error, Errc::name_taken, "a second ann");
    expect(error->sentence().find("ann") != std::string::npos, "the sentence names ann");
  });
}

void a_name_is_free_again_when_its_agent_has_ended(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    for (int life = 0; life < 3; ++life) {
      Body short_lived = [](Agent& ann) -> Task<> { co_await ann.send("main", "I was here"); };
      co_await start(me, across(me, "ann"), short_lived);
      expect_equal(co_await hear(me, from("ann")), "I was here", "ann says");
      co_await gone(me, "ann");
    }
  });
}

void a_later_holder_has_a_greater_incarnation(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "ann"), deaf());
    const auto first = co_await me.node().directory().look_up("ann");
    AgentSpec again("ann");
    again.take_over();
    co_await start(me, again, deaf());
    const auto second = co_await me.node().directory().look_up("ann");
    expect(first && second, "the directory knows ann");
    expect(second->incarnation > first->incarnation, "the second ann is greater");
  });
}

void taking_a_name_over_ends_its_old_holder_as_fenced(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "ann"), deaf());
    Body watching = [](Agent& bob) -> Task<> {
      co_await bob.send("main", "watching");
      const Ending ending = co_await bob.watch("ann");
      co_await bob.send("main", to_string(ending.reason));
    };
    co_await start(me, across(me, "bob"), watching);
    co_await hear(me);
    co_await me.pause(1ms);  // until it watches
    AgentSpec again("ann");
    again.take_over();
    co_await start(me, again, deaf());
    expect_equal(co_await hear(me), "fenced", "bob was told");
  });
}

using Count = std::shared_ptr<std::atomic<int>>;

// Counts the messages that it has sent; the text of each tick names its sender.
Body ticking(int first, Count sent) {
  return [first, sent](Agent& me) -> Task<> {
    for (int tick = first;; ++tick) {
      co_await me.pause(1ms);
      co_await me.send("main", std::to_string(tick));
      sent->store(tick - first + 1);
    }
  };
}

void a_fenced_holder_acts_no_more(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    constexpr int of_new = 1'000'000;
    const auto old_sent = std::make_shared<std::atomic<int>>(0);
    co_await start(me, across(me, "ann"), ticking(0, old_sent));
    expect_equal(co_await hear(me), "0", "the first tick");
    AgentSpec again("ann");
    again.take_over();
    co_await start(me, again, ticking(of_new, std::make_shared<std::atomic<int>>(0)));
    // All nodes know the new holder. Messages that the old holder sent before may still come, and
    // it may have sent one message that it has not counted.
    const int most = old_sent->load() + 1;
    for (int news = 0; news < 20;) {
      const int tick = std::stoi(co_await hear(me));
      if (tick >= of_new) ++news;
      else expect(tick < most, "a tick that the old holder sent when it was fenced");
    }
    expect(old_sent->load() <= most, "the old holder sends nothing more");
  });
}

void messages_reach_the_holder_that_took_over(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "ann"), deaf());
    co_await count_to(me, "ann", 3);
    AgentSpec again("ann");
    again.take_over();
    co_await start(me, again, echo_to("main"));
    co_await me.send("ann", "4");
    for (const char* text : {"1", "2", "3", "4"})
      expect_equal(co_await hear(me), text, "the new ann got");
  });
}

void taking_over_from_another_identity_is_not_permitted(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Directory& directory = me.node().directory();
    const auto lease = co_await directory.open_lease("somebody else", 1h);
    Claim claim("ann", lease.value());
    (co_await directory.claim(claim)).value();
    AgentSpec spec("ann");
    spec.take_over();
    expect_error(co_await error_of(start(me, spec, deaf())), Errc::not_permitted,
                 "taking over from a stranger");
    const auto entry = co_await directory.look_up("ann");
    expect(entry && entry->lease == lease.value(), "the stranger still holds ann");
  });
}

void a_name_taken_over_lives_where_its_new_holder_wants(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    const unsigned last = me.node().options().workers - 1;
    AgentSpec first("ann");
    first.on_worker(last).pinned();
    co_await start_here(me, std::move(first), answering());
    for (const unsigned worker : {0U, last, last, 0U}) {
      // The name stays where it is while its old holder is at work.
      Address ann;
      const Time end = Deadline(soon).at(me.now());
      do {
        expect(me.now() < end, "ann comes to the worker that was asked for");
        AgentSpec next("ann");
        next.take_over().on_worker(worker).pinned();
        ann = co_await start_here(me, std::move(next), answering());
      } while (me.node().worker_of(ann) != worker);
      const Message answer = co_await me.ask(ann, "still there?", soon);
      expect_equal(answer.text(), "still there?", "ann's answer");
    }
  });
}

void of_many_claims_of_one_name_exactly_one_succeeds(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body claiming = [](Agent& ann) -> Task<> {
      co_await hear(ann);
      const bool mine = !co_await error_of(start(ann, "prize", deaf()));
      co_await ann.send("main", mine ? "mine" : "not mine");
    };
    for (unsigned i = 0; i < 6; ++i) {
      AgentSpec spec("claimant" + std::to_string(i));
      spec.on_worker(i % me.node().options().workers);
      co_await start(me, spec, claiming);
    }
    for (int i = 0; i < 6; ++i) co_await me.send("claimant" + std::to_string(i), "go");
    int winners = 0;
    for (int i = 0; i < 6; ++i) winners += co_await hear(me) == "mine";
    expect_equal(winners, 1, "winners");
  });
}

// Waits until it has been told that the name has changed.
Task<> told_of(DirectoryChanges& changes, Name name) {
  for (;;) {
    const auto changed = changes.take();
    if (std::ranges::count(changed.names, name) == 1) co_return;
    co_await changes.wait();
  }
}

void who_follows_the_directory_learns_of_each_name_that_changes(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body describing = [](Agent& ann) -> Task<> {
      co_await hear(ann);
      co_await ann.describe(Properties().set("kind", "sonar"));
      co_await hear(ann);
    };
    DirectoryChanges changes(me);
    co_await changes.begin("lab");
    co_await start(me, "office/bob", deaf());
    co_await start(me, across(me, "lab/ann"), describing);
    co_await told_of(changes, "lab/ann");
    co_await me.send("lab/ann", "describe yourself");
    co_await told_of(changes, "lab/ann");
    const auto entry = co_await me.node().directory().look_up("lab/ann");
    expect(entry && !entry->properties.empty(), "the change can be looked up");
    co_await me.send("lab/ann", "end");
    co_await told_of(changes, "lab/ann");
    expect(!co_await me.node().directory().look_up("lab/ann"), "the end can be looked up");
    expect(changes.take().names.empty(), "nothing else has changed there");
  });
}

void who_follows_the_directory_too_slowly_is_told_to_search_again(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    DirectoryChanges changes(me, 2);
    co_await changes.begin();
    for (const char* each : {"ann", "bob", "cid"}) co_await start(me, each, deaf());
    bool all = false;
    co_await until(
        me, [&] { return all = all || changes.take().all; }, "everything may differ");
    co_await start(me, "dan", deaf());
    co_await told_of(changes, "dan");
  });
}

}  // namespace

Cases name_cases() {
  return {
      CORACLE_CASE(1, claiming_a_held_name_fails_with_name_taken),
      CORACLE_CASE(1, a_name_is_free_again_when_its_agent_has_ended),
      CORACLE_CASE(1, a_later_holder_has_a_greater_incarnation),
      CORACLE_CASE(1, taking_a_name_over_ends_its_old_holder_as_fenced),
      CORACLE_CASE(1, a_fenced_holder_acts_no_more),
      CORACLE_CASE(1, messages_reach_the_holder_that_took_over),
      CORACLE_CASE(1, taking_over_from_another_identity_is_not_permitted),
      CORACLE_CASE_NEEDS(1, a_name_taken_over_lives_where_its_new_holder_wants, two_workers),
      CORACLE_CASE(1, of_many_claims_of_one_name_exactly_one_succeeds),
      CORACLE_CASE(1, who_follows_the_directory_learns_of_each_name_that_changes),
      CORACLE_CASE(1, who_follows_the_directory_too_slowly_is_told_to_search_again),
      CORACLE_CASE_ELSEWHERE(
          1, of_two_directories_the_higher_epoch_wins, second_directory,
          "tests/simulation/societies/directories_test.cpp: "
          "of_two_holders_in_two_directories_the_later_one_stays_and_the_other_is_told"),
      CORACLE_CASE_ELSEWHERE(1,
                             a_directory_without_its_data_takes_only_re_registrations_for_one_term,
                             second_directory,
                             "tests/simulation/societies/successor_test.cpp: "
                             "a_name_is_kept_for_who_held_it_before_and_comes_a_little_later"),
  };
}

}  // namespace coracle::conformance
