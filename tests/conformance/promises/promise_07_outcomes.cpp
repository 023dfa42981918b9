// Promise 7: a tap with outcomes also gets notices of what becomes of the messages that were copied
// for it; a tap with a rate gets gaps that count the messages beyond it.
#include "coracle/message_kind.hpp"
#include "play.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace coracle::conformance {

namespace {

TapOptions with_outcomes() { return {.outcomes = true}; }

std::string text_of(const Notice& notice) {
  std::string text = to_string(notice.stage);
  if (notice.outcome) text = to_string(*notice.outcome);
  if (notice.drop_reason) text += std::string(" (") + to_string(*notice.drop_reason) + ")";
  return text;
}

// Returns the notices of a tap until `ends` messages have ended: for each receiver, its notices.
// Earlier stages than the end may be left out.
Task<std::map<std::string, std::string>> notices_of(Agent& me, Tap tap, int ends,
                                                    const char* file = __builtin_FILE(),
                                                    int line = __builtin_LINE()) {
  std::map<std::string, std::string> all;
  while (ends > 0) {
    const Message message = co_await take(me, overheard_by(tap), file, line);
    expect_equal(message.gap(), 0u, "missing notices", file, line);
    const std::optional<Notice> notice = message.notice();
    if (!notice) continue;
    std::string& texts = all[notice->receiver.str()];
    texts += (texts.empty() ? "" : ", ") + text_of(*notice);
    if (notice->stage == NoticeStage::ended) --ends;
  }
  co_return all;
}

std::string last_of(const std::string& notices) {
  const std::size_t comma = notices.rfind(", ");
  return comma == std::string::npos ? notices : notices.substr(comma + 2);
}

// An agent that reads what ann or a messenger has sent when bob tells it to.
Body reading_when_told(std::string whose) {
  return [whose](Agent& me) -> Task<> {
    co_await hear(me, from("bob"));
    co_await hear(me, from(whose.c_str()));
    co_await me.pause(Deadline(std::chrono::hours(1)));
  };
}

Body telling(std::string whom) {
  return [whom](Agent& bob) -> Task<> { co_await bob.send(whom, "read on"); };
}

// Sends what main asks for, in the same words.
Body speaking(std::string whom) {
  return [whom](Agent& ann) -> Task<> {
    for (;;) {
      const Message order = co_await ann.receive();
      const std::string text(order.text());
      co_await ann.send(whom, text);
    }
  };
}

void the_stages_of_an_overheard_message_are_told_behind_its_copy(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "cid"), reading_when_told("ann"));
    co_await start(me, across(me, "ann"), speaking("cid"));
    const Tap tap = co_await me.overhear(Pattern().source_is("ann"), with_outcomes());
    co_await me.send("ann", "hello");
    const Message copy = co_await take(me);
    expect(copy.overheard() && !copy.notice(), "the copy comes first, and is no notice");
    expect_equal(copy.text(), "hello", "its text");
    expect(copy.source_life() != Incarnation(), "the copy has the life of its source");
    const Message kept = co_await take(me);
    expect(kept.notice() && kept.notice()->stage == NoticeStage::kept, "then cid's mailbox has it");
    expect(!kept.notice()->outcome && !kept.notice()->drop_reason, "that is no end");
    co_await start(me, "bob", telling("cid"));
    const Message handed = co_await take(me);
    expect(handed.notice() && handed.notice()->stage == NoticeStage::handed_out, "cid receives it");
    const Message ended = co_await take(me);
    expect(ended.notice() && ended.notice()->stage == NoticeStage::ended, "it ends");
    expect(ended.notice()->outcome == Outcome::consumed, "it was consumed");
    for (const Message* each : {&kept, &handed, &ended}) {
      expect(each->overheard() && each->gap() == 0, "a notice counts as overheard");
      expect_equal(each->tap(), tap.id, "its tap");
      expect_equal(each->source().name(), Name("ann"), "its source");
      expect(each->source_life() == copy.source_life(), "the life of its source");
      expect_equal(each->sequence(), copy.sequence(), "its sequence");
      expect_equal(each->target(), Name("cid"), "its target");
      expect_equal(each->notice()->receiver, Name("cid"), "its receiver");
    }
    co_await hear_nothing(me);
  });
}

