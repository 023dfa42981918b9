// Promise 6: the last messages of a group come to many members that join at once, and to members
// with small mailboxes. They do not come to a later holder of the name whose earlier holder had not
// received them.
#include "choir.hpp"

namespace coracle::conformance {

namespace {

// Joins on request, and reports how many of the earlier messages it has received by then.
Body joining_at_a_word() {
  return [](Agent& me) -> Task<> {
    co_await take(me);
    co_await me.join(group("choir"), last(1));
    co_await me.send("main", std::to_string(me.pending()));
  };
}

// More late joiners than one node expects of another node.
void hundreds_that_join_at_once_all_get_them(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    constexpr int members = 300;
    co_await start_singer(me, across(me, "ann"), "ann", 3, 2);
    std::vector<Name> names;
    for (int i = 0; i < members; ++i) {
      names.emplace_back("late/" + std::to_string(i));
      AgentSpec spec(names.back());
      co_await start_here(me, spec, joining_at_a_word());
    }
    const Post post(names, "join");
    co_await me.send(post);
    int given = 0;
    for (int i = 0; i < members; ++i) given += co_await hear(me) == "1";
    expect_equal(given, members, "those that got the last message");
  });
}

// The worker of the mailbox checks each message by itself, because the mailbox takes few bytes.
void a_small_mailbox_gets_them_too(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start_singer(me, "ann", "ann", 10, 10);
    Body small = [](Agent& late) -> Task<> {
      co_await late.join(group("choir"), last(3));
      std::string all = co_await hear_songs(late, 3);
      co_await late.send("main", all);
    };
    AgentSpec spec = across(me, "late");
    spec.mailbox(MailboxOptions().bytes(100'000));
    co_await start(me, spec, small);
    expect_equal(co_await hear(me), "(8) (9) (10)", "late got");
  });
}

void one_that_ends_while_it_joins_leaves_nothing_to_the_next(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start_singer(me, across(me, "ann"), "ann", 3, 2);
    Body hasty = [](Agent& late) -> Task<> {
      late.spawn(late.join(group("choir"), last(3)));
      co_await late.yield();
    };
    co_await start(me, across(me, "late"), hasty);
    co_await gone(me, "late");
    Body plain = [](Agent& late) -> Task<> {
      while (co_await late.receive(Deadline(a_moment))) {
        // These messages were sent to the previous holder of the name.
      }
      co_await late.join(group("choir"));
      co_await late.send("main", "joined");
      std::string all = co_await hear_songs(late, 1);
      co_await late.send("main", all);
    };
    co_await start(me, across(me, "late"), plain);
    expect_equal(co_await hear(me), "joined", "late says");
    co_await command(me, "ann", "3");
    expect_equal(co_await hear(me), "3", "late got");
  });
}

}  // namespace

Cases late_joiner_cases() {
  return {
      CORACLE_CASE(6, hundreds_that_join_at_once_all_get_them),
      CORACLE_CASE(6, a_small_mailbox_gets_them_too),
      CORACLE_CASE(6, one_that_ends_while_it_joins_leaves_nothing_to_the_next),
  };
}

}  // namespace coracle::conformance
