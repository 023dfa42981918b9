// Promise 8: the receiver chooses the overflow policy of its mailbox.
#include "play.hpp"

namespace coracle::conformance {

namespace {

// Starts an agent with that mailbox. The agent reads nothing until it gets a message in
// conversation 9; then it reports all messages that it has.
Task<Address> start_full(Agent& me, MailboxOptions options) {
  Body telling = [](Agent& agent) -> Task<> {
    co_await agent.send("main", "ready");
    co_await hear(agent, in_conversation(9));
    const std::string texts = all_there(agent);
    co_await agent.send("main", texts);
  };
  AgentSpec spec = across(me, "box");
  spec.mailbox(std::move(options));
  const Address box = co_await start_here(me, spec, telling);
  co_await hear(me, from("box"));
  // The agent waits when it gets its next turn; the order to report then finds it waiting.
  co_await me.pause(1ms);
  co_return box;
}

Task<std::string> contents(Agent& me) {
  co_await me.send("box", "tell", 9);
  co_return co_await hear(me, from("box"));
}

void fail_tells_the_sender_at_once(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start_full(me, room_for(2, Overflow::fail));
    co_await count_to(me, "box", 2);
    const auto sent = co_await me.send_result("box", "3");
    expect_error(sent, Errc::mailbox_full, "the third");
    expect(sent.error().sentence().find("box") != std::string::npos, "it names the mailbox");
    expect_equal(co_await contents(me), "1 2", "what box has");
  });
}

Task<Receipt> sent_three(Agent& me, int tracked) {
  std::optional<Receipt> receipt;
  for (int i = 1; i <= 3; ++i) {
    const std::string text = std::to_string(i);
    if (i == tracked) receipt.emplace(co_await me.track(Post("box", text)));
    else co_await me.send("box", text);
  }
  co_return std::move(*receipt);
}

void drop_oldest_makes_room_for_the_new(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start_full(me, room_for(2, Overflow::drop_oldest));
    Receipt receipt = co_await sent_three(me, 1);
    expect(!co_await receipt.reached(Stage::consumed, soon), "the first is not consumed");
    expect(receipt.first().outcome == Outcome::dropped, "the first was dropped");
    expect_equal(co_await contents(me), "2 3", "what box has");
    const auto reason = static_cast<std::size_t>(DropReason::oldest);
    expect_equal(me.node().ledger().dropped[reason], 1u, "dropped as the oldest");
  });
}

void drop_newest_keeps_what_is_there(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start_full(me, room_for(2, Overflow::drop_newest));
    Receipt receipt = co_await sent_three(me, 3);
    expect(!co_await receipt.reached(Stage::consumed, soon), "the third is not consumed");
    expect(receipt.first().outcome == Outcome::dropped, "the third was dropped");
    expect_equal(co_await contents(me), "1 2", "what box has");
    const auto reason = static_cast<std::size_t>(DropReason::newest);
    expect_equal(me.node().ledger().dropped[reason], 1u, "dropped as the newest");
  });
}

void keep_latest_replaces_the_senders_own(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start_full(me, room_for(2, Overflow::keep_latest));
    Body another = [](Agent& ann) -> Task<> {
      co_await ann.send("box", "ann's");
      co_await ann.send("main", "sent");
    };
    co_await start(me, across(me, "ann"), another);
    co_await hear(me, from("ann"));
    Receipt receipt = co_await me.track(Post("box", "old"));
    co_await me.send("box", "new");
    expect(!co_await receipt.reached(Stage::consumed, soon), "the old one is not consumed");
    expect(receipt.first().outcome == Outcome::dropped, "the old one was dropped");
    expect_equal(co_await contents(me), "ann's new", "what box has");
    const auto reason = static_cast<std::size_t>(DropReason::replaced);
    expect_equal(me.node().ledger().dropped[reason], 1u, "dropped as replaced");
  });
}

void keep_latest_of_a_new_sender_drops_the_oldest(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start_full(me, room_for(2, Overflow::keep_latest));
    co_await count_to(me, "box", 2);
    Body another = [](Agent& ann) -> Task<> {
      co_await ann.send("box", "ann's");
      co_await ann.send("main", "sent");
    };
    co_await start(me, across(me, "ann"), another);
    co_await hear(me, from("ann"));
    expect_equal(co_await contents(me), "2 ann's", "what box has");
  });
}

void redirect_sends_what_does_not_fit_to_another_name(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start_full(me, MailboxOptions().messages(2).redirect_to("spill"));
    co_await start(me, "spill", echo_to("main"));
    Receipt receipt = co_await sent_three(me, 3);
    expect_equal(co_await hear(me, from("spill")), "3", "the other got");
    expect(co_await receipt.reached(Stage::consumed, soon), "it was consumed there");
    expect_equal(co_await contents(me), "1 2", "what box has");
  });
}

void redirections_in_a_circle_come_to_an_end(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    for (const char* name : {"ann", "bob"}) {
      AgentSpec spec = across(me, name);
      spec.mailbox(MailboxOptions().messages(1).redirect_to(name[0] == 'a' ? "bob" : "ann"));
      co_await start(me, spec, deaf());
    }
    for (int i = 0; i < 2; ++i) co_await me.send("ann", "fills");
    Post post("ann", "one too many");
    post.patience(20ms);
    Receipt receipt = co_await me.track(std::move(post));
    expect(!co_await receipt.reached(Stage::consumed, soon), "there is no room anywhere");
    expect(receipt.first().outcome.has_value(), "it has an outcome");
    expect(me.node().ledger().balanced(), "balanced");
  });
}

void an_agent_can_change_its_mailbox(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    me.set_mailbox(room_for(2, Overflow::drop_oldest));
    co_await count_to(me, me.self(), 4);
    expect_equal(all_there(me), "3 4", "two of four");
    me.set_mailbox(room_for(3, Overflow::drop_newest));
    co_await count_to(me, me.self(), 4);
    expect_equal(all_there(me), "1 2 3", "three of four");
  });
}

void what_came_between_two_holders_is_kept_for_the_second(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body brief = [](Agent&) -> Task<> { co_return; };
    AgentSpec spec = across(me, "box");
    spec.mailbox(room_for(2, Overflow::drop_oldest));
    co_await start(me, spec, brief);
    co_await gone(me, "box");
    co_await count_to(me, "box", 2);
    co_await start_full(me, room_for(2, Overflow::drop_oldest));
    expect_equal(co_await contents(me), "1 2", "what waited for the next holder");
  });
}

}  // namespace

Cases overflow_cases() {
  return {
      CORACLE_CASE(8, fail_tells_the_sender_at_once),
      CORACLE_CASE(8, drop_oldest_makes_room_for_the_new),
      CORACLE_CASE(8, drop_newest_keeps_what_is_there),
      CORACLE_CASE(8, keep_latest_replaces_the_senders_own),
      CORACLE_CASE(8, keep_latest_of_a_new_sender_drops_the_oldest),
      CORACLE_CASE(8, redirect_sends_what_does_not_fit_to_another_name),
      CORACLE_CASE(8, redirections_in_a_circle_come_to_an_end),
      CORACLE_CASE(8, an_agent_can_change_its_mailbox),
      CORACLE_CASE(8, what_came_between_two_holders_is_kept_for_the_second),
  };
}

}  // namespace coracle::conformance
