// Messages that an operator holds: nothing is lost, overtaken or stuck.
#include "coracle/inspection.hpp"
#include "held_stage.hpp"
#include "inspection/step_parts.hpp"
#include "member.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::trust {

using namespace detail;

namespace {

using HeldTexts = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_SUITE(holding)

BOOST_AUTO_TEST_CASE(held_messages_are_released_one_by_one_and_in_their_order) {
  for (const unsigned nodes : {1U, 3U}) {
    HeldStage stage(nodes);
    stage.start_reader(nodes - 1, "free/bob");
    stage.hold(Pattern().target_is("free/bob"));
    stage.start_sender(nodes / 2, "ann", "free/bob", 5);
    stage.world().run_for(100ms);
    BOOST_TEST(stage.texts().empty());
    const HoldState held = stage.look();
    BOOST_TEST(held.count == 5U);
    BOOST_TEST_REQUIRE(held.oldest.size() == 5U);
    BOOST_TEST(held.oldest.front().text == "0");
    BOOST_TEST(held.oldest.front().source.str() == "ann");
    BOOST_TEST(held.agents == 1U);
    BOOST_TEST(inspect(stage.node(0), "free/bob").waiting == 5U);
    BOOST_TEST(stage.release(1) == 1U);
    BOOST_TEST((stage.texts() == HeldTexts{"0"}));
    BOOST_TEST(stage.release(2) == 2U);
    BOOST_TEST((stage.texts() == HeldTexts{"0", "1", "2"}));
    BOOST_TEST(stage.release() == 2U);
    BOOST_TEST((stage.texts() == HeldTexts{"0", "1", "2", "3", "4"}));
    BOOST_TEST(stage.release() == 0U);
  }
}

BOOST_AUTO_TEST_CASE(what_does_not_match_goes_on) {
  HeldStage stage(1);
  stage.start_reader(0, "free/bob");
  stage.hold(Pattern().text("[13]"));
  stage.start_sender(0, "ann", "free/bob", 5);
  BOOST_TEST((stage.texts() == HeldTexts{"0", "2", "4"}));
  stage.release();
  BOOST_TEST((stage.texts() == HeldTexts{"0", "2", "4", "1", "3"}));
}

BOOST_AUTO_TEST_CASE(a_hold_that_ends_releases_everything) {
  for (const unsigned nodes : {1U, 2U}) {
    HeldStage stage(nodes);
    stage.start_reader(nodes - 1, "free/bob");
    stage.hold(Pattern());
    stage.start_sender(0, "ann", "free/bob", 3);
    stage.world().run_for(50ms);
    BOOST_TEST(stage.texts().empty());
    stage.end_hold();
    BOOST_TEST((stage.texts() == HeldTexts{"0", "1", "2"}));
    stage.start_sender(0, "eve", "free/bob", 1);
    BOOST_TEST(stage.texts().size() == 4U);
  }
}

BOOST_AUTO_TEST_CASE(the_end_of_the_operators_agent_or_node_releases_everything) {
  HeldStage stage(2);
  stage.start_reader(1, "free/bob");
  stage.start(0, "free/boss", [](Agent& me) -> Task<> {
    Task<Hold> beginning = Hold::begin(me, Pattern().target_is("free/bob"));
    const Hold hold = co_await beginning;
    (void)co_await me.receive();
  });
  stage.world().run_for(100ms);
  stage.start_sender(1, "ann", "free/bob", 2);
  BOOST_TEST(stage.texts().empty());
  stage.start_sender(1, "eve", "free/boss", 1);
  stage.world().run_for(100ms);
  BOOST_TEST(stage.texts().size() == 2U);
  stage.hold(Pattern().target_is("free/bob"));
  stage.start_sender(1, "carl", "free/bob", 2);
  BOOST_TEST(stage.texts().size() == 2U);
  stage.lose(0);
  stage.world().run_for(10s);
  BOOST_TEST(stage.texts().size() == 4U);
}

BOOST_AUTO_TEST_CASE(beyond_the_limits_the_oldest_goes_on) {
  HeldStage stage(1);
  stage.start_reader(0, "free/bob");
  stage.hold(Pattern(), {.messages = 2});
  stage.start_sender(0, "ann", "free/bob", 5);
  BOOST_TEST((stage.texts() == HeldTexts{"0", "1", "2"}));
  const HoldState held = stage.look();
  BOOST_TEST(held.count == 2U);
  BOOST_TEST(held.let_go == 3U);
  stage.end_hold();
  BOOST_TEST(stage.texts().size() == 5U);
}

BOOST_AUTO_TEST_CASE(a_full_mailbox_of_held_messages_makes_senders_wait) {
  HeldStage stage(1);
  stage.start(0, "free/bob", [&](Agent& me) -> Task<> {
    me.set_mailbox(MailboxOptions().messages(2));
    for (;;) {
      const Message message = co_await me.receive(from(Name("ann")));
      stage.texts().emplace_back(message.text());
    }
  });
  stage.hold(Pattern());
  stage.start_sender(0, "ann", "free/bob", 5);
  BOOST_TEST(stage.texts().empty());
  BOOST_TEST(stage.look().count >= 2U);
  for (int times = 0; times < 10; ++times) stage.release();
  BOOST_TEST((stage.texts() == HeldTexts{"0", "1", "2", "3", "4"}));
}

BOOST_AUTO_TEST_CASE(a_held_request_ends_by_its_deadline_and_a_held_message_expires) {
  HeldStage stage(2);
  stage.start_reader(1, "free/bob");
  stage.hold(Pattern().target_is("free/bob"));
  bool is_expired = false;
  std::optional<Outcome> outcome;
  stage.start(0, "ann", [&](Agent& me) -> Task<> {
    Post post(Name("free/bob"), "late");
    post.expires(1s);
    Receipt receipt = co_await me.track(post);
    try {
      (void)co_await me.ask(Name("free/bob"), "well?", Deadline(500ms));
    } catch (const Error& error) {
      is_expired = true;
    }
    (void)co_await receipt.reached(Stage::consumed, Deadline(10s));
    outcome = receipt.first().outcome;
  });
  stage.world().run_for(5s);
  BOOST_TEST(is_expired);
  BOOST_TEST((outcome == Outcome::expired));
  BOOST_TEST(stage.look().count <= 1U);
  BOOST_TEST(stage.texts().empty());
}

BOOST_AUTO_TEST_CASE(a_held_request_is_answered_after_its_release) {
  HeldStage stage(2);
  stage.start(1, "free/bob", [](Agent& me) -> Task<> {
    const Message request = co_await me.receive();
    co_await me.reply(request, "yes");
  });
  stage.hold(Pattern().target_is("free/bob"));
  std::string answer;
  stage.start(0, "ann", [&](Agent& me) -> Task<> {
    const Message reply = co_await me.ask(Name("free/bob"), "well?", Deadline(60s));
    answer = reply.text();
  });
  const HoldState held = stage.look();
  BOOST_TEST_REQUIRE(held.oldest.size() == 1U);
  BOOST_TEST((held.oldest.front().kind == MessageKind::request));
  BOOST_TEST(answer.empty());
  stage.release();
  BOOST_TEST(answer == "yes");
}

BOOST_AUTO_TEST_CASE(a_scrambled_order_is_repeated_by_the_simulator) {
  const auto order = [] {
    HeldStage stage(2, 7);
    stage.start_reader(1, "free/bob");
    stage.hold(Pattern().target_is("free/bob"));
    stage.start_sender(0, "ann", "free/bob", 20);
    stage.world().run_for(100ms);
    stage.held().scramble(true);
    stage.release();
    return stage.texts();
  };
  const HeldTexts first = order();
  BOOST_TEST_REQUIRE(first.size() == 20U);
  BOOST_TEST((first == order()));
  HeldTexts sorted = first;
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return std::stoi(a) < std::stoi(b); });
  BOOST_TEST((first != sorted));
  for (int number = 0; number < 20; ++number)
    BOOST_TEST(sorted[static_cast<std::size_t>(number)] == std::to_string(number));
}

