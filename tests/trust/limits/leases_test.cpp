// A node may open and end leases as often as it likes; the other nodes forget only the data in
// which that node took part.
#include "member.hpp"
#include "runtime/node/node_core.hpp"
#include "support/processor_time.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace coracle::trust {

using namespace detail;

namespace {

// Makes the node know that many other names.
void know_names(Lab& lab, std::size_t count) {
  NodeCore& core = lab.node().core();
  const std::size_t before = core.mailboxes().size();
  for (std::size_t number = before; number < before + count; ++number) {
    bool is_new = false;
    const Name name("known/" + std::to_string(number));
    core.mailboxes().find_or_add(name, core.worker(0), is_new);
  }
}

// The act costs the node no more when the node knows many more names.
template <class Act>
void expect_same_cost(Lab& lab, const Act& act) {
  const auto cost = [&lab, &act] {
    return test::processor_time_of([&lab, &act] {
      for (int count = 0; count < 100; ++count) {
        act();
        lab.run(1ms);
      }
    });
  };
  know_names(lab, 4'000);
  (void)cost();
  const double with_few = cost();
  know_names(lab, 252'000);
  BOOST_TEST(cost() < 8 * with_few);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(leases)

BOOST_AUTO_TEST_CASE(the_end_of_a_lease_costs_no_more_the_more_names_are_known) {
  Lab lab;
  expect_same_cost(lab, [&lab] { lab.end(lab.join()); });
}

BOOST_AUTO_TEST_CASE(a_node_that_is_out_of_reach_for_a_moment_costs_no_more_either) {
  Lab lab;
  const LeaseId eve = lab.join();
  expect_same_cost(lab, [&lab, eve] {
    lab.transport().lose(eve);
    lab.transport().bring_back(eve);
  });
}

// Some of the member's frames may be read after its end.
BOOST_AUTO_TEST_CASE(a_slot_request_that_is_read_when_its_node_has_gone_takes_no_place) {
  Lab lab;
  lab.node().adopt(AgentSpec("bob").mailbox(MailboxOptions().messages(1)),
                   std::make_unique<test::Doer>([](Agent& me) -> Task<> {
                     co_await me.send(me.name(), "full");
                     co_await me.pause(1s);
                     (void)co_await me.receive();
                     co_await me.pause(Deadline::never());
                   }));
  const LeaseId eve = lab.join(), ann = lab.join();
  lab.claim(eve, "eve");
  lab.claim(ann, "ann");
  lab.run();
  MessageFields fields{.target = "bob", .source = "eve", .life = lab.life_of("bob")};
  lab.send(eve, message(fields, slot_request_frame), Content("hi"));
  lab.transport().lose(eve);
  fields.serial = 2;
  lab.send(eve, message(fields, slot_request_frame), Content("hi"));
  fields.source = "ann";
  lab.send(ann, message(fields, slot_request_frame), Content("hi"));
  lab.run(1s);
  BOOST_TEST(lab.count(eve, slot_answer_frame) == 0u);
  BOOST_REQUIRE(lab.count(ann, slot_answer_frame) == 1u);
  BOOST_TEST((lab.last(ann, slot_answer_frame).back() == std::byte{slot_reserved}));
}

BOOST_AUTO_TEST_CASE(names_that_a_lease_is_noted_for_again_and_again_are_noted_once) {
  Lab lab;
  know_names(lab, 2);
  MailboxTable& known = lab.node().core().mailboxes();
  std::vector<Mailbox*> mailboxes;
  known.each([&mailboxes](Mailbox& mailbox) { mailboxes.push_back(&mailbox); });
  LeaseMailboxes noted;
  for (int count = 0; count < 1000; ++count) {
    for (Mailbox* const mailbox : mailboxes) noted.note(7, *mailbox);
  }
  BOOST_TEST((noted.of(7) == mailboxes));
  BOOST_TEST(noted.of(8).empty());
  noted.forget(7);
  BOOST_TEST(noted.of(7).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
