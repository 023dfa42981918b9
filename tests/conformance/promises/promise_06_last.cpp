// Promise 6: a late joiner of a group may receive the last messages that were sent to it before.
#include "choir.hpp"
#include "coracle/policy.hpp"

namespace coracle::conformance {

namespace {

void who_joins_may_ask_for_the_last_messages(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start_singer(me, across(me, "ann"), "ann", 3, 5);
    co_await me.join(group("choir"), last(2));
    co_await command(me, "ann", "6");
    expect_equal(co_await hear_songs(me, 3), "(4) (5) 6", "what came");
    co_await hear_nothing(me);
  });
}

void no_more_come_than_are_kept(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start_singer(me, across(me, "ann"), "ann", 3, 5);
    co_await me.join(group("choir"), last(Last::most));
    co_await command(me, "ann", "6");
    expect_equal(co_await hear_songs(me, 4), "(3) (4) (5) 6", "what came");
    co_await hear_nothing(me);
  });
}

void they_come_to_none_who_does_not_ask(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start_singer(me, across(me, "ann"), "ann", 3, 5);
    co_await me.join(group("choir"));
    co_await command(me, "ann", "6");
    expect_equal(co_await hear_songs(me, 1), "6", "what came");
    co_await me.leave(group("choir"));
    co_await me.join(group("choir"), last(0));
    co_await hear_nothing(me);
  });
}

void nothing_is_kept_unless_its_sender_was_told_to(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "ann"), singing());
    co_await sing(me, "ann", 1, 3);
    co_await command(me, "ann", "keep 2");
    co_await command(me, "ann", "4");
    co_await me.join(group("choir"), last(10));
    expect_equal(co_await hear_songs(me, 1), "(4)", "what came");
    co_await me.leave(group("choir"));
    co_await command(me, "ann", "keep 0");
    co_await command(me, "ann", "5");
    co_await me.join(group("choir"), last(10));
    co_await hear_nothing(me);
  });
}

void they_are_the_last_ones_of_each_sender_in_its_order(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start_singer(me, across(me, "ann"), "ann", 5, 3);
    co_await start_singer(me, "bob", "bob", 5, 3);
    co_await start_singer(me, across(me, "cid"), "cid", 5, 1);
    co_await me.join(group("choir"), last(2));
    std::map<std::string, std::string> of;
    for (int i = 0; i < 5; ++i) {
      const Message message = co_await take(me);
      expect(message.earlier(), "it was sent before");
      of[message.source().name().str()] += message.text();
    }
    expect_equal(of["ann"] + " " + of["bob"] + " " + of["cid"], "23 23 1", "of each sender");
    co_await hear_nothing(me);
  });
}

void one_that_joins_again_gets_them_again_only_if_it_asks(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start_singer(me, across(me, "ann"), "ann", 3, 2);
    co_await me.join(group("choir"), last(3));
    expect_equal(co_await hear_songs(me, 2), "(1) (2)", "what came");
    co_await me.leave(group("choir"));
    co_await me.join(group("choir"));
    co_await hear_nothing(me);
    co_await me.leave(group("choir"));
    co_await me.join(group("choir"), last(3));
    expect_equal(co_await hear_songs(me, 2), "(1) (2)", "what came again");
    co_await hear_nothing(me);
  });
}

// Sends numbers on and on while others join.
Body singing_to(int most) {
  return [most](Agent& me) -> Task<> {
    me.keep_last(group("choir"), static_cast<std::size_t>(most));
    for (int number = 1; number <= most; ++number) {
      co_await me.multicast(group("choir"), std::to_string(number));
      co_await me.yield();
      if (number % 16 == 0) co_await me.pause(100us);
    }
    co_await me.receive();
  };
}

// Joins on request, and reports whether all numbers came once, in their order.
Body joining_late(int most) {
  return [most](Agent& me) -> Task<> {
    co_await take(me);
    co_await me.join(group("choir"), last(Last::most));
    bool is_late = false, is_right = true;
    for (int number = 1; number <= most; ++number) {
      const Message message = co_await take(me);
      is_right = is_right && message.text() == std::to_string(number);
      is_right = is_right && !(is_late && message.earlier());
      is_late = is_late || !message.earlier();
    }
    const std::optional<Message> more = co_await me.receive(Deadline(a_moment));
    std::string verdict = "all in order";
    if (!is_right || more) verdict = "not in order";
    co_await me.send("main", verdict);
  };
}

