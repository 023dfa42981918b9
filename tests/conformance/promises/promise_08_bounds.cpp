// Promise 8: nothing grows without a bound, and no wait for room is for ever.
#include "play.hpp"

namespace coracle::conformance {

namespace {

void a_send_to_a_full_mailbox_waits_until_there_is_room(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    AgentSpec spec = across(me, "slow");
    spec.mailbox(room_for(2));
    Body slow = [](Agent& agent) -> Task<> {
      co_await hear(agent, in_conversation(9));
      for (int i = 1; i <= 5; ++i) expect_equal(co_await hear(agent), std::to_string(i), "next");
      co_await agent.send("main", "read");
    };
    Body counting = [](Agent& ann) -> Task<> {
      co_await count_to(ann, "slow", 5);
      co_await ann.send("main", "sent");
    };
    const Address address = co_await start_here(me, spec, slow);
    co_await start(me, "ann", counting);
    co_await until(me, [&] { return me.node().ledger(address).queued == 2; }, "it is full");
    co_await hear_nothing(me);
    co_await me.send("slow", "read now", 9);
    co_await hear(me, from("ann"));
    co_await hear(me, from("slow"));
  });
}

void patience_ends_with_mailbox_full(const Subject& subject) {
  NodeOptions options = options_for(subject);
  options.patience = 20ms;
  play(subject, options, [](Agent& me) -> Task<> {
    AgentSpec spec = across(me, "full");
    spec.mailbox(room_for(1));
    co_await start(me, spec, deaf());
    co_await me.send("full", "1");
    const Time before = me.now();
    expect_error(co_await me.send_result("full", "2"), Errc::mailbox_full, "the second");
    expect(me.now() - before >= 20ms, "it has waited");
    Post post("full", "3");
    post.patience(1ms);
    expect_error(co_await error_of(me.send(std::move(post))), Errc::mailbox_full, "the third");
  });
}

void a_limit_in_bytes_counts_bytes(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    AgentSpec spec = across(me, "small");
    spec.mailbox(MailboxOptions().bytes(100).overflow(Overflow::fail));
    co_await start(me, spec, deaf());
    const std::string forty(40, 'x');
    co_await me.send("small", forty);
    co_await me.send("small", forty);
    co_await me.send("small", forty);  // there was room left: the last one may exceed the limit
    expect_error(co_await me.send_result("small", "x"), Errc::mailbox_full, "after 120 bytes");
  });
}

void a_waiting_receive_is_served_although_the_mailbox_is_full(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    AgentSpec spec = across(me, "busy");
    spec.mailbox(room_for(1, Overflow::fail));
    Body busy = [](Agent& agent) -> Task<> {
      co_await agent.send("main", "ready");
      expect_equal(co_await hear(agent, in_conversation(5)), "wanted", "what was waited for");
      expect_equal(co_await hear(agent), "other", "what filled the mailbox");
      co_await agent.send("main", "both");
    };
    co_await start(me, spec, busy);
    co_await hear(me);
    co_await me.pause(1ms);  // until it waits
    co_await me.send("busy", "other");
    co_await me.send("busy", "wanted", 5);
    expect_equal(co_await hear(me), "both", "busy got");
  });
}

const std::string& page() {
  static const std::string text(100'000, 'x');
  return text;
}

// On request, waits for the message of ann with the text "wanted", and then reads the other
// message.
Task<> read_the_wanted(Agent& me) {
  co_await me.send("main", "ready");
  co_await hear(me, in_conversation(9));
  const Match wanted = from("ann") && that([](const MessageView& message) {
                         return message.text().starts_with("wanted");
                       });
  expect_equal(co_await hear(me, wanted), "wanted" + page(), "what was waited for");
  expect_equal(co_await hear(me), "other", "what filled the mailbox");
  co_await me.send("main", "both");
}

// The pattern of a waiting reader is applied to the text before the mailbox has room for the
// message. Here the reader waits first.
void a_large_message_is_let_into_a_full_mailbox_by_who_wants_what_it_says(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    AgentSpec spec = across(me, "busy");
    spec.mailbox(room_for(1, Overflow::fail));
    co_await start(me, spec, read_the_wanted);
    co_await hear(me);
    co_await me.pause(1ms);  // until it waits
    co_await me.send("busy", "other");
    Body sending = [](Agent& ann) -> Task<> {
      co_await hear(ann);
      const std::string unwanted = "unwanted" + page(), wanted = "wanted" + page();
      expect_error(co_await ann.send_result("busy", unwanted), Errc::mailbox_full, "unwanted");
      co_await ann.send("busy", wanted);
    };
    co_await start(me, "ann", sending);
    co_await me.send("busy", "read now", 9);
    co_await me.pause(1ms);  // until it waits
    co_await me.send("ann", "send");
    expect_equal(co_await hear(me), "both", "busy got");
  });
}

// Here the message waits first, and the reader comes later.
void a_large_message_that_waits_for_room_is_let_in_by_who_wants_what_it_says(
    const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    AgentSpec spec = across(me, "busy");
    spec.mailbox(room_for(1));
    co_await start(me, spec, read_the_wanted);
    co_await hear(me);
    co_await me.pause(1ms);  // until it waits
    co_await me.send("busy", "other");
    Body sending = [](Agent& ann) -> Task<> {
      const std::string wanted = "wanted" + page();
      co_await ann.send("busy", wanted);
    };
    co_await start(me, "ann", sending);
    co_await me.pause(1ms);  // until it waits
    co_await me.send("busy", "read now", 9);
    expect_equal(co_await hear(me), "both", "busy got");
  });
}

