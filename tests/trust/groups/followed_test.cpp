// A node makes copies and notices for an eavesdropper on another node: each once, also for messages
// to several, and within bounds.
#include "coracle/overhearing.hpp"
#include "member.hpp"
#include "runtime/groups/notes.hpp"
#include "runtime/groups/noticing.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace coracle::trust {

using namespace detail;

namespace {

// Eve, on another node, overhears ann, who sends to agents here.
struct FollowedAnn {
  explicit FollowedAnn(TapOptions options, int taps = 1, int first = 7) {
    life = lab.claim(eve, "eve");
    for (int i = 0; i < taps; ++i) open_tap(first + i, options);
    lab.run();
  }
  void open_tap(int id, TapOptions options) {
    Bytes bytes = tap(1, static_cast<std::uint64_t>(id), "eve", life, "ann");
    FrameWriter out(bytes);
    out.number(options.rate);
    out.byte(options.outcomes ? 1 : 0);
    lab.transport().feed(eve, bytes, {});
  }
  void start_reader(const char* name) {
    lab.start(name, [](Agent& me) -> Task<> {
      for (;;) (void)co_await me.receive();
    });
  }
  // Ann sends `messages` to all of `whom` at once.
  void send(int messages, std::vector<Name> whom) {
    lab.start("ann", [messages, whom](Agent& me) -> Task<> {
      for (int i = 0; i < messages; ++i) {
        Post post(whom, "hi");
        co_await me.send(std::move(post));
      }
      co_await me.pause(Deadline::never());
    });
  }
  std::size_t frames() const { return lab.count(eve, message_frame); }
  // The number of messages to eve that end with that note.
  std::size_t count(std::uint8_t note) const {
    const auto& sent = lab.transport().sent;
    const auto ends = [&](const auto& one) {
      return one.first == eve && one.second.front() == std::byte{message_frame} &&
             one.second.back() == std::byte{note};
    };
    return static_cast<std::size_t>(std::count_if(sent.begin(), sent.end(), ends));
  }
  // Returns whether the last message to eve is a gap of so many, for that tap.
  bool ends_with_gap(std::uint64_t missed, std::uint64_t tap_id) const {
    const Bytes gap = lab.last(eve, message_frame);
    const Bytes wanted = Frame(message_frame).number(missed).number(tap_id).bytes();
    return std::search(gap.begin(), gap.end(), wanted.begin() + 1, wanted.end()) != gap.end();
  }

  Lab lab;
  const LeaseId eve = lab.join();
  Incarnation life;
};

struct FollowedWithRate : FollowedAnn {
  FollowedWithRate() : FollowedAnn({.rate = 1, .outcomes = true}) {
    start_reader("bob");
    start_reader("cid");
  }
};
struct FollowedWithOutcomes : FollowedAnn {
  FollowedWithOutcomes() : FollowedAnn({.outcomes = true}) {}
};
struct FollowedWithout : FollowedAnn {
  FollowedWithout() : FollowedAnn(TapOptions()) {}
};

}  // namespace

BOOST_AUTO_TEST_SUITE(followed)

BOOST_FIXTURE_TEST_CASE(a_message_to_several_beyond_the_rate_counts_once, FollowedWithRate) {
  send(10, {"bob", "cid"});
  lab.run(500ms);
  BOOST_TEST(ends_with_gap(9, 7));
}

BOOST_FIXTURE_TEST_CASE(a_message_beyond_the_rate_has_no_notices, FollowedWithRate) {
  send(10, {"bob", "cid"});
  BOOST_TEST(count(consumed_note) == 2u);  // of the first message
}

BOOST_FIXTURE_TEST_CASE(a_message_to_several_is_copied_once, FollowedWithout) {
  start_reader("bob");
  start_reader("cid");
  send(10, {"bob", "cid"});
  BOOST_TEST(frames() == 10u);
}

BOOST_FIXTURE_TEST_CASE(a_tap_without_outcomes_gets_no_notices, FollowedWithout) {
  start_reader("bob");
  send(3, {"bob"});
  BOOST_TEST(frames() == 3u);
}

BOOST_FIXTURE_TEST_CASE(a_message_that_is_handed_out_twice_has_one_notice_of_it,
                        FollowedWithOutcomes) {
  lab.start("bob", [](Agent& me) -> Task<> {
    const Message message = co_await me.receive();
    throw std::runtime_error("bob is ill");
  });
  send(1, {"bob"});
  BOOST_TEST(count(consumed_note) == 0u);
  start_reader("bob");
  BOOST_TEST(count(consumed_note) == 1u);
  BOOST_TEST(count(handed_out_note) == 1u);
}

BOOST_FIXTURE_TEST_CASE(the_receipt_of_a_followed_message_learns_the_same, FollowedWithOutcomes) {
  start_reader("bob");
  bool is_consumed = false;
  lab.start("ann", [&](Agent& me) -> Task<> {
    Receipt receipt = co_await me.track(Post("bob", "hi"));
    is_consumed = co_await receipt.reached(Stage::consumed, Deadline(1s));
  });
  lab.run(2s);
  BOOST_TEST(is_consumed);
  BOOST_TEST(count(consumed_note) == 1u);
}

// Each reader's messages wait: a worker follows only so many of them.
BOOST_FIXTURE_TEST_CASE(a_worker_follows_a_limited_number_of_messages, FollowedWithOutcomes) {
  AgentSpec spec("bob");
  MailboxOptions mailbox;
  mailbox.messages(most_followed + 100).bytes(std::size_t{1} << 30);
  spec.mailbox(mailbox);
  lab.node().adopt(spec, std::make_unique<test::Doer>(
                             [](Agent& me) -> Task<> { co_await me.pause(Deadline::never()); }));
  lab.run();
  send(static_cast<int>(most_followed) + 5, {"bob"});
  lab.run(60s);
  BOOST_TEST(count(kept_note) == most_followed);
  BOOST_TEST(count(static_cast<std::uint8_t>(GapReason::notices)) >= 1u);
}

// Taps that are closed are still to learn what they missed before, so that they take room.
BOOST_AUTO_TEST_CASE(a_limited_number_of_taps_with_missed_copies_is_remembered) {
  constexpr int taps = 10'000;
  FollowedAnn stage(TapOptions(), taps);
  stage.start_reader("bob");
  stage.lab.transport().has_room = false;
  stage.lab.start("ann", [](Agent& me) -> Task<> {
    for (int i = 0; i < 2; ++i) {
      co_await me.send(Name("bob"), "hi");
      co_await me.pause(5s);
    }
    co_await me.pause(Deadline::never());
  });
  for (int id = 7; id < 7 + taps; ++id)
    stage.lab.transport().feed(stage.eve, Frame(no_tap_frame).number(id).bytes(), {});
  for (int id = 7 + taps; id < 7 + 2 * taps; ++id) stage.open_tap(id, TapOptions());
  stage.lab.run(10s);
  const std::size_t before = stage.frames();
  stage.lab.transport().has_room = true;
  stage.lab.transport().make_room(stage.eve);
  stage.lab.run(10s);
  BOOST_TEST(stage.frames() - before == 16'384u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
