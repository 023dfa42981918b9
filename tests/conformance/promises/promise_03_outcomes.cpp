// Promise 3: every message ends exactly once, and the ledger of all messages is exact.
#include "play.hpp"

#include <memory>
#include <set>
#include <vector>

namespace coracle::conformance {

namespace {

void a_tracked_message_is_accepted_then_delivered_then_consumed(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body reading_once_told = [](Agent& ann) -> Task<> {
      co_await hear(ann, from("bob"));
      co_await hear(ann, from("main"));
      co_await ann.pause(Deadline(std::chrono::hours(1)));
    };
    co_await start(me, across(me, "ann"), reading_once_told);
    Receipt receipt = co_await me.track(Post("ann", "x"));
    expect(co_await receipt.reached(Stage::accepted, soon), "accepted");
    expect(co_await receipt.reached(Stage::delivered, soon), "delivered");
    expect(!receipt.first().outcome, "not ended while it waits in the mailbox");
    Body telling = [](Agent& bob) -> Task<> { co_await bob.send("ann", "read on"); };
    co_await start(me, "bob", telling);
    expect(co_await receipt.reached(Stage::consumed, soon), "consumed");
    expect(receipt.first().outcome == Outcome::consumed, "its outcome is consumed");
  });
}

void a_receipt_of_what_will_not_come_that_far_says_so(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    AgentSpec spec = across(me, "ann");
    spec.mailbox(room_for(1, Overflow::fail));
    co_await start(me, spec, deaf());
    co_await me.send("ann", "1");
    Receipt receipt = co_await me.track(Post("ann", "2"));
    expect(!co_await receipt.reached(Stage::consumed, soon), "it does not come that far");
    expect(receipt.first().outcome == Outcome::refused, "its outcome is refused");
  });
}

void a_receipt_waits_no_longer_than_its_deadline(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "ann"), deaf());
    Receipt receipt = co_await me.track(Post("ann", "x"));
    expect(!co_await receipt.reached(Stage::consumed, a_moment), "nobody reads it");
    expect(!receipt.first().outcome, "it has no outcome yet");
  });
}

void a_message_that_is_not_read_in_time_expires(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "ann"), deaf());
    Post post("ann", "x");
    post.expires(5ms);
    Receipt receipt = co_await me.track(std::move(post));
    expect(!co_await receipt.reached(Stage::consumed, soon), "it is not consumed");
    expect(receipt.first().outcome == Outcome::expired, "its outcome is expired");
  });
}

// After bob's message, ann reads her first message and reports that she is done.
Body finds_only_the_fresh_one() {
  return [](Agent& ann) -> Task<> {
    co_await hear(ann, from("bob"));
    expect_equal(co_await hear(ann), "fresh", "what ann gets");
    co_await ann.send("main", "done");
  };
}

void a_request_whose_asker_gave_up_is_not_given_to_anybody(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "ann"), finds_only_the_fresh_one());
    const auto answer = co_await me.ask_result("ann", "stale", 2ms);
    expect(!answer && answer.error().errc() == Errc::expired, "it was not answered");
    // This message is behind the request: when it has expired, so has the request, however long
    // both took.
    Post behind("ann", "behind");
    behind.expires(5ms);
    Receipt receipt = co_await me.track(std::move(behind));
    expect(!co_await receipt.reached(Stage::consumed, soon), "what is behind it is not consumed");
    co_await me.send("ann", "fresh");
    Body telling = [](Agent& bob) -> Task<> { co_await bob.send("ann", "read on"); };
    co_await start(me, "bob", telling);
    expect_equal(co_await hear(me, from("ann")), "done", "ann is done");
  });
}

void a_message_that_expired_is_not_given_to_anybody(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "ann"), finds_only_the_fresh_one());
    Post post("ann", "stale");
    post.expires(2ms);
    Receipt receipt = co_await me.track(std::move(post));
    co_await me.send("ann", "fresh");
    expect(!co_await receipt.reached(Stage::consumed, soon), "it is not consumed");
    expect(receipt.first().outcome == Outcome::expired, "its outcome is expired");
    Body telling = [](Agent& bob) -> Task<> { co_await bob.send("ann", "read on"); };
    co_await start(me, "bob", telling);
    expect_equal(co_await hear(me), "done", "ann says");
  });
}

Task<> crash_with(Agent& me, int messages, bool acknowledge_first) {
  std::vector<Message> held;
  for (int i = 0; i < messages; ++i) held.push_back(co_await take(me));
  if (acknowledge_first) held.front().acknowledge();
  throw Crash("with messages in hand");
}

Body telling_with_marks(int messages) {
  return [messages](Agent& me) -> Task<> {
    for (int i = 0; i < messages; ++i) {
      const Message message = co_await take(me);
      const std::string text = std::string(message.text()) + (message.redelivered() ? "!" : "");
      co_await me.send("main", text);
    }
  };
}