void a_tap_without_outcomes_gets_copies_only(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "cid"), echo_to("main"));
    co_await start(me, across(me, "ann"), speaking("cid"));
    const Tap plain = co_await me.overhear(Pattern().source_is("ann"));
    const Tap full = co_await me.overhear(Pattern().source_is("ann"), with_outcomes());
    co_await me.send("ann", "hello");
    expect_equal(co_await hear(me, addressed()), "hello", "cid got it");
    const auto notices = co_await notices_of(me, full, 1);
    expect_equal(last_of(notices.at("cid")), "consumed", "its end");
    expect_equal(co_await hear(me, overheard_by(plain)), "hello", "the copy");
    co_await hear_nothing(me);
  });
}

void a_notice_names_the_outcome_of_an_expired_message(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "cid"), deaf());
    const Tap tap = co_await me.overhear(Pattern().target_is("cid"), with_outcomes());
    Post post("cid", "x");
    post.expires(5ms);
    co_await me.send(std::move(post));
    const auto notices = co_await notices_of(me, tap, 1);
    expect_equal(notices.at("cid"), "kept, expired", "its notices");
    co_await hear_nothing(me);
  });
}

void a_message_for_nobody_has_no_stage_and_expires(const Subject& subject) {
  NodeOptions options = options_for(subject);
  options.absent_time_to_live = 10ms;
  play(subject, options, [](Agent& me) -> Task<> {
    const Tap tap = co_await me.overhear(Pattern().target_is("absent"), with_outcomes());
    co_await me.send("absent", "x");
    const auto notices = co_await notices_of(me, tap, 1);
    expect_equal(notices.at("absent"), "expired", "its notices");
  });
}

void a_notice_names_the_reason_of_a_dropped_message(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    AgentSpec spec = across(me, "box");
    spec.mailbox(room_for(1, Overflow::drop_oldest));
    Body waiting = [](Agent& box) -> Task<> { co_await hear(box, from("bob")); };
    co_await start_here(me, spec, waiting);
    const Tap tap = co_await me.overhear(Pattern().target_is("box"), with_outcomes());
    for (const char* text : {"1", "2"}) co_await me.send("box", text);
    const auto notices = co_await notices_of(me, tap, 1);
    expect_equal(last_of(notices.at("box")), "dropped (oldest)", "the first one's end");
  });
}

void each_receiver_of_a_multicast_has_notices_of_its_own(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body reading = [](Agent& bob) -> Task<> {
      co_await bob.join(group("all"));
      co_await bob.send("main", "joined");
      co_await hear(bob);
      co_await bob.send("main", "read");
      co_await bob.pause(Deadline(std::chrono::hours(1)));
    };
    for (const char* name : {"bob", "cid", "dan"}) co_await start(me, across(me, name), reading);
    for (int i = 0; i < 3; ++i) co_await hear(me, addressed());
    const Tap tap = co_await me.overhear(Pattern().target_is("all"), with_outcomes());
    co_await me.multicast(group("all"), "la");
    const Message copy = co_await take(me, overheard_by(tap));
    std::map<std::string, Outcome> ends;
    while (ends.size() < 3) {
      const Message message = co_await take(me, overheard_by(tap));
      expect(message.notice().has_value(), "there is one copy");
      expect_equal(message.sequence(), copy.sequence(), "the sequence is the copy's");
      expect_equal(message.target(), Name("all"), "the target is the group");
      const Notice notice = *message.notice();
      if (notice.outcome) ends[notice.receiver.str()] = *notice.outcome;
    }
    for (const char* name : {"bob", "cid", "dan"})
      expect(ends.at(name) == Outcome::consumed, "each has consumed it");
  });
}

void each_target_of_a_list_has_notices_of_its_own(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    for (const char* name : {"bob", "cid"}) co_await start(me, across(me, name), echo_to("main"));
    const Tap tap = co_await me.overhear(Pattern().text("^lo$").source_is("main"), with_outcomes());
    Post list({Name("bob"), Name("cid")}, "lo");
    co_await me.send(std::move(list));
    const auto notices = co_await notices_of(me, tap, 2);
    for (const char* name : {"bob", "cid"})
      expect_equal(last_of(notices.at(name)), "consumed", "its end");
  });
}

void a_redelivered_message_is_handed_out_once_in_notices(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body crashing = [](Agent& cid) -> Task<> {
      const Message message = co_await take(cid);
      throw Crash();
    };
    const Tap tap = co_await me.overhear(Pattern().target_is("cid"), with_outcomes());
    co_await start(me, across(me, "cid"), crashing);
    co_await me.send("cid", "hello");
    co_await gone(me, "cid");
    co_await start(me, across(me, "cid"), echo_to("main"));
    expect_equal(co_await hear(me, addressed()), "hello", "it was given again");
    const auto notices = co_await notices_of(me, tap, 1);
    const std::string& all = notices.at("cid");
    expect_equal(last_of(all), "consumed", "its end");
    expect(all.find("handed out") == all.rfind("handed out"), "it is handed out once: " + all);
    co_await hear_nothing(me);
  });
}

