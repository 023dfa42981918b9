// Promise 6: a message to several targets reaches each of them once.
#include "play.hpp"

namespace coracle::conformance {

namespace {

void each_target_of_a_list_gets_it_once_however_often_it_is_named(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, "ann", echo_to("main"));
    co_await start(me, across(me, "bob"), echo_to("main"));
    const std::vector<Name> both = {"ann", "bob", "ann", "bob"};
    co_await me.send(Post(both, "x"));
    const Message first = co_await take(me);
    const Message second = co_await take(me);
    expect(first.source() != second.source(), "one from each");
    co_await hear_nothing(me);
  });
}

Body joining(std::string name) {
  return [name](Agent& me) -> Task<> {
    co_await me.join(group(name));
    co_await me.send("main", "joined");
    for (;;) {
      const Message message = co_await me.receive();
      if (message.text() == "leave") {
        co_await me.leave(group(name));
        co_await me.send("main", "left");
      } else if (message.text() != "end") {
        const std::string text(message.text());
        co_await me.send("main", text);
      } else {
        co_return;
      }
    }
  };
}

Task<> three_members(Agent& me) {
  co_await start(me, "ann", joining("choir"));
  co_await start(me, across(me, "bob"), joining("choir"));
  co_await start(me, across(me, "cid"), joining("choir"));
  for (int i = 0; i < 3; ++i) expect_equal(co_await hear(me), "joined", "a member says");
}

Task<> expect_echoes(Agent& me, int count, std::string text) {
  for (int i = 0; i < count; ++i) expect_equal(co_await hear(me), text, "a member got");
  co_await hear_nothing(me);
}

void every_member_of_a_group_gets_it_once(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await three_members(me);
    co_await me.multicast(group("choir"), "la");
    co_await expect_echoes(me, 3, "la");
    expect_equal((co_await me.members(group("choir"))).size(), 3u, "members");
  });
}

void a_second_join_does_nothing(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await me.join(group("choir"));
    co_await me.join(group("choir"));
    co_await me.multicast(group("choir"), "la");
    expect_equal(all_there(me), "la", "what the only member got");
  });
}

void one_that_left_gets_nothing_more(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await three_members(me);
    co_await me.send("bob", "leave");
    expect_equal(co_await hear(me), "left", "bob says");
    co_await me.multicast(group("choir"), "la");
    co_await expect_echoes(me, 2, "la");
  });
}

void join_returns_once_the_connected_nodes_know(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body obeying = [](Agent& member) -> Task<> {
      for (;;) {
        const Message message = co_await member.receive();
        if (message.text() == "end") co_return;
        if (message.text() == "join") co_await member.join(group("choir"));
        if (message.text() == "leave") co_await member.leave(group("choir"));
        co_await member.send("main", "done");
      }
    };
    co_await start(me, across(me, "bob"), obeying);
    for (int round = 0; round < 100; ++round) {
      const bool joins = round % 2 == 0;
      co_await me.send("bob", joins ? "join" : "leave");
      expect_equal(co_await hear(me), "done", "bob says");
      const auto members = co_await me.members(group("choir"));
      expect_equal(members.size(), joins ? 1u : 0u, "members in round " + std::to_string(round));
    }
    co_await me.send("bob", "end");
  });
}

void a_membership_ends_with_its_agent(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await three_members(me);
    co_await me.send("bob", "end");
    co_await gone(me, "bob");
    expect_equal((co_await me.members(group("choir"))).size(), 2u, "members");
    co_await me.multicast(group("choir"), "la");
    co_await expect_echoes(me, 2, "la");
  });
}

void a_message_to_an_empty_group_reaches_nobody_and_succeeds(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await me.multicast(group("nobody/here"), "la");
    expect(me.node().ledger().balanced(), "balanced");
    expect_equal((co_await me.members(group("nobody/here"))).size(), 0u, "members");
  });
}