void what_a_crashed_agent_held_is_given_again_marked(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body crashing = [](Agent& ann) -> Task<> { co_await crash_with(ann, 2, false); };
    co_await count_to(me, "ann", 3);
    co_await start(me, across(me, "ann"), crashing);
    co_await gone(me, "ann");
    co_await start(me, across(me, "ann"), telling_with_marks(3));
    for (const char* text : {"1!", "2!", "3"})
      expect_equal(co_await hear(me), text, "the next ann got");
  });
}

void what_a_crashed_agent_kept_in_its_members_is_given_again_too(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body crashing = [kept = std::make_shared<std::vector<Message>>()](Agent& ann) -> Task<> {
      for (int i = 0; i < 2; ++i) {
        Message message = co_await take(ann);
        kept->push_back(std::move(message));
      }
      throw Crash("with messages in its members");
    };
    co_await count_to(me, "ann", 2);
    co_await start(me, across(me, "ann"), std::move(crashing));
    co_await gone(me, "ann");
    co_await start(me, across(me, "ann"), telling_with_marks(2));
    std::set<std::string> got;
    for (int i = 0; i < 2; ++i) got.insert(co_await hear(me));
    expect(got.contains("1!") && got.contains("2!"), "both came again, marked");
  });
}

void what_was_acknowledged_is_not_given_again(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body crashing = [](Agent& ann) -> Task<> { co_await crash_with(ann, 2, true); };
    co_await count_to(me, "ann", 3);
    co_await start(me, across(me, "ann"), crashing);
    co_await gone(me, "ann");
    co_await start(me, across(me, "ann"), telling_with_marks(2));
    for (const char* text : {"2!", "3"}) expect_equal(co_await hear(me), text, "the next ann got");
    co_await hear_nothing(me);
  });
}

void a_message_whose_content_was_taken_over_is_not_given_again(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body passing_on = [](Agent& ann) -> Task<> {
      Message first = co_await take(ann);
      const Message second = co_await take(ann);
      co_await ann.send("main", first.consume());
      expect(!first, "nothing is left of it");
      throw Crash("with the second in hand");
    };
    co_await count_to(me, "ann", 2);
    co_await start(me, across(me, "ann"), passing_on);
    expect_equal(co_await hear(me), "1", "what ann passed on");
    co_await gone(me, "ann");
    co_await start(me, across(me, "ann"), telling_with_marks(1));
    expect_equal(co_await hear(me), "2!", "the next ann got");
    co_await hear_nothing(me);
  });
}

void what_is_given_back_comes_again_marked_at_its_old_place(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await count_to(me, me.self(), 3);
    Message first = co_await take(me);
    expect(!first.redelivered(), "the first time is not marked");
    first.give_back();
    const Message again = co_await take(me);
    expect_equal(again.text(), "1", "the oldest again");
    expect(again.redelivered(), "it is marked");
    expect_equal(all_there(me), "2 3", "the others kept their places");
  });
}

void what_an_exception_destroyed_comes_again_although_it_was_caught(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await count_to(me, me.self(), 2);
    try {
      const Message first = co_await take(me);
      throw Crash();
    } catch (const Crash&) {
    }
    const Message again = co_await take(me);
    expect_equal(again.text(), "1", "the oldest again");
    expect(again.redelivered(), "it is marked");
  });
}

void a_message_given_too_often_goes_to_the_dead_letters(const Subject& subject) {
  NodeOptions options = options_for(subject);
  options.redelivery_limit = 2;
  play(subject, options, [](Agent& me) -> Task<> {
    Body reading_letters = [](Agent& undertaker) -> Task<> {
      const Message letter = co_await take(undertaker);
      const std::string text = std::string(letter.text()) + " from " +
                               std::string(letter.header("from").value_or("?")) + " to " +
                               std::string(letter.header("to").value_or("?"));
      expect(!letter.header("reason").value_or("").empty(), "the letter says why");
      co_await undertaker.send("main", text);
    };
    co_await start(me, Node::dead_letters(), reading_letters);
    Receipt receipt = co_await me.track(Post(me.self(), "poison"));
    int times = 0;
    while (std::optional<Message> message = me.try_receive(from("main"))) {
      expect(++times < 10, "it is not given for ever");
      message->give_back();
    }
    expect_equal(times, 3, "times that it was given: once, and two times again");
    expect_equal(co_await hear(me), "poison from main to main", "the letter");
    expect(receipt.first().outcome == Outcome::undeliverable, "its outcome is undeliverable");
  });
}

