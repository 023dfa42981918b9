// Promise 2: among the messages of one sender to one receiver, a receive takes the oldest.
#include "play.hpp"

#include <atomic>

namespace coracle::conformance {

namespace {

void messages_of_one_pair_are_read_in_the_order_of_their_sending(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body counting = [](Agent& ann) -> Task<> { co_await count_to(ann, "main", 3000); };
    co_await start(me, across(me, "ann"), counting);
    co_await start(me, "bob", counting);
    int last[2] = {0, 0};
    for (int i = 0; i < 6000; ++i) {
      const Message message = co_await take(me);
      int& previous = last[message.source().name() == Name("ann") ? 0 : 1];
      expect_equal(message.text(), std::to_string(++previous), "the next of its sender");
    }
  });
}

void a_multicast_keeps_its_place_among_the_messages_of_its_sender(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await me.join(group("all"));
    Body sending = [](Agent& ann) -> Task<> {
      for (int i = 0; i < 200; ++i) {
        const std::string text = std::to_string(i);
        if (i % 3 == 0) co_await ann.multicast(group("all"), text);
        else co_await ann.send("main", text);
      }
    };
    co_await start(me, across(me, "ann"), sending);
    for (int i = 0; i < 200; ++i)
      expect_equal(co_await hear(me), std::to_string(i), "the next, however it was sent");
  });
}

void a_directed_read_takes_the_oldest_of_its_pair(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body counting = [](Agent& ann) -> Task<> { co_await count_to(ann, "main", 50); };
    co_await start(me, "ann", counting);
    co_await start(me, across(me, "bob"), counting);
    co_await until(
        me, [&] { return me.pending() == 100; }, "both have sent");
    for (int i = 1; i <= 50; ++i)
      expect_equal(co_await hear(me, from("bob")), std::to_string(i), "the next of bob");
    for (int i = 1; i <= 50; ++i)
      expect_equal(co_await hear(me), std::to_string(i), "the next of ann");
  });
}

// Takes two messages, reports, and waits for ever while it holds both.
Task<> hold_two(Agent& me) {
  const Message first = co_await me.receive();
  const Message second = co_await me.receive();
  co_await me.send("main", "I hold two");
  co_await me.pause(Deadline(std::chrono::hours(1)));
}

void after_a_takeover_what_was_in_hand_comes_first_marked(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body holding = [](Agent& ann) -> Task<> { co_await hold_two(ann); };
    co_await start(me, across(me, "ann"), holding);
    co_await count_to(me, "ann", 4);
    expect_equal(co_await hear(me), "I hold two", "ann says");
    Body telling = [](Agent& ann) -> Task<> {
      for (int i = 0; i < 4; ++i) {
        const Message message = co_await take(ann);
        const std::string text = std::string(message.text()) + (message.redelivered() ? "!" : "");
        co_await ann.send("main", text);
      }
    };
    AgentSpec again("ann");
    again.take_over();
    co_await start(me, again, telling);
    for (const char* text : {"1!", "2!", "3", "4"})
      expect_equal(co_await hear(me), text, "the new ann got");
  });
}

void an_agent_that_changes_its_worker_keeps_the_order(const Subject& subject) {
  Society society(nodes_of(subject), options_for(subject));
  Body main = [](Agent& me) -> Task<> {
    Body counting = [](Agent& sender) -> Task<> { co_await count_to(sender, "traveller", 4000); };
    Body travelling = [](Agent& traveller) -> Task<> {
      int last[2] = {0, 0};
      for (int i = 0; i < 8000; ++i) {
        const Message message = co_await take(traveller);
        int& previous = last[message.source().name() == Name("ann") ? 0 : 1];
        expect_equal(message.text(), std::to_string(++previous), "the next of its sender");
      }
      co_await traveller.send("main", "arrived");
    };
    co_await start(me, "traveller", travelling);
    co_await start(me, "ann", counting);
    co_await start(me, across(me, "bob"), counting);
    expect_equal(co_await hear(me), "arrived", "the traveller says");
  };
  society.run(main, [&society] {
    const Address traveller = society.node().find("traveller");
    for (unsigned i = 0; i < 40; ++i) society.node().move(traveller, i % 2, 5ms);
  });
}

void an_agent_lives_where_it_was_moved_to(const Subject& subject) {
  Society society(nodes_of(subject), options_for(subject));
  std::atomic<bool> lives = false;
  Body main = [&lives](Agent& me) -> Task<> {
    co_await start_here(me, "ann", answering());
    lives = true;
    expect_equal(co_await hear(me), "moved", "the one outside says");
    const Message reply = co_await me.ask("ann", "are you there?", soon);
    expect_equal(reply.text(), "are you there?", "ann answers");
  };
  society.run(main, [&] {
    Node& node = society.node();
    society.await([&lives] { return lives.load(); });
    for (const unsigned worker : {1u, 0u, 1u}) {
      expect(node.move(node.find("ann"), worker), "ann can be moved");
      expect_equal(node.worker_of(node.find("ann")), worker, "ann's worker");
    }
    Body telling = [](Agent& me) -> Task<> { co_await me.send("main", "moved"); };
    node.adopt("teller", std::make_unique<test::Actor>(telling, society.proceedings()));
  });
}

// Larger than the amount that a link carries at once.
constexpr std::size_t large = std::size_t{15} << 20;

void a_large_message_holds_up_only_its_own_pair(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body noting = [](Agent& each) -> Task<> {
      for (;;) {
        const Message message = co_await each.receive();
        const std::string what =
            each.name().str() + " has " +
            (message.text().size() == large ? "the large one" : std::string(message.text()));
        co_await each.send("main", what);
      }
    };
    Body sending = [](Agent& ann) -> Task<> {
      co_await ann.send("bob", std::string(large, 'x'));
      co_await ann.send("bob", "what is behind it");
      co_await ann.send("cid", "what others say");
    };
    co_await start_here(me, "bob", noting);
    co_await start_here(me, "cid", noting);
    co_await start(me, "ann", sending);
    expect_equal(co_await hear(me), "cid has what others say", "the first");
    expect_equal(co_await hear(me), "bob has the large one", "the next");
    expect_equal(co_await hear(me), "bob has what is behind it", "the last");
  });
}

}  // namespace

Cases order_cases() {
  return {
      CORACLE_CASE(2, messages_of_one_pair_are_read_in_the_order_of_their_sending),
      CORACLE_CASE(2, a_multicast_keeps_its_place_among_the_messages_of_its_sender),
      CORACLE_CASE(2, a_directed_read_takes_the_oldest_of_its_pair),
      CORACLE_CASE(2, after_a_takeover_what_was_in_hand_comes_first_marked),
      CORACLE_CASE_NEEDS(2, an_agent_that_changes_its_worker_keeps_the_order, two_workers),
      CORACLE_CASE_NEEDS(2, an_agent_lives_where_it_was_moved_to, two_workers),
      CORACLE_CASE_ELSEWHERE(2, a_change_of_link_keeps_the_order, second_node,
                             "tests/simulation/societies/links_test.cpp: "
                             "resets_of_connections_lose_and_double_nothing"),
      CORACLE_CASE_NEEDS(2, a_large_message_holds_up_only_its_own_pair, turns),
  };
}

}  // namespace coracle::conformance
