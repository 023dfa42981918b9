// A group's last messages go to its members, at the word of the node that holds their names, and to
// nobody else, whatever another node asks for.
#include "member.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::trust {

using namespace detail;

namespace {

enum When : std::uint64_t { before = 1, joined = 2 };

// An agent here that keeps its last five messages to the choir, and sends one more when it is told.
struct Choir {
  Choir() {
    lab.start("ann", [](Agent& me) -> Task<> {
      me.keep_last(group("choir"), 5);
      for (int i = 1; i <= 8; ++i) co_await me.multicast(group("choir"), std::to_string(i));
      for (;;) {
        const Message told = co_await me.receive();
        co_await me.multicast(group("choir"), std::string(told.text()));
      }
    });
    lab.claim(eve, "eve");
    lab.claim(bob, "bob");
    lab.run(1s);
  }

  // The directory has it as a member from now on.
  void join(const std::string& member) {
    lab.start("joiner/" + member, [member](Agent& me) -> Task<> {
      (void)co_await me.node().directory().join(Name("choir"), Name(member));
    });
    lab.run(1s);
  }
  void ask(LeaseId who, When when, const std::string& member, std::uint64_t count = 3) {
    const Frame frame =
        Frame(last_frame).number(++token).byte(when).text("choir").text(member).number(count);
    lab.say(who, frame.bytes());
    lab.run(1s);
  }
  std::size_t got(LeaseId who) const { return lab.count(who, message_frame); }

  std::uint64_t token = 0;
  Lab lab;
  LeaseId eve = lab.join();
  LeaseId bob = lab.join();
};

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
  lab.say(eve, message({.target = "ann", .source = "eve", .life = lab.life_of("ann")}),
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
  lab.say(eve, message({.target = "ann", .source = "eve", .life = lab.life_of("ann")}),
          Content("9"));
  lab.run(1s);
  BOOST_TEST(got(bob) == 1u);  // that one, and nothing from before
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
  lab.say(bob, message({.target = "ann", .source = "bob", .life = lab.life_of("ann")}),
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
    lab.say(eve,
            Frame(last_frame).number(1).byte(before).text("choir").text(member).number(1).bytes());
  }
  lab.run(1s);
  join("bob");
  ask(bob, joined, "bob");
  BOOST_TEST(got(bob) == 3u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