void what_is_sent_while_somebody_joins_comes_once_and_in_order(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    constexpr int songs = 200, members = 8;
    for (int i = 0; i < members; ++i) {
      const std::string name = "late/" + std::to_string(i);
      AgentSpec spec(name);
      if (i % 2 == 0) spec = across(me, name);
      co_await start(me, spec, joining_late(songs));
    }
    co_await start(me, across(me, "ann"), singing_to(songs));
    for (int i = 0; i < members; ++i) {
      co_await me.send(Name("late/" + std::to_string(i)), "join");
      co_await me.pause(200us);
    }
    for (int i = 0; i < members; ++i) {
      Message said = co_await take(me);
      expect_equal(said.text(), "all in order", said.source().name().str() + " says");
    }
    co_await me.send("ann", "end");
  });
}

void what_an_agent_has_kept_ends_with_it(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start_singer(me, across(me, "ann"), "ann", 3, 2);
    co_await me.send("ann", "end");
    co_await gone(me, "ann");
    co_await me.join(group("choir"), last(3));
    co_await hear_nothing(me);
    co_await start(me, across(me, "ann"), singing());
    co_await command(me, "ann", "keep 3");
    co_await command(me, "ann", "3");
    expect_equal(co_await hear_songs(me, 1), "3", "what the next holder of the name sings");
  });
}

void those_that_find_no_room_are_the_oldest(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start_singer(me, across(me, "ann"), "ann", 10, 10);
    Body small = [](Agent& late) -> Task<> {
      co_await late.join(group("choir"), last(10));
      std::string all = co_await hear_songs(late, 3);
      co_await late.send("main", all);
    };
    AgentSpec spec = across(me, "late");
    spec.mailbox(room_for(3));
    co_await start(me, spec, small);
    expect_equal(co_await hear(me), "(8) (9) (10)", "late got");
  });
}

void they_take_no_more_bytes_than_was_said(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body frugal = [](Agent& ann) -> Task<> {
      ann.keep_last(group("choir"), 100, 2'500);
      for (int i = 0; i < 10; ++i)
        co_await ann.multicast(group("choir"), std::to_string(i) + std::string(800, 'x'));
      co_await ann.send("main", "sung");
      co_await take(ann);
      co_await ann.multicast(group("choir"), std::string(5'000, 'x'));
      co_await ann.multicast(group("choir"), "after it");
      co_await ann.send("main", "sung");
      co_await take(ann);
    };
    co_await start(me, across(me, "ann"), frugal);
    expect_equal(co_await hear(me), "sung", "ann says");
    co_await me.join(group("choir"), last(100));
    for (const char* const number : {"8", "9"}) {
      const Message message = co_await take(me);
      expect_equal(message.text().substr(0, 1), number, "the next one");
    }
    co_await hear_nothing(me);
    co_await me.leave(group("choir"));
    co_await me.send("ann", "a large one");
    expect_equal(co_await hear(me), "sung", "ann says");
    co_await me.join(group("choir"), last(100));
    expect_equal(co_await hear_songs(me, 1), "(after it)", "there is no hole in it");
    co_await hear_nothing(me);
    co_await me.send("ann", "end");
  });
}

void they_are_overheard_when_they_are_sent_and_not_again(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body listening = [](Agent& member) -> Task<> {
      co_await member.join(group("choir"));
      co_await member.send("main", "joined");
      co_await member.pause(Deadline::never());
    };
    co_await start(me, across(me, "bob"), listening);
    expect_equal(co_await hear(me), "joined", "bob says");
    Tap tap = co_await me.overhear(Pattern().target_is("choir"));
    co_await start_singer(me, across(me, "ann"), "ann", 3, 2);
    for (int i = 1; i <= 2; ++i)
      expect_equal(co_await hear(me, overheard_by(tap.id)), std::to_string(i), "the tap hears");
    co_await me.join(group("choir"), last(3));
    const Message first = co_await take(me, addressed());
    const Message second = co_await take(me, addressed());
    expect_equal(std::string(first.text()) + std::string(second.text()), "12", "what came");
    co_await command(me, "ann", "3");
    expect_equal(co_await hear(me, overheard_by(tap.id)), "3", "the tap hears next");
    expect_equal(co_await hear(me, addressed()), "3", "what is sent to the member");
    co_await hear_nothing(me);
  });
}

