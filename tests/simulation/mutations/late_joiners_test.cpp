// When a member requests a group's last messages in the name of another member, the messages go to
// that member only if the node does not check the name with the directory.
#include "coracle/support/mutations.hpp"
#include "trust/member.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::trust {

using namespace detail;

namespace {

// The number of messages that bob is sent: he has joined without a request for the last messages,
// eve requests them in his name, and then one more message is sent.
std::size_t sent_to_bob(Mutation bug) {
  chosen_mutation = bug;
  Lab lab;
  const LeaseId eve = lab.join(), bob = lab.join();
  lab.claim(eve, "eve");
  lab.claim(bob, "bob");
  lab.start("ann", [](Agent& me) -> Task<> {
    me.keep_last(group("choir"), 3);
    for (int i = 1; i <= 3; ++i) co_await me.multicast(group("choir"), std::to_string(i));
    const Message told = co_await me.receive();
    co_await me.multicast(group("choir"), std::string(told.text()));
  });
  lab.send(eve, Frame(last_frame).number(1).byte(1).text("choir").text("bob").number(3).bytes());
  lab.start("joiner", [](Agent& me) -> Task<> {
    (void)co_await me.node().directory().join(Name("choir"), Name("bob"));
  });
  lab.send(eve, message({.target = "ann", .source = "eve", .life = lab.life_of("ann")}),
           Content("4"));
  lab.run(1s);
  chosen_mutation = Mutation::none;
  return lab.count(bob, message_frame);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(late_joiners)

BOOST_AUTO_TEST_CASE(who_asks_in_anothers_name_is_believed_only_with_the_bug_any_joiner) {
  BOOST_TEST(sent_to_bob(Mutation::none) == 1u);
  BOOST_TEST(sent_to_bob(Mutation::any_joiner) == 4u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
