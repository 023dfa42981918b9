// A member has no power over names, incarnations, taps and outcomes that are not its own. Each case
// is a lie of docs/trust.md, with its consequence.
#include "member.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>

namespace coracle::trust {

using namespace detail;
using Texts = std::vector<std::string>;

namespace {

// Reads all messages, and notes their sources.
test::Doer::What reading(Texts& into) {
  return [&into](Agent& me) -> Task<> {
    for (;;) {
      const Message message = co_await me.receive();
      const std::string report = message.overheard() ? "overheard " : "";
      into.push_back(report + message.source().name().str() + ": " + std::string(message.text()));
    }
  };
}

struct Society {
  Society() : eve(lab.join()), eves(lab.claim(eve, "eve")) {}

  Texts read;
  Lab lab;
  LeaseId eve;
  Incarnation eves;
};

// The kind of the last delivery report that the node has sent to a member about one name.
std::optional<std::uint8_t> last_report_for(const Lab& lab, LeaseId member) {
  const Bytes frame = lab.last(member, reports_frame);
  if (frame.empty()) return std::nullopt;
  FrameReader in(frame);
  (void)in.byte();
  if (in.number() < first_number) (void)in.text();
  return in.byte();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(frames)

BOOST_FIXTURE_TEST_CASE(a_probe_of_a_name_that_nobody_used_ends_nothing_but_itself, Society) {
  lab.start("bob", reading(read));
  for (const char* const name : {"nobody/ever", "eve", "bob"}) {
    lab.send(eve, Frame(probe_frame).name(name).number(0).name(name).number(0).text("").bytes());
  }
  BOOST_TEST(!lab.is_refused(eve));
}

BOOST_FIXTURE_TEST_CASE(a_letter_is_for_the_dead_letters_only, Society) {
  MessageFields fields{
      .target = "nobody/ever", .source = "eve", .flags = letter_flag, .tracked = true};
  lab.send(eve, message(fields), Content("hi"));
  BOOST_TEST(lab.is_refused(eve));
}

BOOST_FIXTURE_TEST_CASE(a_letter_that_asks_to_be_tracked_is_kept_like_any_other, Society) {
  MessageFields fields{
      .target = "dead-letters", .source = "eve", .flags = letter_flag, .tracked = true};
  lab.send(eve, message(fields), Content("hi"));
  BOOST_TEST(lab.count(eve, reports_frame) == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_tap_takes_no_name_from_its_holder, Society) {
  const LeaseId bank = lab.join();
  const Incarnation life = lab.claim(bank, "bank");
  Incarnation later = life;
  ++later.counter;
  for (const char* const role : {"", "x"}) {
    lab.send(eve, tap(7, 0x77, "bank", later, {}, role));
    BOOST_TEST(lab.count(eve, answer_frame) == 1u);
    lab.transport().sent.clear();
  }
  lab.start("ann", [](Agent& me) -> Task<> { co_await me.send(Name("bank"), "pin 1234"); });
  BOOST_TEST(lab.count(bank, message_frame) == 1u);
  BOOST_TEST(lab.count(eve, message_frame) == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_tap_ends_no_agent_here, Society) {
  lab.start("bob", reading(read));
  Incarnation later = lab.life_of("bob");
  ++later.counter;
  lab.send(eve, tap(7, 0x77, "bob", later, {}, "x"));
  lab.start("ann", [](Agent& me) -> Task<> { co_await me.send(Name("bob"), "hi"); });
  BOOST_TEST(read == Texts{"ann: hi"});
}

BOOST_FIXTURE_TEST_CASE(a_tap_takes_nothing_that_waits_for_an_absent_agent, Society) {
  lab.start("ann", [](Agent& me) -> Task<> { co_await me.send(Name("absent"), "secret"); });
  lab.send(eve, tap(7, 0x77, "absent", {0xfffffff0, 1}, {}, "x"));
  BOOST_TEST(lab.count(eve, message_frame) == 0u);
  lab.start("absent", reading(read));
  BOOST_TEST(read == Texts{"ann: secret"});
}

BOOST_FIXTURE_TEST_CASE(a_tap_of_its_own_hears_whatever_life_its_member_says, Society) {
  lab.send(eve, tap(7, 0x77, "eve", {1, 1}, "ann"));
  BOOST_TEST(lab.count(eve, answer_frame) == 1u);
  lab.start("ann", [](Agent& me) -> Task<> { co_await me.send(Name("nobody"), "hi"); });
  BOOST_TEST(lab.count(eve, message_frame) == 1u);
}

BOOST_FIXTURE_TEST_CASE(nobody_ends_another_members_tap, Society) {
  const LeaseId spy = lab.join();
  lab.claim(spy, "spy");
  lab.send(spy, tap(7, 0x77, "spy", lab.life_of("spy"), "ann"));
  lab.send(eve, tap(8, 0x77, "eve", eves, "nobody"));
  lab.send(eve, Frame(no_tap_frame).number(0x77).bytes());
  lab.start("ann", [](Agent& me) -> Task<> { co_await me.send(Name("absent"), "hi"); });
  BOOST_TEST(lab.count(spy, message_frame) == 1u);
  BOOST_TEST(lab.count(eve, message_frame) == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_gap_says_how_many_were_missed_and_nothing_else, Society) {
  lab.transport().sent.clear();
  lab.start("spy", [this](Agent& me) -> Task<> {
    const Tap opened = co_await me.overhear(Pattern().source("eve"), 8);
    (void)opened;
    for (;;) {
      const Message message = co_await me.receive();
      read.push_back(message.source().name().str() + ": " + std::string(message.text()) + " " +
                     std::to_string(message.gap()));
    }
  });
  const Bytes asked = lab.last(eve, tap_frame);
  BOOST_REQUIRE(!asked.empty());
  FrameReader in(asked);
  (void)in.byte();
  const std::uint64_t token = in.number(), id = in.number();
  lab.send(eve, Frame(answer_frame).number(token).byte(0).bytes());
  MessageFields fields{
      .target = "spy", .source = "boss", .flags = gap_flag, .has_fields = true, .tap = id};
  fields.life = lab.life_of("spy");
  fields.gap = 3;
  lab.send(eve, message(fields), Content("transfer 1,000,000"));
  for (const std::string& text : read) BOOST_TEST(text.find("transfer") == text.npos);
  for (const std::string& text : read) BOOST_TEST(text.find("boss") == text.npos);
}

BOOST_FIXTURE_TEST_CASE(a_gap_of_nothing_is_nonsense_and_so_is_a_message_that_is_one, Society) {
  lab.start("spy", reading(read));
  MessageFields fields{.target = "spy", .source = "eve", .has_fields = true};
  fields.life = lab.life_of("spy");
  fields.gap = 3;
  lab.send(eve, message(fields), Content("hi"));
  BOOST_TEST(lab.is_refused(eve));
  fields.source = {};
  fields.gap = 0;
  fields.flags = gap_flag;
  const LeaseId mallory = lab.join();
  lab.send(mallory, message(fields));
  BOOST_TEST(lab.is_refused(mallory));
  BOOST_TEST(read.empty());
}

// Each reply ends the request, because the other members are silent.
BOOST_FIXTURE_TEST_CASE(members_that_were_mute_answer_at_once, Society) {
  const LeaseId ann = lab.join(), bob = lab.join();
  int taps = 0;
  const auto listening = [&taps](Agent& me) -> Task<> {
    const Tap opened = co_await me.overhear(Pattern().source("eve"));
    (void)opened;
    ++taps;
    co_await me.pause(Deadline::never());
  };
  const auto answer = [this](LeaseId member) {
    const Bytes asked = lab.last(member, tap_frame);
    FrameReader in(asked);
    (void)in.byte();
    lab.transport().feed(member, Frame(answer_frame).number(in.number()).byte(0).bytes(), {});
  };
  lab.start("first", listening);
  lab.run(10s);
  BOOST_TEST(taps == 1);
  answer(eve);
  lab.start("second", listening);
  BOOST_TEST(taps == 1);
  answer(eve);
  answer(ann);
  answer(bob);
  lab.run();
  BOOST_TEST(taps == 2);
}

BOOST_FIXTURE_TEST_CASE(nobody_denies_what_it_was_not_asked, Society) {
  bool hears = false;
  const LeaseId bank = lab.join();
  lab.transport().sent.clear();
  lab.start("spy", [&](Agent& me) -> Task<> {
    (void)co_await me.overhear(Pattern().source("bank"), 8);
    hears = true;
  });
  const Bytes asked = lab.last(bank, tap_frame);
  BOOST_REQUIRE(!asked.empty());
  FrameReader in(asked);
  (void)in.byte();
  const std::uint64_t token = in.number();
  // eve replies for itself, and tries to reply for the other member.
  lab.send(eve, Frame(answer_frame).number(token).byte(0).bytes());
  lab.send(eve, Frame(denied_frame).number(token).bytes());
  lab.send(bank, Frame(answer_frame).number(token).byte(0).bytes());
  BOOST_TEST(hears);
}

BOOST_FIXTURE_TEST_CASE(nobody_speaks_in_a_name_that_another_member_holds, Society) {
  const LeaseId bank = lab.join();
  lab.claim(bank, "bank");
  lab.start("bob", reading(read));
  MessageFields fields{.target = "bob", .source = "bank"};
  fields.life = lab.life_of("bob");
  lab.send(eve, message(fields), Content("forged"));
  fields.source = "bob";
  fields.serial = 2;
  lab.send(eve, message(fields), Content("forged"));
  BOOST_TEST(read.empty());
  fields.serial = 1;
  fields.source = "bank";
  lab.send(bank, message(fields), Content("true"));
  BOOST_TEST(read == Texts{"bank: true"});
}

BOOST_FIXTURE_TEST_CASE(a_message_or_a_copy_of_nobody_makes_no_sense, Society) {
  lab.start("bob", [](Agent& me) -> Task<> {
    for (;;) {
      const Message message = co_await me.receive();
      co_await me.reply(message, "yes?");
    }
  });
  MessageFields fields{.target = "bob", .flags = request_flag};
  fields.life = lab.life_of("bob");
  lab.send(eve, message(fields), Content("hi"));
  BOOST_TEST(lab.is_refused(eve));
  const LeaseId mallory = lab.join();
  fields.flags = copy_flag;
  lab.send(mallory, message(fields), Content("hi"));
  BOOST_TEST(lab.is_refused(mallory));
}

BOOST_FIXTURE_TEST_CASE(what_an_agent_said_before_it_ended_is_still_heard, Society) {
  lab.start("bob", reading(read));
  const LeaseId other = lab.join();
  const Incarnation life = lab.claim(other, "carl");
  lab.leave("carl", life);
  lab.claim(eve, "carl");  // another member's now
  MessageFields fields{.target = "bob", .source = "carl"};
  fields.life = lab.life_of("bob");
  lab.send(other, message(fields), Content("my last words"));
  BOOST_TEST(read == Texts{"carl: my last words"});
}

BOOST_FIXTURE_TEST_CASE(nobody_answers_a_question_that_was_put_to_another_member, Society) {
  const LeaseId bank = lab.join();
  lab.claim(bank, "bank");
  std::string answer;
  lab.start("ann", [&](Agent& me) -> Task<> {
    answer = std::string((co_await me.ask(Name("bank"), "how much?")).text());
  });
  const Bytes asked = lab.last(bank, message_frame);
  BOOST_REQUIRE(!asked.empty());
  FrameReader in(asked);
  (void)in.byte();
  for (int name = 0; name < 1; ++name) {
    if (in.number() < first_number) (void)in.text();
  }
  (void)in.number(), (void)in.number(), (void)in.byte();
  if (in.number() < first_number) (void)in.text();
  (void)in.number(), (void)in.number();
  MessageFields fields{.target = "ann", .source = "eve", .flags = reply_flag};
  fields.life = lab.life_of("ann");
  fields.conversation = in.number();
  lab.send(eve, message(fields), Content("nothing"));
  BOOST_TEST(answer == "");
  fields.source = "bank";
  lab.send(bank, message(fields), Content("a lot"));
  BOOST_TEST(answer == "a lot");
}

BOOST_FIXTURE_TEST_CASE(reports_end_nothing_twice_and_nothing_of_others, Society) {
  const LeaseId bank = lab.join();
  lab.claim(bank, "bank");
  int consumed = 0;
  lab.start("ann", [&](Agent& me) -> Task<> {
    std::vector<Receipt> receipts;
    for (int count = 0; count < 6; ++count)
      receipts.push_back(co_await me.track(Post(Name("bank"), std::to_string(count))));
    for (Receipt& receipt : receipts) consumed += co_await receipt.reached(Stage::consumed) ? 1 : 0;
  });
  const auto reports = [](std::uint64_t what, std::uint64_t first, std::uint64_t count) {
    return Frame(reports_frame).name("bank").byte(what).number(first).number(count).bytes();
  };
  constexpr auto done = static_cast<std::uint64_t>(ReportKind::consumed);
  lab.send(eve, reports(done, 1, 6));
  BOOST_TEST(lab.node().ledger().in_flight == 6u);
  lab.send(bank, reports(done, 2, 2));
  lab.send(bank, reports(done, 5, 1));
  for (std::uint64_t what = 0; what <= last_report; ++what) {
    lab.send(bank, reports(what, 2, 1));
    lab.send(bank, reports(static_cast<std::uint64_t>(ReportKind::moved_on), 4, 1));
    lab.send(bank, reports(what, 4, 1));
  }
  lab.send(bank, reports(done, 1, 1000));
  lab.send(bank, reports(done, 1, 1000));
  BOOST_TEST(lab.node().ledger().balanced());
  BOOST_TEST(!lab.is_refused(bank));
}

BOOST_FIXTURE_TEST_CASE(what_only_a_message_store_may_say_is_nothing_from_others, Society) {
  const LeaseId bank = lab.join();
  lab.claim(bank, "bank");
  bool is_stored = false;
  lab.start("ann", [&](Agent& me) -> Task<> {
    Receipt receipt = co_await me.track(Post(Name("bank"), "hi"));
    is_stored = co_await receipt.reached(Stage::stored, Deadline(1s));
  });
  lab.send(bank, Frame(reports_frame).name("bank").byte(kept_report).number(1).number(1).bytes());
  lab.send(bank, Frame(reports_frame).name("bank").byte(later_report).number(1).number(1).bytes());
  lab.run(2s);
  BOOST_TEST(!is_stored);
  BOOST_TEST(lab.node().ledger().balanced());
}

BOOST_FIXTURE_TEST_CASE(names_that_a_member_merely_mentions_leave_no_record, Society) {
  const std::size_t before = lab.node().core().mailboxes().size();
  for (int count = 0; count < 200; ++count) {
    const std::string name = "x/" + std::to_string(count);
    lab.send(eve, Frame(slot_withdrawal_frame).name(name).number(1).bytes());
    lab.send(eve, Frame(slot_answer_frame).name(name).number(1).byte(0).bytes());
    lab.send(eve, Frame(reports_frame).name(name).byte(0).number(1).number(1).bytes());
    lab.send(eve, Frame(mailbox_frame).name(name).mailbox().bytes());
    lab.send(eve, Frame(closed_frame).name(name).number(1).byte(0).text("").bytes());
    lab.send(eve, Frame(probe_frame).name(name).number(1).name(name).number(0).text("").bytes());
    MessageFields fields{.target = name, .source = "eve", .life = {1, 9}};
    lab.send(eve, message(fields), Content("hi"));
    BOOST_TEST(last_report_for(lab, eve).has_value());
    lab.send(eve, message(fields, slot_request_frame), Content("hi"));
    lab.send(eve, tap(1, 7, name, {1, 1}));
  }
  BOOST_TEST(lab.node().core().mailboxes().size() < before + 8);
}

BOOST_FIXTURE_TEST_CASE(who_says_that_its_life_was_a_later_one_keeps_the_name_from_nobody,
                        Society) {
  const auto sending = [](Agent& me) -> Task<> {
    co_await me.send(Name("eve"), "hi");
    co_await me.pause(Deadline::never());
  };
  lab.start("ann", sending);
  lab.send(eve, Frame(closed_frame).name("eve").number(~std::uint64_t{0}).byte(0).text("").bytes());
  lab.leave("eve", eves);
  lab.run(11s);  // it never reports an outcome of the message
  const LeaseId later = lab.join();
  lab.claim(later, "eve");
  lab.start("bob", sending);
  BOOST_TEST(lab.count(later, message_frame) == 2u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