BOOST_AUTO_TEST_CASE(messages_of_an_agent_that_has_ended_are_held_again_at_the_next_one) {
  HeldStage stage(2);
  stage.start(1, "free/bob", [](Agent& me) -> Task<> { co_await me.pause(Deadline(200ms)); });
  stage.hold(Pattern().target_is("free/bob"));
  stage.start_sender(0, "ann", "free/bob", 2);
  stage.world().run_for(1s);
  BOOST_TEST(stage.look().count == 0U);
  stage.start_reader(1, "free/bob");
  stage.start_sender(0, "eve", "free/bob", 1);
  BOOST_TEST(stage.texts().empty());
  BOOST_TEST(stage.look().count == 3U);
  stage.release();
  BOOST_TEST((stage.texts() == HeldTexts{"0", "1", "0"}));
}

BOOST_AUTO_TEST_CASE(only_permitted_agents_are_held) {
  HeldStage stage(2);
  stage.start_reader(1, "free/bob");
  stage.start_reader(1, "owned");
  stage.hold(Pattern().target("owned|free/bob"));
  BOOST_TEST(stage.look().refused == 1U);
  stage.start_sender(0, "ann", "owned", 1);
  stage.start_sender(0, "eve", "free/bob", 1);
  BOOST_TEST(stage.texts().size() == 1U);
  Errc error{};
  stage.operate_by([&](Agent& me) -> Task<> {
    try {
      Task<Hold> beginning = Hold::begin(me, Pattern().target_is("owned"));
      const Hold hold = co_await beginning;
    } catch (const Error& refusal) {
      error = refusal.errc();
    }
  });
  BOOST_TEST((error == Errc::not_permitted));
}

