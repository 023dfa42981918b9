// Each check of messages that an operator holds is left out in turn: then a promise of holds is
// broken that is kept otherwise.
#include "coracle/support/mutations.hpp"
#include "inspection/step_parts.hpp"
#include "trust/member.hpp"
#include "trust/policy/held_stage.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>

namespace coracle::trust {

using namespace detail;

namespace {

using HeldTexts = std::vector<std::string>;

// `promise` is kept, except with the mutation.
void expect_promise_needs(Mutation mutation, const std::function<bool()>& promise) {
  BOOST_TEST(promise());
  chosen_mutation = mutation;
  const bool is_kept = promise();
  chosen_mutation = Mutation::none;
  BOOST_TEST(!is_kept);
}

const Pattern& to_bob() {
  static const Pattern pattern = Pattern().target_is("free/bob");
  return pattern;
}

Bytes step_of(const StepRequest& request) {
  Bytes bytes{std::byte{step_frame}};
  FrameWriter out(bytes);
  write_step(out, request);
  return bytes;
}

Bytes stepped_of(std::uint64_t token, std::uint64_t agents) {
  StepReply reply;
  reply.token = token;
  reply.held.agents = agents;
  Bytes bytes{std::byte{stepped_frame}};
  FrameWriter out(bytes);
  write_stepped(out, reply);
  return bytes;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(holding)

BOOST_AUTO_TEST_CASE(held_unasked_holds_messages_of_agents_that_may_not_be_operated) {
  expect_promise_needs(Mutation::held_unasked, [] {
    HeldStage stage(2);
    stage.start_reader(1, "free/bob");
    stage.start_reader(1, "owned");
    stage.hold(Pattern().target("owned|free/bob"));
    stage.start_sender(0, "ann", "owned", 1);
    stage.world().run_for(50ms);
    return stage.texts().size() == 1;
  });
}

BOOST_AUTO_TEST_CASE(any_hold_lets_a_node_release_what_another_one_holds) {
  expect_promise_needs(Mutation::any_hold, [] {
    HeldStage stage(2);
    stage.start_reader(1, "free/bob");
    stage.start(1, "free/boss", [](Agent& me) -> Task<> {  // it is the first hold of its node
      Task<Hold> beginning = Hold::begin(me, to_bob());
      const Hold hold = co_await beginning;
      co_await me.pause(Deadline::never());
    });
    stage.world().run_for(100ms);
    stage.hold(Pattern().target_is("free/bob").text("nothing"));  // and so is this one
    stage.start_sender(1, "ann", "free/bob", 1);
    stage.release();
    return stage.texts().empty();
  });
}

BOOST_AUTO_TEST_CASE(any_stepped_believes_a_member_what_another_one_was_asked) {
  expect_promise_needs(Mutation::any_stepped, [] {
    Lab lab;
    const LeaseId eve = lab.join(), bob = lab.join();
    bool has_begun = false;
    lab.start("ann", [](Agent& me) -> Task<> { co_await me.pause(Deadline::never()); });
    lab.start("main", [&](Agent& me) -> Task<> {
      Task<Hold> beginning = Hold::begin(me, Pattern().target_is("ann"));
      const Hold hold = co_await beginning;  // not permitted, unless another node permits it
      has_begun = true;
    });
    const Bytes asked = lab.last(eve, step_frame);
    FrameReader in(std::span<const std::byte>(asked).subspan(1));
    lab.send(bob, stepped_of(in.number(), 1));
    lab.run(6s);
    return !has_begun;
  });
}

BOOST_AUTO_TEST_CASE(steps_uncounted_serves_a_member_without_end) {
  expect_promise_needs(Mutation::steps_uncounted, [] {
    Lab lab;
    const LeaseId eve = lab.join();
    StepRequest look;
    look.hold = 1;
    for (int times = 0; times < 100; ++times) lab.transport().feed(eve, step_of(look), {});
    lab.run();
    const Bytes last = lab.last(eve, stepped_frame);
    FrameReader in(std::span<const std::byte>(last).subspan(1));
    return read_stepped(in).how == Stepped::busy;
  });
}

BOOST_AUTO_TEST_CASE(busy_is_final_loses_sight_of_a_node_that_is_asked_often) {
  expect_promise_needs(Mutation::busy_is_final, [] {
    HeldStage stage(2);
    stage.start_reader(1, "free/bob");
    stage.hold(to_bob());
    stage.start_sender(1, "ann", "free/bob", 1);
    stage.world().run_for(50ms);
    bool is_seen = true;
    stage.operate_by([&](Agent&) -> Task<> {
      for (int times = 0; times < 100; ++times) {
        Task<HoldState> looking = stage.held().look();
        const HoldState held = co_await looking;
        is_seen = is_seen && held.count == 1;
      }
    });
    return is_seen;
  });
}

BOOST_AUTO_TEST_CASE(holds_uncounted_lets_a_node_begin_any_number) {
  expect_promise_needs(Mutation::holds_uncounted, [] {
    HeldStage stage(1);
    stage.start_reader(0, "free/bob");
    std::size_t begun = 0;
    stage.operate_by([&](Agent& me) -> Task<> {
      std::vector<Hold> holds;
      try {
        for (begun = 0; begun < 20; ++begun) {
          Task<Hold> beginning = Hold::begin(me, to_bob());
          holds.push_back(co_await beginning);
        }
      } catch (const Error& error) {
        BOOST_TEST((error.errc() == Errc::limit_reached));
      }
    });
    return begun == 16;
  });
}

BOOST_AUTO_TEST_CASE(held_uncounted_holds_more_than_the_operator_wants) {
  expect_promise_needs(Mutation::held_uncounted, [] {
    HeldStage stage(1);
    stage.start_reader(0, "free/bob");
    stage.hold(to_bob(), {.messages = 2});
    stage.start_sender(0, "ann", "free/bob", 5);
    return stage.texts() == HeldTexts{"0", "1", "2"};
  });
}

BOOST_AUTO_TEST_CASE(again_is_held_stops_a_message_that_was_released_before) {
  expect_promise_needs(Mutation::again_is_held, [] {
    HeldStage stage(3);
    stage.start(1, "free/bob", [](Agent& me) -> Task<> {
      const Message message = co_await me.receive();
      co_await me.pause(Deadline::never());
    });
    stage.hold(to_bob());
    stage.start_sender(0, "ann", "free/bob", 1);
    stage.release();
    stage.world().crash(1);
    stage.world().run_for(60s);
    stage.start_reader(2, "free/bob");
    stage.world().run_for(1s);
    return stage.texts().size() == 1;
  });
}

BOOST_AUTO_TEST_CASE(held_is_read_hands_out_a_message_before_its_release) {
  expect_promise_needs(Mutation::held_is_read, [] {
    HeldStage stage(1);
    stage.start_reader(0, "free/bob", 100ms);
    stage.hold(to_bob());
    stage.start_sender(0, "ann", "free/bob", 2);
    stage.world().run_for(300ms);
    return stage.texts().empty();
  });
}

BOOST_AUTO_TEST_CASE(released_behind_lets_later_messages_overtake) {
  expect_promise_needs(Mutation::released_behind, [] {
    HeldStage stage(1);
    stage.start_reader(0, "free/bob", 5s);
    stage.hold(Pattern().target_is("free/bob").text("[02]"));
    stage.start_sender(0, "ann", "free/bob", 4);
    stage.release();
    stage.world().run_for(6s);
    return stage.texts() == HeldTexts{"0", "1", "2", "3"};
  });
}

BOOST_AUTO_TEST_CASE(released_unnoticed_leaves_a_reader_waiting) {
  expect_promise_needs(Mutation::released_unnoticed, [] {
    HeldStage stage(1);
    stage.start_reader(0, "free/bob");
    stage.hold(to_bob());
    stage.start_sender(0, "ann", "free/bob", 1);
    stage.release();
    return stage.texts().size() == 1;
  });
}

BOOST_AUTO_TEST_CASE(left_is_held_counts_a_message_that_has_expired) {
  expect_promise_needs(Mutation::left_is_held, [] {
    HeldStage stage(1);
    stage.start_reader(0, "free/bob");
    stage.hold(to_bob());
    stage.start(0, "ann", [](Agent& me) -> Task<> {
      Post post(Name("free/bob"), "late");
      post.expires(1s);
      co_await me.send(post);
    });
    stage.world().run_for(5s);
    return stage.look().count == 0;
  });
}

BOOST_AUTO_TEST_CASE(ended_is_held_counts_messages_of_an_agent_that_is_gone) {
  expect_promise_needs(Mutation::ended_is_held, [] {
    HeldStage stage(1);
    stage.start(0, "free/bob", [](Agent& me) -> Task<> { co_await me.pause(Deadline(200ms)); });
    stage.hold(to_bob());
    stage.start_sender(0, "ann", "free/bob", 2);
    stage.world().run_for(1s);
    return stage.look().count == 0;
  });
}

BOOST_AUTO_TEST_CASE(hold_outlives_agent_holds_for_nobody) {
  expect_promise_needs(Mutation::hold_outlives_agent, [] {
    HeldStage stage(2);
    stage.start_reader(1, "free/bob");
    stage.start(0, "free/boss", [](Agent& me) -> Task<> {
      Task<Hold> beginning = Hold::begin(me, to_bob());
      const Hold hold = co_await beginning;
      co_await me.pause(Deadline(100ms));
    });
    stage.world().run_for(1s);
    stage.start_sender(1, "ann", "free/bob", 1);
    stage.world().run_for(50ms);
    return stage.texts().size() == 1;
  });
}

BOOST_AUTO_TEST_CASE(hold_outlives_node_holds_for_a_node_that_is_gone) {
  expect_promise_needs(Mutation::hold_outlives_node, [] {
    HeldStage stage(2);
    stage.start_reader(1, "free/bob");
    stage.hold(to_bob());
    stage.start_sender(1, "ann", "free/bob", 1);
    stage.world().crash(0);
    stage.world().run_for(60s);
    return stage.texts().size() == 1;
  });
}

BOOST_AUTO_TEST_CASE(hold_outlives_stop_keeps_messages_from_being_read_at_the_end) {
  expect_promise_needs(Mutation::hold_outlives_stop, [] {
    HeldStage stage(1);
    stage.start_reader(0, "free/bob");
    stage.hold(to_bob());
    stage.start_sender(0, "ann", "free/bob", 2);
    stage.node(0).stop(1s);
    return stage.texts().size() == 2;
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