void a_redirected_message_ends_under_the_name_that_it_was_sent_to(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    AgentSpec spec = across(me, "box");
    spec.mailbox(MailboxOptions().messages(1).redirect_to("spill"));
    co_await start_here(me, spec, deaf());
    co_await start(me, "spill", echo_to("main"));
    co_await me.send("box", "fills");
    const Tap tap = co_await me.overhear(Pattern().target_is("box"), with_outcomes());
    co_await me.send("box", "spills");
    expect_equal(co_await hear(me, addressed()), "spills", "the other got it");
    const auto notices = co_await notices_of(me, tap, 1);
    expect_equal(last_of(notices.at("box")), "consumed", "its end");
  });
}

void a_request_and_its_reply_end_each_by_itself(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "cid"), answering());
    const Tap tap = co_await me.overhear(Pattern().text("^well"), with_outcomes());
    {
      const Message reply = co_await me.ask("cid", "well?", soon);
      expect_equal(reply.text(), "well?", "the reply");
    }
    const auto notices = co_await notices_of(me, tap, 2);
    expect_equal(last_of(notices.at("cid")), "consumed", "the end of the request");
    expect_equal(last_of(notices.at("main")), "consumed", "the end of the reply");
  });
}

void a_copy_has_the_kind_of_its_message_and_is_no_request(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body judging = [](Agent& cid) -> Task<> {
      for (;;) {
        const Message message = co_await cid.receive();
        if (message.text() == "ill?") co_await cid.refuse(message, "ill");
        else if (message.is_request()) co_await cid.reply(message, "well");
      }
    };
    co_await start(me, across(me, "cid"), judging);
    const Tap tap = co_await me.overhear(Pattern().text("ill|ell|plain"));
    co_await me.send("cid", "plain");
    {
      const Message reply = co_await me.ask("cid", "well?", soon);
      expect(copied_kind(reply) == MessageKind::plain, "only a copy has the kind of another");
    }
    const auto refusal = co_await error_of(
        [](Agent& self) -> Task<> { (void)co_await self.ask("cid", "ill?", soon); }(me));
    expect_error(refusal, Errc::refused, "cid refuses");
    std::map<std::string, MessageKind> kinds;
    while (kinds.size() < 5) {
      const Message copy = co_await take(me, overheard_by(tap));
      expect(copy.overheard() && !copy.notice() && !copy.is_request(), "a copy, and no request");
      kinds[std::string(copy.text())] = copied_kind(copy);
    }
    expect(kinds.at("plain") == MessageKind::plain, "a plain message");
    expect(kinds.at("well?") == MessageKind::request, "a request");
    expect(kinds.at("well") == MessageKind::reply, "its reply");
    expect(kinds.at("ill?") == MessageKind::request, "another request");
    expect(kinds.at("ill") == MessageKind::failure, "the reply that it is refused");
    co_await hear_nothing(me);
  });
}

void a_receipt_reports_the_same_beside_notices(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "cid"), reading_when_told("main"));
    const Tap tap =
        co_await me.overhear(Pattern().source_is("main").target_is("cid"), with_outcomes());
    Receipt receipt = co_await me.track(Post("cid", "x"));
    expect(co_await receipt.reached(Stage::delivered, soon), "delivered");
    expect(!receipt.first().outcome, "not ended while it waits");
    co_await start(me, "bob", telling("cid"));
    expect(co_await receipt.reached(Stage::consumed, soon), "consumed");
    const auto notices = co_await notices_of(me, tap, 1);
    expect_equal(notices.at("cid"), "kept, handed out, consumed", "its notices");
  });
}

void a_stored_message_ends_in_a_notice_too(const Subject& subject) {
  Society society(storing_nodes_of(subject), options_for(subject));
  society.run([](Agent& me) -> Task<> {
    const Tap tap = co_await me.overhear(Pattern().target_is("cid"), with_outcomes());
    co_await me.send("cid", "x");
    co_await start(me, across(me, "cid"), echo_to("main"));
    expect_equal(co_await hear(me, addressed()), "x", "cid got it");
    const auto notices = co_await notices_of(me, tap, 1);
    expect_equal(last_of(notices.at("cid")), "consumed", "its end");
  });
}

