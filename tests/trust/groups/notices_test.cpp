// Notices and gaps with a reason, between nodes: the node that sends them, and the node that reads
// them and believes only what makes sense.
#include "coracle/message_kind.hpp"
#include "member.hpp"
#include "runtime/groups/notes.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace coracle::trust {

using namespace detail;

namespace {

Bytes tap_with(std::uint64_t id, Incarnation life, const TapOptions& options) {
  Bytes bytes = tap(1, id, "eve", life, "ann");
  FrameWriter out(bytes);
  out.number(options.rate);
  out.byte(options.outcomes ? 1 : 0);
  return bytes;
}

// An eavesdropper on another node, and the agents that it overhears.
struct Overheard {
  explicit Overheard(TapOptions options) {
    lab.send(eve, tap_with(7, lab.claim(eve, "eve"), options));
    lab.start("bob", [](Agent& me) -> Task<> {
      for (;;) (void)co_await me.receive();
    });
  }
  void send(int messages) {
    lab.start("ann", [messages](Agent& me) -> Task<> {
      for (int i = 0; i < messages; ++i) co_await me.send(Name("bob"), "hi");
      co_await me.pause(Deadline::never());
    });
  }
  // The last bytes of the messages to the eavesdropper.
  std::vector<std::uint8_t> ends() const {
    std::vector<std::uint8_t> all;
    for (const auto& [to, frame] : lab.transport().sent) {
      if (to == eve && frame.front() == std::byte{message_frame})
        all.push_back(std::to_integer<std::uint8_t>(frame.back()));
    }
    return all;
  }

  Lab lab;
  const LeaseId eve = lab.join();
};

struct WithOutcomes : Overheard {
  WithOutcomes() : Overheard({.outcomes = true}) {}
};
struct WithRate : Overheard {
  WithRate() : Overheard({.rate = 20}) {}
};

// The kind of the message that was copied, unless it was plain.
std::string kind_of(const Message& copy) {
  switch (copied_kind(copy)) {
    case MessageKind::plain:
      return {};
    case MessageKind::request:
      return " requested";
    case MessageKind::reply:
      return " replied";
    case MessageKind::failure:
      return " failed";
  }
  return " of no kind";
}

// An eavesdropper here, and a member that sends it notices.
struct ListeningSpy {
  ListeningSpy() {
    lab.start("spy", [this](Agent& me) -> Task<> {
      (void)co_await me.overhear(Pattern(), {.outcomes = true});
      for (;;) {
        const Message message = co_await me.receive();
        if (const auto notice = message.notice())
          heard.push_back(notice->receiver.str() + " " + to_string(notice->stage));
        else if (message.gap() != 0)
          heard.push_back(to_string(message.gap_reason()) + std::to_string(message.gap()));
        else heard.push_back(std::string(message.text()) + kind_of(message));
      }
    });
    FrameReader in(asked = lab.last(eve, tap_frame));
    (void)in.byte();
    const std::uint64_t token = in.number();
    fields.tap = in.number();
    lab.send(eve, Frame(answer_frame).number(token).byte(0).bytes());
    fields.life = lab.life_of("spy");
  }
  void send(std::uint64_t flags, std::uint8_t note, const char* content = "") {
    fields.flags = flags;
    fields.note = note;
    fields.gap = flags == gap_flag ? 5 : 0;
    lab.send(eve, message(fields), *content == '\0' ? Content() : Content(content));
  }

  std::vector<std::string> heard;
  Lab lab;
  const LeaseId eve = lab.join();
  const Incarnation eves = lab.claim(eve, "eve");
  Bytes asked;
  MessageFields fields{.target = "spy",
                       .source = "eve",
                       .has_fields = true,
                       .addressed = "choir",
                       .source_life = {1, 1}};
};

// An eavesdropper here, with room for one copy, that reads after a while.
struct DeafSpy {
  DeafSpy() {
    lab.claim(eve, "eve");
    lab.start("spy", [this](Agent& me) -> Task<> {
      (void)co_await me.overhear(Pattern(), {.limit = 1});
      co_await me.pause(10s);
      for (;;) {
        const Message message = co_await me.receive();
        gaps.push_back(message.gap());
      }
    });
    FrameReader in(asked = lab.last(eve, tap_frame));
    (void)in.byte();
    const std::uint64_t token = in.number();
    fields.tap = in.number();
    lab.send(eve, Frame(answer_frame).number(token).byte(0).bytes());
    fields.life = lab.life_of("spy");
  }

