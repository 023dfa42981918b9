// A group's last messages go to its members when the node that holds their names requests them, and
// to nobody else, whatever another node requests.
#include "member.hpp"
#include "runtime/node/node_core.hpp"
#include "support/processor_time.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace coracle::trust {

using namespace detail;

namespace {

enum When : std::uint64_t { before = 1, joined = 2, never = 3 };

// An agent on this node that keeps its last five messages to the choir, and sends one more on
// request.
struct Choir {
  Choir() {
    lab.start("ann", [](Agent& me) -> Task<> {
      me.keep_last(group("choir"), 5);
      for (int i = 1; i <= 8; ++i) co_await me.multicast(group("choir"), std::to_string(i));
      for (;;) {
        const Message order = co_await me.receive();
        co_await me.multicast(group("choir"), std::string(order.text()));
      }
    });
    lab.claim(eve, "eve");
    lab.claim(bob, "bob");
    lab.run(1s);
  }

  // From now on, the directory has `member` as a member.
  void join(const std::string& member) {
    lab.start("joiner/" + member, [member](Agent& me) -> Task<> {
      (void)co_await me.node().directory().join(Name("choir"), Name(member));
    });
    lab.run(1s);
  }
  void ask(LeaseId who, When when, const std::string& member, std::uint64_t count = 3) {
    const Frame frame =
        Frame(last_frame).number(++token).byte(when).text("choir").text(member).number(count);
    lab.send(who, frame.bytes());
    lab.run(1s);
  }
  std::size_t got(LeaseId who) const { return lab.count(who, message_frame); }