void a_request_reserves_the_place_of_its_reply(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    me.set_mailbox(room_for(1));
    co_await start(me, across(me, "ann"), answering());
    co_await me.send(me.self(), "fills the mailbox");
    const Message reply = co_await me.ask("ann", "x", soon);
    expect_equal(reply.text(), "x", "the reply came all the same");
    expect_equal(all_there(me), "fills the mailbox", "the rest");
  });
}

void a_send_to_ones_own_full_mailbox_fails(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    me.set_mailbox(room_for(1));
    co_await me.send(me.self(), "1");
    const auto error = co_await error_of([](Agent& self) -> Task<> {
      co_await self.send(self.self(), "2");
    }(me));
    expect(error && (error->errc() == Errc::mailbox_full || error->errc() == Errc::deadlock),
           "the second fails");
    expect_equal(all_there(me), "1", "the first is there");
  });
}

// Fills the mailbox of `next` and sends one more message, which has to wait.
Body filling(std::string next) {
  return [next](Agent& me) -> Task<> {
    co_await hear(me, from("main"));
    co_await me.send(next, "fills");
    co_await me.send("main", "filled");
    co_await take(me, from("main"));
    const auto sent = co_await me.send_result(next, "waits");
    if (!sent && sent.error().errc() == Errc::deadlock) {
      const std::string sentence = sent.error().sentence();
      co_await me.send("main", sentence);
    }
    co_await me.pause(Deadline(std::chrono::hours(1)));
  };
}

Task<> close_a_cycle(Agent& me, std::vector<std::string> names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    AgentSpec spec(names[i]);
    spec.on_worker(static_cast<unsigned>(i) % me.node().options().workers);
    spec.mailbox(room_for(1));
    co_await start(me, spec, filling(names[(i + 1) % names.size()]));
  }
  for (const std::string& name : names) co_await me.send(name, "fill");
  for (std::size_t i = 0; i < names.size(); ++i) co_await hear(me);
  for (const std::string& name : names) co_await me.send(name, "wait");
  const std::string sentence = co_await hear(me);
  for (const std::string& name : names)
    expect(sentence.find(name) != std::string::npos, "the cycle names " + name + ": " + sentence);
}

void a_wait_that_would_close_a_cycle_fails_and_names_it(const Subject& subject) {
  NodeOptions options = options_for(subject);
  options.patience = std::chrono::minutes(10);
  play(subject, options, [](Agent& me) -> Task<> {
    const std::vector<std::string> two = {"ann", "bob"};
    co_await close_a_cycle(me, two);
    const std::vector<std::string> three = {"cid", "dora", "emil"};
    co_await close_a_cycle(me, three);
  });
}

void a_long_wait_that_closes_no_cycle_does_not_fail(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    AgentSpec spec = across(me, "slow");
    spec.mailbox(room_for(1));
    Body slow = [](Agent& agent) -> Task<> {
      co_await hear(agent, in_conversation(9));
      for (int i = 0; i < 6; ++i) co_await hear(agent);
      co_await agent.send("main", "read");
    };
    co_await start(me, spec, slow);
    Body sending = [](Agent& agent) -> Task<> {
      co_await agent.send("slow", "1");
      co_await agent.send("slow", "2");
      co_await agent.send("main", "sent");
    };
    for (const char* name : {"ann", "bob", "cid"}) co_await start(me, name, sending);
    co_await hear_nothing(me);
    co_await me.send("slow", "read now", 9);
    for (int i = 0; i < 4; ++i) co_await hear(me);
  });
}

void a_slow_reader_bounds_what_its_senders_have_under_way(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    AgentSpec spec = across(me, "slow");
    spec.mailbox(room_for(8));
    const Address slow = co_await start_here(me, spec, deaf());
    Body flooding = [](Agent& agent) -> Task<> {
      for (;;) co_await agent.send("slow", "x");
    };
    // Each node may fill the mailbox once, so all senders are on one node.
    for (const char* name : {"ann", "bob", "cid", "dora"}) co_await start_here(me, name, flooding);
    co_await until(me, [&] { return me.node().ledger(slow).queued == 8; }, "it is full");
    for (int i = 0; i < 10; ++i) {
      co_await me.pause(1ms);
      const Ledger ledger = me.node().ledger();
      expect(ledger.queued <= 8, "the mailbox has its limit: " + ledger.to_string());
      expect(ledger.in_flight <= 4, "one under way for each sender: " + ledger.to_string());
    }
  });
}

}  // namespace

Cases bound_cases() {
  return {
      CORACLE_CASE(8, a_send_to_a_full_mailbox_waits_until_there_is_room),
      CORACLE_CASE(8, patience_ends_with_mailbox_full),
      CORACLE_CASE(8, a_limit_in_bytes_counts_bytes),
      CORACLE_CASE(8, a_waiting_receive_is_served_although_the_mailbox_is_full),
      CORACLE_CASE(8, a_large_message_is_let_into_a_full_mailbox_by_who_wants_what_it_says),
      CORACLE_CASE(8, a_large_message_that_waits_for_room_is_let_in_by_who_wants_what_it_says),
      CORACLE_CASE(8, a_request_reserves_the_place_of_its_reply),
      CORACLE_CASE(8, a_send_to_ones_own_full_mailbox_fails),
      CORACLE_CASE(8, a_wait_that_would_close_a_cycle_fails_and_names_it),
      CORACLE_CASE(8, a_long_wait_that_closes_no_cycle_does_not_fail),
      CORACLE_CASE(8, a_slow_reader_bounds_what_its_senders_have_under_way),
      CORACLE_CASE_ELSEWHERE(8, a_cycle_across_nodes_fails_within_five_seconds, second_node,
                             "tests/simulation/societies/nodes_test.cpp: "
                             "a_circle_of_waits_across_nodes_is_found"),
  };
}

}  // namespace coracle::conformance
