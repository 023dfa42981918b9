// Promise 5: a read takes the oldest message that fits, and all others keep their place.
#include "play.hpp"

#include <set>

namespace coracle::conformance {

namespace {

// Sends to main: "1" in conversation 1, "2" in 2, "3" in 1, and a plan.
Task<> four_messages(Agent& me) {
  co_await me.send("main", "1", 1);
  co_await me.send("main", "2", 2);
  co_await me.send("main", "3", 1);
  const Content plan = Content::bytes({}, "plan/v1");
  co_await me.send("main", plan);
  co_await me.send("main", "5");
}

Task<> prepare(Agent& me) {
  Body sending = [](Agent& ann) -> Task<> { co_await four_messages(ann); };
  co_await start(me, across(me, "ann"), sending);
  co_await until(me, [&] { return me.pending() == 5; }, "ann has sent");
  co_await me.send(me.self(), "mine");
}

void receive_takes_the_oldest_message(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await prepare(me);
    for (const char* text : {"1", "2", "3", "", "5", "mine"}) {
      const Message message = co_await me.receive();
      expect_equal(message.text(), text, "the oldest");
    }
  });
}

void a_directed_read_leaves_everything_else_in_its_place(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await prepare(me);
    expect_equal(co_await hear(me, from("main")), "mine", "the only one of main");
    expect_equal(all_there(me), "1 2 3  5", "the rest");
  });
}

void a_conversation_a_type_and_a_predicate_can_be_asked_for(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await prepare(me);
    expect_equal(co_await hear(me, in_conversation(2)), "2", "of conversation 2");
    const Message plan = co_await take(me, of_type("plan/v1"));
    expect_equal(plan.content().type(), "plan/v1", "the plan");
    const Match five = that([](const MessageView& message) { return message.text() == "5"; });
    expect_equal(co_await hear(me, five), "5", "the one with that text");
    expect_equal(all_there(me), "1 3 mine", "the rest");
  });
}

void matches_combine_with_and_or_and_not(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await prepare(me);
    const Match mine = from("main");
    const Match first = in_conversation(1);
    expect_equal(me.pending(from("ann") && first), 2u, "of ann in conversation 1");
    expect_equal(me.pending(mine || first), 3u, "mine or in conversation 1");
    expect_equal(me.pending(!first), 4u, "not in conversation 1");
    expect_equal(all_there(me, !(mine || first)), "2  5", "neither");
    expect_equal(all_there(me), "1 3 mine", "the rest");
  });
}

void try_receive_and_pending_never_wait(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    expect(!me.try_receive(), "nothing to receive");
    expect_equal(me.pending(), 0u, "pending");
    co_await me.send(me.self(), "x");
    expect_equal(me.pending(), 1u, "pending");
    expect_equal(me.pending(from("nobody")), 0u, "pending of somebody else");
    expect(!me.try_receive(from("nobody")), "nothing of somebody else");
    expect(me.try_receive(from("main")).has_value(), "one of main");
    expect_equal(me.pending(), 0u, "pending");
  });
}

void a_deadline_that_passes_is_nothing_rather_than_an_error(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    const Time before = me.now();
    expect(!co_await me.receive(20ms), "nothing came");
    expect(me.now() - before >= 20ms, "it has waited");
    co_await me.send(me.self(), "x");
    expect(!co_await me.receive(from("nobody"), 1ms), "nothing that fits came");
    const auto there = co_await me.receive(Deadline(0ms));
    expect(there && there->text() == "x", "what is there is given although the deadline is over");
  });
}

void a_message_that_comes_in_time_ends_the_wait(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body late = [](Agent& ann) -> Task<> {
      co_await ann.pause(3ms);
      co_await ann.send("main", "no");
      co_await ann.send("main", "yes", 7);
    };
    co_await start(me, across(me, "ann"), late);
    const Message message = co_await take(me, in_conversation(7));
    expect_equal(message.text(), "yes", "what fits");
    expect_equal(all_there(me), "no", "what does not");
  });
}

Task<> read_and_tell(Agent& me, Match match, std::string who) {
  const Message message = co_await me.receive(match);
  const std::string text = who + ":" + std::string(message.text());
  co_await me.send("main", text);
}