  std::uint64_t token = 0;
  Lab lab;
  LeaseId eve = lab.join();
  LeaseId bob = lab.join();
};

// The requests of this node to a member about joining agents, of the kind `when`.
struct Asked {
  std::vector<std::uint64_t> tokens;
  std::vector<std::string> members;
};
Asked asked(const Lab& lab, LeaseId member, When when) {
  Asked all;
  for (const auto& [to, frame] : lab.transport().sent) {
    FrameReader in(frame);
    if (to != member || in.byte() != last_frame) continue;
    const std::uint64_t token = in.number();
    if (in.byte() != when) continue;
    all.tokens.push_back(token);
    (void)in.text();
    all.members.emplace_back(in.text());
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(late_joiners)

BOOST_FIXTURE_TEST_CASE(a_member_gets_as_many_as_its_node_asks_for, Choir) {
  ask(eve, before, "eve");
  BOOST_TEST(got(eve) == 0u);
  join("eve");
  ask(eve, joined, "eve");
  BOOST_TEST(got(eve) == 3u);
  BOOST_TEST(lab.count(eve, answer_frame) == 2u);
}

BOOST_FIXTURE_TEST_CASE(no_more_than_are_kept_whatever_the_number, Choir) {
  ask(eve, before, "eve", Last::most);
  join("eve");
  ask(eve, joined, "eve", Last::most);
  BOOST_TEST(got(eve) == 5u);
  ask(eve, before, "eve", Last::most + 1);
  BOOST_TEST(lab.is_refused(eve));
}

BOOST_FIXTURE_TEST_CASE(who_is_no_member_gets_none, Choir) {
  ask(eve, before, "eve");
  ask(eve, joined, "eve");
  BOOST_TEST(got(eve) == 0u);
  lab.send(eve, message({.target = "ann", .source = "eve", .life = lab.life_of("ann")}),
           Content("9"));
  lab.run(1s);
  BOOST_TEST(got(eve) == 0u);
}

BOOST_FIXTURE_TEST_CASE(nobody_asks_in_the_name_of_another_nodes_agent, Choir) {
  ask(eve, before, "bob");
  join("bob");
  ask(eve, joined, "bob");
  BOOST_TEST(got(bob) == 0u);
  ask(eve, before, "bob");
  lab.send(eve, message({.target = "ann", .source = "eve", .life = lab.life_of("ann")}),
           Content("9"));
  lab.run(1s);
  BOOST_TEST(got(bob) == 1u);  // that one, and none from before
}

BOOST_FIXTURE_TEST_CASE(one_question_is_answered_once, Choir) {
  ask(eve, before, "eve");
  join("eve");
  ask(eve, joined, "eve");
  for (int again = 0; again < 10; ++again) ask(eve, joined, "eve");
  BOOST_TEST(got(eve) == 3u);
}

BOOST_FIXTURE_TEST_CASE(what_was_before_goes_before_what_is_sent_while_it_joins, Choir) {
  ask(eve, before, "eve");
  join("eve");
  lab.send(bob, message({.target = "ann", .source = "bob", .life = lab.life_of("ann")}),
           Content("9"));
  lab.run(1s);
  BOOST_TEST(got(eve) == 4u);
  ask(eve, joined, "eve");
  BOOST_TEST(got(eve) == 4u);
}

BOOST_FIXTURE_TEST_CASE(many_questions_without_an_end_leave_room_for_others, Choir) {
  ask(bob, before, "bob");
  for (int i = 0; i < 1000; ++i) {
    const std::string member = "eve/" + std::to_string(i);
    lab.claim(eve, member);
    lab.transport().feed(
        eve, Frame(last_frame).number(1).byte(before).text("choir").text(member).number(1).bytes(),
        {});
    lab.run(1ms);
  }
  lab.run(1s);
  join("bob");
  ask(bob, joined, "bob");
  BOOST_TEST(got(bob) == 3u);
}

BOOST_FIXTURE_TEST_CASE(one_that_does_not_join_after_all_is_not_expected_any_more, Choir) {
  ask(eve, before, "eve");
  ask(eve, never, "eve");
  BOOST_TEST(lab.count(eve, answer_frame) == 2u);
  join("eve");
  lab.send(bob, message({.target = "ann", .source = "bob", .life = lab.life_of("ann")}),
           Content("9"));
  lab.run(1s);
  BOOST_TEST(got(eve) == 1u);  // that one, and none from before
}

BOOST_FIXTURE_TEST_CASE(that_another_one_does_not_join_is_not_believed, Choir) {
  ask(eve, before, "eve");
  ask(bob, never, "eve");
  join("eve");
  ask(eve, joined, "eve");
  BOOST_TEST(got(eve) == 3u);
}

// A node has done nothing wrong when its requests come faster than the directory replies.
BOOST_FIXTURE_TEST_CASE(a_burst_of_questions_is_denied_in_part_and_no_offence, Choir) {
  LateJoiners& late = lab.node().core().late_joiners();
  ask(eve, before, "eve");
  join("eve");
  std::size_t judged = 0;
  while (late.begin_judging(eve)) ++judged;
  BOOST_TEST(judged == 256u);
  for (int i = 0; i < 1500; ++i) {
    lab.transport().feed(
        eve,
        Frame(last_frame).number(++token).byte(before).text("choir").text("eve").number(1).bytes(),
        {});
  }
  ask(eve, joined, "eve");
  BOOST_TEST(lab.count(eve, denied_frame) == 1501u);
  BOOST_TEST(!lab.is_refused(eve));
  for (; judged != 0; --judged) late.end_judging(eve);
  ask(eve, joined, "eve");
  BOOST_TEST(got(eve) == 0u);  // it is not expected any more
}

BOOST_FIXTURE_TEST_CASE(agents_of_this_node_are_expected_however_many_there_are, Choir) {
  LateJoiners& late = lab.node().core().late_joiners();
  const auto asker = [](int number) {
    return LateJoiners::Asker{0, Name("own/" + std::to_string(number))};
  };
  for (int number = 0; number < 1000; ++number) late.expect(Name("choir"), asker(number), 1, true);
  for (int number = 0; number < 1000; ++number)
    BOOST_TEST_REQUIRE(late.owing(Name("choir"), asker(number)).size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(who_begins_to_join_and_does_not_go_on_is_not_expected_for_ever, Choir) {
  ask(eve, before, "eve");
  lab.run(20s);
  join("eve");
  ask(eve, joined, "eve");
  BOOST_TEST(got(eve) == 3u);
  ask(bob, before, "bob");
  lab.run(40s);
  join("bob");
  ask(bob, joined, "bob");
  BOOST_TEST(got(bob) == 0u);
  BOOST_TEST(lab.count(bob, answer_frame) == 2u);
}

// The group is large. Each send to it costs as much as there are members anyway.
BOOST_FIXTURE_TEST_CASE(many_that_are_expected_cost_a_send_little_more_than_one, Choir) {
  LateJoiners& late = lab.node().core().late_joiners();
  Mailbox& ann = *lab.node().core().mailboxes().find("ann");
  std::vector<Name> members;
  for (int i = 0; i < 100'000; ++i) members.emplace_back("member/" + std::to_string(i));
  const auto sends = [&] {
    for (int i = 0; i < 20; ++i)
      BOOST_TEST(late.owed(Name("choir"), ann, members, lab.world().now()).empty());
  };
  const auto expect = [&](int number) {
    const LateJoiners::Asker asker{eve, Name("eve/" + std::to_string(number))};
    late.expect(Name("choir"), asker, 1, true);
  };
  expect(0);
  sends();
  const double one = test::processor_time_of(sends);
  for (int number = 1; number < 256; ++number) expect(number);
  BOOST_TEST(test::processor_time_of(sends) < 8 * one);
}

BOOST_FIXTURE_TEST_CASE(a_question_about_a_large_group_costs_no_more_than_a_small_one, Choir) {
  ask(eve, before, "eve");
  join("eve");
  const auto questions = [this] {
    for (int i = 0; i < 200; ++i) {
      lab.transport().feed(
          bob, Frame(last_frame).number(1).byte(joined).text("choir").text("bob").number(1).bytes(),
          {});
      lab.run(1ms);
    }
  };
  questions();
  const double few = test::processor_time_of(questions);
  lab.start("crowd", [](Agent& me) -> Task<> {
    Directory& directory = me.node().directory();
    for (int i = 0; i < 100'000; ++i) {
      const Name name("crowd/" + std::to_string(i));
      Claim claim(name, me.node().core().lease().id());
      (void)co_await directory.claim(claim);
      (void)co_await directory.join(Name("choir"), name);
    }
  });
  lab.run(1s);
  questions();
  BOOST_TEST(test::processor_time_of(questions) < 8 * few);
}

BOOST_AUTO_TEST_CASE(a_node_asks_others_for_256_agents_at_a_time_and_for_the_rest_then) {
  constexpr std::size_t members = 300;
  Lab lab;
  const LeaseId eve = lab.join();
  std::size_t have_joined = 0;
  for (std::size_t i = 0; i < members; ++i) {
    lab.node().adopt(AgentSpec(Name("late/" + std::to_string(i))),
                     std::make_unique<test::Doer>([&have_joined](Agent& me) -> Task<> {
                       co_await me.join(group("choir"), last(3));
                       ++have_joined;
                       co_await me.pause(Deadline::never());
                     }));
  }
  lab.run(50ms);
  BOOST_TEST(asked(lab, eve, before).tokens.size() == 256u);
  const auto answer_all = [&lab, eve](When when) {
    for (const std::uint64_t token : asked(lab, eve, when).tokens)
      lab.transport().feed(eve, Frame(answer_frame).number(token).byte(0).bytes(), {});
    lab.run(50ms);
  };
  answer_all(before);
  BOOST_TEST(have_joined == 0u);
  BOOST_TEST(asked(lab, eve, before).tokens.size() == 256u);
  answer_all(joined);
  BOOST_TEST(have_joined == 256u);
  answer_all(before);
  answer_all(joined);
  BOOST_TEST(have_joined == members);
  BOOST_TEST(asked(lab, eve, before).tokens.size() == members);
  BOOST_TEST(asked(lab, eve, never).tokens.empty());
}

// The worker of the mailbox checks each message by itself, because the mailbox takes few bytes.
// Time stands still while an agent has work.
BOOST_AUTO_TEST_CASE(a_small_mailbox_on_another_worker_is_waited_for_at_rest) {
  NodeOptions options;
  options.workers = 2;
  Lab lab(options);
  std::string got;
  AgentSpec late("late"), ann("ann");
  late.on_worker(1).mailbox(MailboxOptions().bytes(100'000));
  ann.on_worker(0);
  lab.node().adopt(ann, std::make_unique<test::Doer>([](Agent& me) -> Task<> {
                     me.keep_last(group("choir"), 5);
                     for (int i = 1; i <= 5; ++i)
                       co_await me.multicast(group("choir"), std::to_string(i));
                     co_await me.pause(Deadline::never());
                   }));
  lab.run(50ms);
  lab.node().adopt(late, std::make_unique<test::Doer>([&got](Agent& me) -> Task<> {
                     co_await me.join(group("choir"), last(3));
                     for (int i = 0; i < 3; ++i) {
                       const Message message = co_await me.receive();
                       got += message.text();
                     }
                   }));
  lab.run(50ms);
  BOOST_TEST(got == "345");
}

BOOST_AUTO_TEST_CASE(others_are_told_when_an_agent_ends_while_it_joins) {
  Lab lab;
  const LeaseId eve = lab.join();
  lab.start("late", [](Agent& me) -> Task<> {
    me.spawn(me.join(group("choir"), last(3)));
    co_await me.pause(1ms);
  });
  lab.run(50ms);
  BOOST_TEST(asked(lab, eve, before).members.size() == 1u);
  const Asked ended = asked(lab, eve, never);
  BOOST_TEST_REQUIRE(ended.members.size() == 1u);
  BOOST_TEST(ended.members.front() == "late");
  BOOST_TEST(ended.tokens.front() == 0u);  // it waits for no reply
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