void headers_and_conversations_come_with_them_and_what_has_expired_does_not(
    const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body speaking = [](Agent& ann) -> Task<> {
      ann.keep_last(group("choir"), 5);
      Post kept = Post(group("choir"), "kept").header("key", "C").conversation(7);
      co_await ann.send(kept.reply_to("elsewhere"));
      Post brief = Post(group("choir"), "over soon").expires(1ms);
      co_await ann.send(brief);
      co_await ann.pause(2ms);
      co_await ann.send("main", "sung");
      co_await take(ann);
    };
    co_await start(me, across(me, "ann"), speaking);
    expect_equal(co_await hear(me), "sung", "ann says");
    co_await me.join(group("choir"), last(5));
    const Message message = co_await take(me);
    expect(message.earlier(), "it was sent before");
    expect_equal(message.text(), "kept", "the text");
    expect_equal(message.header("key").value_or(""), "C", "the header");
    expect_equal(message.conversation(), 7u, "the conversation");
    expect_equal(message.reply_to().name(), Name("elsewhere"), "where answers go");
    co_await hear_nothing(me);
    co_await me.send("ann", "end");
  });
}

// Ann may not send to the agent "stranger".
class NoStrangers final : public Policy {
 public:
  bool allows(std::string_view, Action action, const Name&,
              const Name& to) const noexcept override {
    return action != Action::send || to.view() != "stranger";
  }
};

void the_policy_is_asked_for_each_of_them(const Subject& subject) {
  NodeOptions options = options_for(subject);
  options.policy = std::make_shared<NoStrangers>();
  play(subject, options, [](Agent& me) -> Task<> {
    co_await start_singer(me, across(me, "ann"), "ann", 3, 2);
    Body strange = [](Agent& stranger) -> Task<> {
      co_await stranger.join(group("choir"), last(3));
      co_await stranger.send("main", "joined, and has " + std::to_string(stranger.pending()));
      co_await stranger.pause(Deadline::never());
    };
    co_await start(me, across(me, "stranger"), strange);
    expect_equal(co_await hear(me), "joined, and has 0", "the stranger");
    co_await me.join(group("choir"), last(3));
    expect_equal(co_await hear_songs(me, 2), "(1) (2)", "what others get");
  });
}

void each_of_them_has_one_outcome(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start_singer(me, "ann", "ann", 3, 2);
    co_await me.join(group("choir"), last(3));
    expect_equal(co_await hear_songs(me, 2), "(1) (2)", "what came");
    expect(me.node().ledger().balanced(), "the account of the node");
  });
}

}  // namespace

Cases last_message_cases() {
  return {
      CORACLE_CASE(6, who_joins_may_ask_for_the_last_messages),
      CORACLE_CASE(6, no_more_come_than_are_kept),
      CORACLE_CASE(6, they_come_to_none_who_does_not_ask),
      CORACLE_CASE(6, nothing_is_kept_unless_its_sender_was_told_to),
      CORACLE_CASE(6, they_are_the_last_ones_of_each_sender_in_its_order),
      CORACLE_CASE(6, one_that_joins_again_gets_them_again_only_if_it_asks),
      CORACLE_CASE(6, what_is_sent_while_somebody_joins_comes_once_and_in_order),
      CORACLE_CASE(6, what_an_agent_has_kept_ends_with_it),
      CORACLE_CASE(6, those_that_find_no_room_are_the_oldest),
      CORACLE_CASE(6, they_take_no_more_bytes_than_was_said),
      CORACLE_CASE(6, they_are_overheard_when_they_are_sent_and_not_again),
      CORACLE_CASE(6, headers_and_conversations_come_with_them_and_what_has_expired_does_not),
      CORACLE_CASE(6, the_policy_is_asked_for_each_of_them),
      CORACLE_CASE(6, each_of_them_has_one_outcome),
  };
}

}  // namespace coracle::conformance
