// Promise 7: an eavesdropper receives a copy of every message that fits, or a gap with the number
// of copies that it missed.
#include "coracle/policy.hpp"
#include "play.hpp"

namespace coracle::conformance {

namespace {

// An agent on the other worker that sends as main asks: ":NAME text" goes to NAME.
Body messenger() {
  return [](Agent& me) -> Task<> {
    for (;;) {
      const Message order = co_await me.receive();
      const std::string text(order.text());
      const std::size_t space = text.find(' ');
      const std::string to = text.substr(1, space - 1);
      const std::string what = text.substr(space + 1);
      if (to == "all") co_await me.multicast(group("all"), what);
      else co_await me.send(to, what);
      co_await me.send("main", "sent", 1);
    }
  };
}

Task<> have_sent(Agent& me, std::string order) {
  co_await me.send("messenger", order);
  co_await hear(me, in_conversation(1));
}

// Waits until the texts of the overheard messages are `wanted`.
Task<> expect_heard(Agent& me, Tap tap, std::string wanted, const char* file = __builtin_FILE(),
                    int line = __builtin_LINE()) {
  std::string all;
  while (all.size() < wanted.size()) {
    const Message copy = co_await take(me, overheard_by(tap.id), file, line);
    all += (all.empty() ? "" : " ") +
           (copy.gap() != 0 ? "(" + std::to_string(copy.gap()) + ")" : std::string(copy.text()));
  }
  expect_equal(all, wanted, "what was overheard", file, line);
}

void a_eavesdropper_gets_a_copy_and_the_target_its_message(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "messenger"), messenger());
    co_await start(me, "ann", echo_to("main"));
    const Tap tap = co_await me.overhear(Pattern().target_is("ann"));
    co_await have_sent(me, ":ann hello");
    const Message copy = co_await take(me, overheard_by(tap.id));
    expect(copy.overheard(), "the copy is marked");
    expect_equal(copy.tap(), tap.id, "its tap");
    expect_equal(copy.gap(), 0u, "it is no gap");
    expect_equal(copy.source().name(), Name("messenger"), "source");
    expect_equal(copy.target(), Name("ann"), "target");
    expect_equal(copy.text(), "hello", "text");
    expect_equal(co_await hear(me, addressed()), "hello", "ann got");
  });
}

void patterns_look_at_source_target_and_text(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "messenger"), messenger());
    const Tap by_source = co_await me.overhear(Pattern().source("mess.*").target("ann|bob"));
    const Tap by_target = co_await me.overhear(Pattern().target("a.*"));
    const Tap by_text = co_await me.overhear(Pattern().source_is("messenger").text("price=[0-9]+"));
    for (const char* order : {":ann price=1", ":bob price=x", ":cid price=2", ":ann hello"})
      co_await have_sent(me, order);
    co_await expect_heard(me, by_source, "price=1 price=x hello");
    co_await expect_heard(me, by_target, "price=1 hello");
    co_await expect_heard(me, by_text, "price=1 price=2");
    co_await hear_nothing(me);
  });
}

void patterns_look_at_components_and_formats(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    const Tap urgent = co_await me.overhear(Pattern().component("priority", "high"));
    const Tap moves = co_await me.overhear(Pattern().format("move %s to %d,%d"));
    Body sending = [](Agent& ann) -> Task<> {
      Post high("bob", "fire");
      high.header("priority", "high");
      co_await ann.send(std::move(high));
      Post low("bob", "tea");
      low.header("priority", "low");
      co_await ann.send(std::move(low));
      co_await ann.send("bob", "move rook to 3,4");
    };
    co_await start(me, across(me, "ann"), sending);
    co_await expect_heard(me, urgent, "fire");
    co_await expect_heard(me, moves, "move rook to 3,4");
    co_await hear_nothing(me);
  });
}

void everything_sent_after_overhear_returned_is_heard_in_order(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body counting = [](Agent& ann) -> Task<> {
      co_await hear(ann);
      for (int i = 1; i <= 500; ++i) {
        const std::string text = std::to_string(i);
        co_await ann.send("nobody/yet", text);
      }
    };
    co_await start(me, across(me, "ann"), counting);
    const Tap tap = co_await me.overhear(Pattern().source_is("ann"));
    co_await me.send("ann", "go");
    for (int i = 1; i <= 500; ++i)
      expect_equal(co_await hear(me, overheard_by(tap.id)), std::to_string(i), "the next");
  });
}