BOOST_AUTO_TEST_CASE(a_node_that_stops_reads_what_was_held) {
  HeldStage stage(1);
  stage.start_reader(0, "free/bob");
  stage.hold(Pattern());
  stage.start_sender(0, "ann", "free/bob", 2);
  BOOST_TEST(stage.texts().empty());
  stage.node(0).stop(1s);
  BOOST_TEST(stage.texts().size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_member_without_the_right_holds_nothing_and_asks_no_more_than_its_share) {
  Lab lab;
  const LeaseId eve = lab.join();
  lab.claim(eve, "eve");
  lab.start("ann", [](Agent& me) -> Task<> {
    for (;;) (void)co_await me.receive();
  });
  const auto ask = [](StepRequest request) {
    std::vector<std::byte> bytes{std::byte{step_frame}};
    FrameWriter out(bytes);
    write_step(out, request);
    return bytes;
  };
  const auto last = [&] {
    const Bytes bytes = lab.last(eve, stepped_frame);
    FrameReader in(std::span<const std::byte>(bytes).subspan(1));
    return read_stepped(in);
  };
  StepRequest hold;
  hold.token = 3, hold.hold = 1, hold.ask = StepAsk::hold;
  lab.send(eve, ask(hold));
  BOOST_TEST((last().how == Stepped::not_permitted));
  BOOST_TEST(last().token == 3U);
  StepRequest look;
  look.hold = 1;
  lab.send(eve, ask(look));
  BOOST_TEST((last().how == Stepped::unknown));
  for (int times = 0; times < 100; ++times) lab.transport().feed(eve, ask(look), {});
  lab.run();
  BOOST_TEST((last().how == Stepped::busy));
  BOOST_TEST(!lab.is_refused(eve));
  lab.send(eve, Frame(stepped_frame)
                    .number(9)
                    .byte(0)
                    .number(0)
                    .number(0)
                    .number(0)
                    .number(0)
                    .number(0)
                    .number(0)
                    .bytes());
  BOOST_TEST(!lab.is_refused(eve));
  lab.send(eve, Frame(step_frame).number(1).number(1).byte(9).bytes());
  BOOST_TEST(lab.is_refused(eve));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