void notices_that_find_no_room_are_counted_and_displace_no_copies(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    co_await start(me, across(me, "cid"), echo_to("main"));
    const Tap tap =
        co_await me.overhear(Pattern().target_is("cid"), {.limit = 2, .outcomes = true});
    for (const char* text : {"1", "2", "3", "4", "5", "6", "7", "8"}) {
      co_await me.send("cid", text);
      expect_equal(co_await hear(me, addressed()), text, "cid got it");
    }
    // At least the ends come; two of them find room, and four other notices at most.
    std::uint64_t copies = 0, notices = 0, missing_copies = 0, missing_notices = 0;
    while (copies + missing_copies < 8 || notices + missing_notices < 8) {
      const Message message = co_await take(me, overheard_by(tap));
      if (message.gap_reason() == GapReason::notices) missing_notices += message.gap();
      else if (message.gap() != 0) missing_copies += message.gap();
      else if (message.notice()) ++notices;
      else ++copies;
    }
    expect(copies >= 2, "two copies find room");
    expect_equal(copies + missing_copies, 8u, "copies and missing copies");
    expect(missing_notices > 0, "notices are missing");
  });
}

void what_exceeds_the_rate_of_a_tap_is_counted(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    Body counting = [](Agent& ann) -> Task<> {
      co_await hear(ann);
      co_await count_to(ann, "cid", 100);
    };
    co_await start(me, across(me, "cid"), echo_to("dan"));
    co_await start(me, across(me, "dan"), echo_to("ear"));
    co_await start(me, across(me, "ann"), counting);
    const Tap tap = co_await me.overhear(Pattern().source_is("ann"), {.rate = 1});
    co_await me.send("ann", "go");
    std::uint64_t copies = 0, missing = 0, gaps = 0;
    while (copies + missing < 100) {
      const Message message = co_await take(me, overheard_by(tap));
      if (message.gap() == 0) {
        ++copies;
        continue;
      }
      expect(message.gap_reason() == GapReason::rate, "the reason");
      missing += message.gap();
      ++gaps;
    }
    expect_equal(copies + missing, 100u, "copies and missing ones");
    expect(copies >= 1 && copies < 50, "the rate limits the copies");
    expect(gaps < 50, "gaps do not come for each message");
  });
}

void a_multicast_beyond_the_rate_is_counted_once(const Subject& subject) {
  play(subject, [](Agent& me) -> Task<> {
    for (const char* name : {"bob", "cid"}) co_await start(me, across(me, name), echo_to("main"));
    const Tap tap = co_await me.overhear(Pattern().text("^l"), {.rate = 1});
    for (int i = 0; i < 3; ++i) {
      Post list({Name("bob"), Name("cid")}, "lo");
      co_await me.send(std::move(list));
    }
    std::uint64_t copies = 0;
    for (int i = 0; i < 6; ++i) co_await hear(me, addressed());
    while (copies < 9) {  // three lists, and six echoes
      const Message message = co_await take(me, overheard_by(tap));
      copies += std::max<std::uint64_t>(message.gap(), 1);
    }
    expect_equal(copies, 9u, "each message is counted once");
    co_await hear_nothing(me, overheard_by(tap));
  });
}

}  // namespace

Cases notice_cases() {
  return {
      CORACLE_CASE(7, the_stages_of_an_overheard_message_are_told_behind_its_copy),
      CORACLE_CASE(7, a_tap_without_outcomes_gets_copies_only),
      CORACLE_CASE(7, a_copy_has_the_kind_of_its_message_and_is_no_request),
      CORACLE_CASE(7, a_notice_names_the_outcome_of_an_expired_message),
      CORACLE_CASE(7, a_message_for_nobody_has_no_stage_and_expires),
      CORACLE_CASE(7, a_notice_names_the_reason_of_a_dropped_message),
      CORACLE_CASE(7, each_receiver_of_a_multicast_has_notices_of_its_own),
      CORACLE_CASE(7, each_target_of_a_list_has_notices_of_its_own),
      CORACLE_CASE(7, a_redelivered_message_is_handed_out_once_in_notices),
      CORACLE_CASE(7, a_redirected_message_ends_under_the_name_that_it_was_sent_to),
      CORACLE_CASE(7, a_request_and_its_reply_end_each_by_itself),
      CORACLE_CASE(7, a_receipt_reports_the_same_beside_notices),
      CORACLE_CASE_NEEDS(7, a_stored_message_ends_in_a_notice_too, storage),
      CORACLE_CASE(7, notices_that_find_no_room_are_counted_and_displace_no_copies),
      CORACLE_CASE(7, what_exceeds_the_rate_of_a_tap_is_counted),
      CORACLE_CASE(7, a_multicast_beyond_the_rate_is_counted_once),
  };
}

}  // namespace coracle::conformance