void a_message_is_heard_whether_or_not_its_target_is_there(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "messenger"), messenger());
    const Tap tap = co_await me.overhear(Pattern().target_is("absent"));
    co_await have_sent(me, ":absent hello");
    co_await expect_heard(me, tap, "hello");
    co_await start(me, "absent", echo_to("main"));
    expect_equal(co_await hear(me, addressed()), "hello", "it was not used up");
    co_await hear_nothing(me, overheard_by(tap.id));
  });
}

void a_redelivery_is_not_heard_again(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "messenger"), messenger());
    Body crashing = [](Agent& ann) -> Task<> {
      const Message message = co_await ann.receive();
      throw Crash();
    };
    const Tap tap = co_await me.overhear(Pattern().target_is("ann"));
    co_await start(me, "ann", crashing);
    co_await have_sent(me, ":ann hello");
    co_await gone(me, "ann");
    co_await start(me, across(me, "ann"), echo_to("main"));
    expect_equal(co_await hear(me, addressed()), "hello", "it was given again");
    co_await expect_heard(me, tap, "hello");
    co_await hear_nothing(me);
  });
}

void one_that_listens_slowly_is_told_how_many_it_missed(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    const Tap tap = co_await me.overhear(Pattern().source_is("ann"), 4);
    Body counting = [](Agent& ann) -> Task<> {
      co_await count_to(ann, "bob", 10);
      co_await ann.send("main", "done", 1);
    };
    co_await start(me, across(me, "bob"), deaf());
    co_await start(me, across(me, "ann"), counting);
    co_await hear(me, in_conversation(1) && addressed());
    co_await until(
        me, [&] { return me.pending(overheard_by(tap.id)) >= 4; }, "four copies wait");
    co_await me.send("messenger", "unrelated");
    std::uint64_t heard = 0, missed = 0;
    while (heard + missed < 11) {  // ten to bob and one to main
      const Message copy = co_await take(me, overheard_by(tap.id));
      if (copy.gap() != 0) missed += copy.gap();
      else ++heard;
    }
    expect_equal(heard + missed, 11u, "heard and missed together");
    expect(missed >= 6, "no more than four could wait");
    co_await hear_nothing(me, overheard_by(tap.id));
  });
}

void a_gap_marker_stands_where_the_copies_are_missing(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "messenger"), messenger());
    const Tap tap = co_await me.overhear(Pattern().target_is("bob"), 2);
    for (int i = 1; i <= 5; ++i) co_await have_sent(me, ":bob " + std::to_string(i));
    co_await until(
        me, [&] { return me.node().ledger().copies_missed >= 3; }, "three are missed");
    co_await expect_heard(me, tap, "1 2 (3)");
    co_await have_sent(me, ":bob 6");
    co_await expect_heard(me, tap, "6");
  });
}

void a_slow_eavesdropper_does_not_delay_the_pair_it_listens_to(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await me.overhear(Pattern(), 1);
    Body counting = [](Agent& ann) -> Task<> { co_await count_to(ann, "bob", 1000); };
    Body reading = [](Agent& bob) -> Task<> {
      for (int i = 1; i <= 1000; ++i) expect_equal(co_await hear(bob), std::to_string(i), "next");
      co_await bob.send("main", "all came");
    };
    co_await start(me, across(me, "bob"), reading);
    co_await start(me, across(me, "ann"), counting);
    expect_equal(co_await hear(me, addressed()), "all came", "bob says");
  });
}

void one_that_stops_listening_keeps_what_it_has_heard(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "messenger"), messenger());
    const Tap tap = co_await me.overhear(Pattern().target_is("bob"));
    co_await have_sent(me, ":bob 1");
    co_await have_sent(me, ":bob 2");
    co_await until(
        me, [&] { return me.pending(overheard_by(tap.id)) == 2; }, "both were heard");
    co_await me.stop_overhearing(tap);
    co_await have_sent(me, ":bob 3");
    co_await expect_heard(me, tap, "1 2");
    co_await hear_nothing(me);
  });
}

void one_may_listen_anew_as_often_as_one_likes(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "messenger"), messenger());
    for (int i = 0; i < 1100; ++i) {
      const Tap tap = co_await me.overhear(Pattern().target_is("nobody"));
      co_await me.stop_overhearing(tap);
    }
    const Tap tap = co_await me.overhear(Pattern().target_is("bob"));
    co_await have_sent(me, ":bob 1");
    co_await expect_heard(me, tap, "1");
  });
}