  std::vector<std::uint64_t> gaps;
  Lab lab;
  const LeaseId eve = lab.join();
  Bytes asked;
  MessageFields fields{.target = "spy", .source = "eve", .has_fields = true, .addressed = "choir"};
};

using Texts = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_SUITE(notices)

BOOST_FIXTURE_TEST_CASE(an_eavesdropper_elsewhere_gets_the_stages_behind_the_copy, WithOutcomes) {
  send(1);
  const auto all = ends();
  BOOST_TEST_REQUIRE(all.size() >= 3u);
  BOOST_TEST(all.at(all.size() - 2) == handed_out_note);
  BOOST_TEST(all.back() == consumed_note);
}

BOOST_FIXTURE_TEST_CASE(an_eavesdropper_elsewhere_gets_no_more_than_its_rate, WithRate) {
  send(100);
  BOOST_TEST(lab.count(eve, message_frame) == 1u);
  lab.run(1s);
  BOOST_TEST(lab.count(eve, message_frame) == 2u);
  BOOST_TEST(ends().back() == static_cast<std::uint8_t>(GapReason::rate));
  const Bytes gap = lab.last(eve, message_frame);
  const Bytes count = Frame(message_frame).number(99).number(7).bytes();
  BOOST_TEST((std::search(gap.begin(), gap.end(), count.begin() + 1, count.end()) != gap.end()));
}

BOOST_FIXTURE_TEST_CASE(a_tap_that_ends_learns_at_once_what_was_beyond_its_rate, WithRate) {
  send(100);
  lab.send(eve, Frame(no_tap_frame).number(7).bytes());
  BOOST_TEST(lab.count(eve, message_frame) == 2u);
}

BOOST_AUTO_TEST_CASE(a_tap_with_options_in_another_form_is_denied) {
  Lab lab;
  const LeaseId eve = lab.join();
  Bytes bytes = tap(1, 7, "eve", lab.claim(eve, "eve"), "ann");
  FrameWriter out(bytes);
  out.number(0);
  out.byte(2);
  lab.send(eve, bytes);
  BOOST_TEST(lab.count(eve, denied_frame) == 1u);
  BOOST_TEST(lab.count(eve, answer_frame) == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_notice_is_read, ListeningSpy) {
  send(copy_flag, kept_note, "spy/ear");
  send(copy_flag, last_stage_note);
  send(gap_flag, 1);
  send(gap_flag, 2);
  BOOST_TEST(heard == (Texts{"spy/ear kept", "choir ended", "rate5", "notices5"}));
  BOOST_TEST(!lab.is_refused(eve));
}

BOOST_FIXTURE_TEST_CASE(a_copy_states_the_kind_of_its_message, ListeningSpy) {
  send(copy_flag, no_note, "//");
  send(copy_flag, request_note, "//");
  send(copy_flag, reply_note, "//");
  send(copy_flag, failure_note, "//");
  BOOST_TEST(heard == (Texts{"//", "// requested", "// replied", "// failed"}));
  BOOST_TEST(!lab.is_refused(eve));
}

BOOST_FIXTURE_TEST_CASE(a_notice_of_no_stage_is_nonsense, ListeningSpy) {
  send(copy_flag, last_note + 1);
  BOOST_TEST(lab.is_refused(eve));
}

BOOST_FIXTURE_TEST_CASE(a_notice_for_no_name_is_nonsense, ListeningSpy) {
  send(copy_flag, kept_note, "//");
  BOOST_TEST(lab.is_refused(eve));
}

BOOST_FIXTURE_TEST_CASE(a_message_that_is_no_copy_has_no_note, ListeningSpy) {
  send(0, kept_note);
  BOOST_TEST(lab.is_refused(eve));
}

BOOST_FIXTURE_TEST_CASE(a_gap_for_no_known_reason_is_nonsense, ListeningSpy) {
  send(gap_flag, 3);
  BOOST_TEST(lab.is_refused(eve));
}

BOOST_FIXTURE_TEST_CASE(a_notice_in_the_name_of_somebody_else_is_not_read, ListeningSpy) {
  const LeaseId bank = lab.join();
  lab.claim(bank, "bank");
  fields.source = "bank";
  send(copy_flag, kept_note);
  BOOST_TEST(heard.empty());
}

BOOST_FIXTURE_TEST_CASE(a_notice_for_another_tap_is_not_read, ListeningSpy) {
  ++fields.tap;
  send(copy_flag, kept_note);
  BOOST_TEST(heard.empty());
}

// A liar reports gaps whose sum is beyond all numbers, to an eavesdropper that does not read.
BOOST_FIXTURE_TEST_CASE(a_sum_of_gaps_beyond_all_numbers_is_unknown, DeafSpy) {
  fields.flags = gap_flag;
  fields.note = 1;
  fields.gap = largest_gap - 1;
  const std::uint64_t beyond = MessageView::unknown_gap / fields.gap + 2;
  for (std::uint64_t i = 0; i < beyond; ++i) lab.transport().feed(eve, message(fields), {});
  lab.run(11s);
  BOOST_TEST(!lab.is_refused(eve));
  BOOST_TEST(gaps == (std::vector<std::uint64_t>{fields.gap, MessageView::unknown_gap}),
             boost::test_tools::per_element());
}

// The eavesdropper does not read: notices beyond their limit are counted.
BOOST_AUTO_TEST_CASE(notices_without_end_take_no_room) {
  Lab lab;
  const LeaseId eve = lab.join();
  lab.claim(eve, "eve");
  std::size_t copies = 0, waiting = 0;
  std::uint64_t missed = 0;
  lab.start("spy", [&](Agent& me) -> Task<> {
    (void)co_await me.overhear(Pattern(), {.limit = 4, .outcomes = true});
    co_await me.pause(10s);
    waiting = me.pending(Match());
    while (const std::optional<Message> message = me.try_receive()) {
      if (message->gap_reason() == GapReason::notices) missed += message->gap();
      copies += message->notice() || message->gap() != 0 ? 0 : 1;
    }
    co_await me.pause(Deadline::never());
  });
  const Bytes asked = lab.last(eve, tap_frame);
  FrameReader in(asked);
  (void)in.byte();
  const std::uint64_t token = in.number();
  MessageFields fields{.target = "spy",
                       .source = "eve",
                       .flags = copy_flag,
                       .has_fields = true,
                       .addressed = "choir",
                       .tap = in.number()};
  lab.send(eve, Frame(answer_frame).number(token).byte(0).bytes());
  fields.life = lab.life_of("spy");
  fields.note = kept_note;
  for (int i = 0; i < 100; ++i) lab.send(eve, message(fields), {});
  fields.note = 0;
  for (int i = 0; i < 3; ++i) lab.send(eve, message(fields), Content("hi"));
  lab.run(10s);
  BOOST_TEST(copies == 3u);
  BOOST_TEST(waiting == 12u + 3u);
  BOOST_TEST(missed == 88u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