void the_outcome_is_told_for_each_member(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    AgentSpec full = across(me, "full");
    full.mailbox(room_for(1, Overflow::fail));
    co_await start(me, full, deaf());
    co_await start(me, "ann", echo_to("main"));
    co_await me.send("full", "there is no room for more");
    const std::vector<Name> both = {"full", "ann"};
    Receipt receipt = co_await me.track(Post(both, "x"));
    expect(!co_await receipt.reached(Stage::consumed, soon), "not everywhere");
    expect_equal(receipt.targets().size(), 2u, "targets");
    expect_equal(receipt.targets()[0].target, Name("full"), "the first target");
    expect(receipt.targets()[0].outcome == Outcome::refused, "the full one refused");
    expect(receipt.targets()[1].outcome == Outcome::consumed, "ann consumed");
    expect_equal(co_await hear(me), "x", "ann got");
  });
}

void a_target_that_fails_does_not_keep_the_others_from_getting_it(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    AgentSpec full = across(me, "full");
    full.mailbox(room_for(1, Overflow::fail));
    co_await start(me, full, deaf());
    co_await start(me, "ann", echo_to("main"));
    co_await me.send("full", "there is no room for more");
    const std::vector<Name> both = {"full", "ann"};
    expect_error(co_await error_of(me.send(Post(both, "x"))), Errc::mailbox_full, "the send");
    expect_equal(co_await hear(me), "x", "ann got");
  });
}

void a_full_member_delays_only_this_sender(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body reading_when_told = [](Agent& slow) -> Task<> {
      co_await slow.join(group("choir"));
      co_await slow.send("main", "joined");
      co_await take(slow, in_conversation(99));
      expect_equal(co_await hear(slow), "first", "the slow member got");
      expect_equal(co_await hear(slow), "la", "the slow member got");
      co_await slow.send("main", "slow: la");
    };
    AgentSpec slow = across(me, "slow");
    slow.mailbox(room_for(1));
    co_await start(me, slow, reading_when_told);
    co_await start(me, "ann", joining("choir"));
    expect_equal(co_await hear(me) + co_await hear(me), "joinedjoined", "both are members");
    Body multicasting = [](Agent& bob) -> Task<> {
      co_await bob.send("slow", "first");
      co_await bob.multicast(group("choir"), "la");
      co_await bob.send("main", "bob is done");
    };
    co_await start(me, across(me, "bob"), multicasting);
    expect_equal(co_await hear(me), "la", "ann got it all the same");
    co_await me.send("ann", "others go on");
    expect_equal(co_await hear(me), "others go on", "ann got");
    co_await hear_nothing(me);
    co_await me.send("slow", "now", 99);
    const std::string both = co_await hear(me) + "; " + co_await hear(me);
    expect(both == "slow: la; bob is done" || both == "bob is done; slow: la", both);
  });
}

void members_are_told_to_which_group_it_was_sent(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await me.join(group("lab/choir"));
    co_await me.multicast(group("lab/choir"), "la");
    const Message message = co_await take(me);
    expect_equal(message.target(), Name("lab/choir"), "target");
  });
}

}  // namespace

Cases group_cases() {
  return {
      CORACLE_CASE(6, each_target_of_a_list_gets_it_once_however_often_it_is_named),
      CORACLE_CASE(6, every_member_of_a_group_gets_it_once),
      CORACLE_CASE(6, a_second_join_does_nothing),
      CORACLE_CASE(6, one_that_left_gets_nothing_more),
      CORACLE_CASE(6, a_membership_ends_with_its_agent),
      CORACLE_CASE(6, a_message_to_an_empty_group_reaches_nobody_and_succeeds),
      CORACLE_CASE(6, the_outcome_is_told_for_each_member),
      CORACLE_CASE(6, a_target_that_fails_does_not_keep_the_others_from_getting_it),
      CORACLE_CASE(6, a_full_member_delays_only_this_sender),
      CORACLE_CASE(6, members_are_told_to_which_group_it_was_sent),
      CORACLE_CASE(6, join_returns_once_the_connected_nodes_know),
  };
}

}  // namespace coracle::conformance