void multicasts_and_replies_are_heard_too(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "messenger"), messenger());
    co_await start(me, "ann", answering());
    const Tap group_tap = co_await me.overhear(Pattern().target_is("all"));
    const Tap reply_tap = co_await me.overhear(Pattern().source_is("ann"));
    Body member = [](Agent& bob) -> Task<> {
      co_await bob.join(group("all"));
      co_await bob.send("main", "joined");
      expect_equal(co_await hear(bob), "la", "bob got");
    };
    co_await start(me, across(me, "bob"), member);
    co_await hear(me, addressed());
    co_await have_sent(me, ":all la");
    co_await expect_heard(me, group_tap, "la");
    const Message reply = co_await me.ask("ann", "well?", soon);
    expect_equal(reply.text(), "well?", "the reply");
    co_await expect_heard(me, reply_tap, "well?");
  });
}

void a_message_to_several_is_heard_once(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "messenger"), messenger());
    Body member = [](Agent& bob) -> Task<> {
      co_await bob.join(group("all"));
      co_await bob.send("main", "joined");
      (void)co_await bob.receive(from("nobody"));
    };
    for (const char* name : {"bob", "cid"}) co_await start(me, across(me, name), member);
    for (int i = 0; i < 2; ++i) co_await hear(me, addressed());
    const Tap by_target = co_await me.overhear(Pattern().target("bob|all"));
    const Tap by_text = co_await me.overhear(Pattern().text("^l[ao]"));
    co_await have_sent(me, ":all la");
    Post list({Name("ann"), Name("bob"), Name("cid")}, "lo");
    co_await me.send(std::move(list));
    co_await me.send("bob", "lola");
    co_await expect_heard(me, by_target, "la lo lola");
    co_await expect_heard(me, by_text, "la lo lola");
    co_await hear_nothing(me);
  });
}

class NotAnn final : public Policy {
 public:
  bool allows(std::string_view, Action action, const Name&,
              const Name& to) const noexcept override {
    return action != Action::overhear || to != Name("ann");
  }
};

void a_eavesdropper_gets_only_what_it_is_permitted_to_hear(const Subject& subject) {
  NodeOptions options = options_for(subject);
  options.policy = std::make_shared<NotAnn>();
  play(subject, options, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "messenger"), messenger());
    const Tap tap = co_await me.overhear(Pattern().source_is("messenger").text("secret|news"));
    co_await have_sent(me, ":ann secret");
    co_await have_sent(me, ":bob news");
    co_await expect_heard(me, tap, "news");
    co_await hear_nothing(me);
  });
}

}  // namespace

Cases eavesdrop_cases() {
  return {
      CORACLE_CASE(7, a_eavesdropper_gets_a_copy_and_the_target_its_message),
      CORACLE_CASE(7, patterns_look_at_source_target_and_text),
      CORACLE_CASE(7, patterns_look_at_components_and_formats),
      CORACLE_CASE(7, everything_sent_after_overhear_returned_is_heard_in_order),
      CORACLE_CASE(7, a_message_is_heard_whether_or_not_its_target_is_there),
      CORACLE_CASE(7, a_redelivery_is_not_heard_again),
      CORACLE_CASE(7, one_that_listens_slowly_is_told_how_many_it_missed),
      CORACLE_CASE(7, a_gap_marker_stands_where_the_copies_are_missing),
      CORACLE_CASE(7, a_slow_eavesdropper_does_not_delay_the_pair_it_listens_to),
      CORACLE_CASE(7, one_that_stops_listening_keeps_what_it_has_heard),
      CORACLE_CASE(7, one_may_listen_anew_as_often_as_one_likes),
      CORACLE_CASE(7, multicasts_and_replies_are_heard_too),
      CORACLE_CASE(7, a_message_to_several_is_heard_once),
      CORACLE_CASE(7, a_eavesdropper_gets_only_what_it_is_permitted_to_hear),
      CORACLE_CASE_ELSEWHERE(
          7, a_gap_of_a_node_that_died_is_unknown, second_node,
          "tests/simulation/societies/lost_nodes_test.cpp: "
          "how_much_a_node_that_died_had_sent_last_is_unknown_to_who_overheard_it"),
      CORACLE_CASE_ELSEWHERE(7, a_node_that_connects_later_gets_the_patterns_first, second_node,
                             "tests/simulation/societies/node_faults_test.cpp: "
                             "a_node_that_comes_later_is_overheard_from_its_first_message"),
  };
}

}  // namespace coracle::conformance