void the_ledger_balances_at_every_turn(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body chatting = [](Agent& ann) -> Task<> { co_await count_to(ann, "bob", 2000); };
    Body echoing = [](Agent& bob) -> Task<> {
      for (int i = 0; i < 2000; ++i) co_await take(bob);
      co_await bob.send("main", "done");
    };
    AgentSpec bob = across(me, "bob");
    bob.mailbox(room_for(16));
    co_await start(me, bob, echoing);
    co_await start(me, "ann", chatting);
    bool done = false;
    while (!done) {
      done = me.try_receive().has_value();
      const Ledger ledger = me.node().ledger();
      expect(ledger.balanced(), "balanced: " + ledger.to_string());
      co_await me.pause(100us);  // each look stops all workers; let them go on
    }
  });
}

void the_ledger_of_a_quiet_society_counts_every_message(const Subject& subject) {
  Society society(nodes_of(subject), options_for(subject));
  society.run([](Agent& me) -> Task<> {
    co_await start(me, across(me, "ann"), echo_to("main"));
    co_await count_to(me, "ann", 100);
    for (int i = 0; i < 100; ++i) co_await hear(me);
    AgentSpec full("full");
    full.mailbox(room_for(1, Overflow::fail));
    co_await start(me, full, deaf());
    co_await me.send("full", "fits");
    (void)co_await me.send_result("full", "does not fit");
  });
  const StopReport report = society.stop();
  const Ledger& ledger = report.ledger;
  expect(ledger.balanced(), "balanced: " + ledger.to_string());
  expect_equal(ledger.sent, 202u, "sent");
  expect_equal(ledger.consumed, 200u, "consumed");
  expect_equal(ledger.refused, 1u, "refused");
  expect_equal(ledger.in_flight + ledger.in_hand, 0u, "under way or in somebody's hands");
}

void an_agents_own_ledger_tells_what_it_sent_and_what_waits_for_it(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    const Address ann = co_await start_here(me, across(me, "ann"), deaf());
    co_await count_to(me, ann, 7);
    co_await until(
        me, [&] { return me.node().ledger(ann).queued == 7; }, "7 wait for ann");
    expect_equal(me.node().ledger(me.self()).sent, 7u, "sent by main");
  });
}

void what_is_stored_survives_its_message_store(const Subject& subject) {
  Society society(storing_nodes_of(subject), options_for(subject));
  society.run([&subject](Agent& me) -> Task<> {
    for (const char* text : {"1", "2", "3"}) {
      Post post("bob", text);
      Receipt receipt = co_await me.track(std::move(post));
      expect(co_await receipt.reached(Stage::stored, soon), "stored");
    }
    subject.message_store(false);
    subject.message_store(true);
    co_await start(me, "bob", echo_to("main"));
    for (const char* text : {"1", "2", "3"}) expect_equal(co_await hear(me), text, "bob heard");
  });
}

}  // namespace

Cases outcome_cases() {
  return {
      CORACLE_CASE(3, a_tracked_message_is_accepted_then_delivered_then_consumed),
      CORACLE_CASE(3, a_receipt_of_what_will_not_come_that_far_says_so),
      CORACLE_CASE(3, a_receipt_waits_no_longer_than_its_deadline),
      CORACLE_CASE(3, a_message_that_is_not_read_in_time_expires),
      CORACLE_CASE(3, a_message_that_expired_is_not_given_to_anybody),
      CORACLE_CASE(3, a_request_whose_asker_gave_up_is_not_given_to_anybody),
      CORACLE_CASE(3, what_a_crashed_agent_held_is_given_again_marked),
      CORACLE_CASE(3, what_a_crashed_agent_kept_in_its_members_is_given_again_too),
      CORACLE_CASE(3, what_was_acknowledged_is_not_given_again),
      CORACLE_CASE(3, a_message_whose_content_was_taken_over_is_not_given_again),
      CORACLE_CASE(3, what_is_given_back_comes_again_marked_at_its_old_place),
      CORACLE_CASE(3, what_an_exception_destroyed_comes_again_although_it_was_caught),
      CORACLE_CASE(3, a_message_given_too_often_goes_to_the_dead_letters),
      CORACLE_CASE(3, the_ledger_balances_at_every_turn),
      CORACLE_CASE(3, the_ledger_of_a_quiet_society_counts_every_message),
      CORACLE_CASE(3, an_agents_own_ledger_tells_what_it_sent_and_what_waits_for_it),
      CORACLE_CASE_NEEDS(3, what_is_stored_survives_its_message_store, storage),
      CORACLE_CASE_ELSEWHERE(
          3, what_a_dead_message_store_kept_ends_as_message_store_lost, second_node,
          "tests/simulation/societies/lost_nodes_test.cpp: "
          "what_a_mailbox_had_redirected_ends_as_message_store_lost_with_its_node"),
  };
}

}  // namespace coracle::conformance