void a_message_goes_to_the_longest_waiting_receive_that_fits(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body three_tasks = [](Agent& ann) -> Task<> {
      ann.spawn(read_and_tell(ann, in_conversation(1), "a"));
      co_await ann.pause(1ms);  // until it waits
      ann.spawn(read_and_tell(ann, Match(), "b"));
      co_await ann.pause(1ms);
      ann.spawn(read_and_tell(ann, Match(), "c"));
      co_await ann.pause(1ms);
      co_await ann.send("main", "waiting");
      co_await ann.pause(Deadline(std::chrono::hours(1)));
    };
    co_await start(me, across(me, "ann"), three_tasks);
    expect_equal(co_await hear(me), "waiting", "ann says");
    co_await me.send("ann", "1", 2);
    co_await me.send("ann", "2", 1);
    co_await me.send("ann", "3", 1);
    std::set<std::string> got;
    for (int i = 0; i < 3; ++i) got.insert(co_await hear(me));
    for (const char* text : {"b:1", "a:2", "c:3"}) expect(got.contains(text), text);
  });
}

void a_message_tells_who_sent_it_and_everything_said_about_it(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body sending = [](Agent& ann) -> Task<> {
      Post post("main", "hello");
      post.conversation(9).reply_to("bob").header("mood", "good").trace({1, 2, 3});
      co_await ann.send(std::move(post));
    };
    co_await start(me, across(me, "ann"), sending);
    const Message message = co_await take(me);
    expect_equal(message.source().name(), Name("ann"), "source");
    expect_equal(message.target(), Name("main"), "target");
    expect_equal(message.content().type(), "text/plain", "type");
    expect_equal(message.conversation(), 9u, "conversation");
    expect_equal(message.reply_to().name(), Name("bob"), "reply_to");
    expect_equal(message.header("mood").value_or("none"), "good", "header");
    expect(!message.header("weather"), "a header that was not given");
    expect(message.trace() == TraceContext{1, 2, 3}, "trace");
    expect(!message.is_request() && !message.redelivered() && !message.overheard(), "marks");
    expect(message.deadline() == Time::max(), "it never expires");
  });
}

void many_waiting_messages_do_not_hide_one_that_is_asked_for(const Subject& subject) {
  NodeOptions options = options_for(subject);
  options.mailbox = room_for(5000);
  play(subject, options, [](Agent& me) -> Task<> {
    Body much = [](Agent& ann) -> Task<> { co_await count_to(ann, "main", 2000); };
    Body little = [](Agent& bob) -> Task<> {
      for (Conversation i = 1; i <= 20; ++i) co_await bob.send("main", std::to_string(i), i);
    };
    co_await start(me, across(me, "ann"), much);
    co_await start(me, "bob", little);
    co_await until(me, [&] { return me.pending() == 2020; }, "both have sent");
    for (Conversation i = 20; i > 10; --i)
      expect_equal(co_await hear(me, in_conversation(i)), std::to_string(i), "by conversation");
    for (int i = 1; i <= 10; ++i)
      expect_equal(co_await hear(me, from("bob")), std::to_string(i), "by sender");
    for (int i = 1; i <= 2000; ++i)
      expect_equal(co_await hear(me), std::to_string(i), "the rest in order");
  });
}

}  // namespace

Cases reading_cases() {
  return {
      CORACLE_CASE(5, receive_takes_the_oldest_message),
      CORACLE_CASE(5, a_directed_read_leaves_everything_else_in_its_place),
      CORACLE_CASE(5, a_conversation_a_type_and_a_predicate_can_be_asked_for),
      CORACLE_CASE(5, matches_combine_with_and_or_and_not),
      CORACLE_CASE(5, try_receive_and_pending_never_wait),
      CORACLE_CASE(5, a_deadline_that_passes_is_nothing_rather_than_an_error),
      CORACLE_CASE(5, a_message_that_comes_in_time_ends_the_wait),
      CORACLE_CASE(5, a_message_goes_to_the_longest_waiting_receive_that_fits),
      CORACLE_CASE(5, a_message_tells_who_sent_it_and_everything_said_about_it),
      CORACLE_CASE(5, many_waiting_messages_do_not_hide_one_that_is_asked_for),
  };
}

}  // namespace coracle::conformance
