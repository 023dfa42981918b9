// Slots in a full mailbox, and members that request slots and do not use them.
#include "member.hpp"
#include "support/processor_time.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::trust {

using namespace detail;

namespace {

constexpr std::uint32_t room = 4;

// An agent whose mailbox is full for one second, and empty afterwards; then it reads nothing more.
void start_bob(Lab& lab, Duration busy = 1s) {
  lab.node().adopt(AgentSpec("bob").mailbox(MailboxOptions().messages(room)),
                   std::make_unique<test::Doer>([busy](Agent& me) -> Task<> {
                     for (auto sent = 0U; sent < room; ++sent) co_await me.send(me.name(), "full");
                     co_await me.pause(busy);
                     for (auto read = 0U; read < room; ++read) (void)co_await me.receive();
                     co_await me.pause(Deadline::never());
                   }));
  lab.run();
}

constexpr std::uint64_t many = 20'000;  // slot requests

Match says(std::string_view text) {
  return that([text](const MessageView& message) { return message.content().text() == text; });
}

// An agent whose mailbox is full for ever. After one second, it performs `act`.
template <class Act>
void start_full_bob(Lab& lab, Act act) {
  lab.node().adopt(AgentSpec("bob").mailbox(MailboxOptions().messages(room)),
                   std::make_unique<test::Doer>([act](Agent& me) -> Task<> {
                     for (auto sent = 0U; sent < room; ++sent) co_await me.send(me.name(), "full");
                     co_await me.pause(1s);
                     Task<> acting = act(me);
                     co_await acting;
                     co_await me.pause(Deadline::never());
                   }));
  lab.run();
}

// A member that sends to that agent.
struct Sender {
  Sender(Lab& in, std::string_view called) : lab(in), lease(in.join()), name(called) {
    lab.claim(lease, name);
  }
  MessageFields fields(std::uint64_t number) const {
    return {.target = "bob", .source = name, .life = lab.life_of("bob"), .serial = number};
  }
  void slot_request(std::uint64_t number, std::string_view text = "hi") {
    lab.transport().feed(lease, message(fields(number), slot_request_frame), Content(text));
  }
  void withdraw(std::uint64_t number) {
    lab.transport().feed(lease, Frame(slot_withdrawal_frame).name("bob").number(number).bytes(),
                         {});
  }
  // Sends the message whose slot request has that number.
  void enter(std::uint64_t number) {
    MessageFields what = fields(++serial);
    what.sequence = serial;
    what.has_fields = true;
    what.entry = number;
    lab.send(lease, message(what), Content("hi"));
  }
  // The number of its slot requests that got that answer.
  std::size_t answered(std::uint8_t which) const {
    std::size_t found = 0;
    for (const auto& [to, frame] : lab.transport().sent) {
      if (to != lease || frame.front() != std::byte{slot_answer_frame}) continue;
      if (frame.back() == std::byte{which}) ++found;
    }
    return found;
  }
  std::size_t granted() const { return answered(slot_reserved); }

  Lab& lab;
  LeaseId lease;
  std::string name;
  std::uint64_t serial = 0;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(slots)

BOOST_AUTO_TEST_CASE(a_place_that_is_not_used_goes_to_another_member) {
  Lab lab;
  start_bob(lab);
  Sender eve(lab, "eve"), ann(lab, "ann");
  for (std::uint64_t number = 1; number <= 100; ++number) eve.slot_request(number);
  lab.run(1s);
  BOOST_TEST(eve.granted() == room);
  ann.slot_request(1);
  lab.run(1s);
  BOOST_TEST(ann.granted() == 0U);  // eve may be slow
  lab.run(2s);
  BOOST_TEST(ann.granted() == 1U);
  BOOST_TEST(eve.granted() == room);  // and eve gets no others
  ann.enter(1);
  ann.slot_request(2);
  lab.run(1s);
  BOOST_TEST(ann.granted() == 2U);
}

BOOST_AUTO_TEST_CASE(a_message_that_comes_late_gets_in_all_the_same) {
  Lab lab;
  start_bob(lab);
  Sender eve(lab, "eve"), ann(lab, "ann");
  for (std::uint64_t number = 1; number <= room + 1; ++number) eve.slot_request(number);
  lab.run(5s);
  for (std::uint64_t number = 1; number <= room; ++number) {
    ann.slot_request(number);
    lab.run();
    ann.enter(number);
  }
  const auto waiting = [&lab] { return lab.node().core().mailboxes().find("bob")->queued.load(); };
  BOOST_TEST(waiting() == room);
  for (std::uint64_t number = 1; number <= room; ++number) eve.enter(number);
  BOOST_TEST(waiting() == 2 * room);
  BOOST_TEST(lab.count(eve.lease, reports_frame) == 0U);  // nothing was refused
  BOOST_TEST(eve.granted() == room);                      // there is no room for another
}

BOOST_AUTO_TEST_CASE(nodes_with_many_waiting_senders_leave_others_their_turn) {
  Lab lab;
  start_bob(lab);
  Sender eve(lab, "eve"), ann(lab, "ann");
  for (std::uint64_t number = 1; number <= 1000; ++number) eve.slot_request(number);
  ann.slot_request(1);
  ann.slot_request(2);
  lab.run(1s);
  BOOST_TEST(eve.granted() == 2U);
  BOOST_TEST(ann.granted() == 2U);
}

BOOST_AUTO_TEST_CASE(a_place_that_is_given_back_is_the_next_ones) {
  Lab lab;
  start_bob(lab);
  Sender eve(lab, "eve"), ann(lab, "ann");
  for (std::uint64_t number = 1; number <= room; ++number) eve.slot_request(number);
  lab.run(1s);
  ann.slot_request(1);
  eve.withdraw(3);
  lab.run();
  BOOST_TEST(ann.granted() == 1U);
  lab.end(eve.lease);
  for (std::uint64_t number = 2; number <= room; ++number) ann.slot_request(number);
  lab.run();
  BOOST_TEST(ann.granted() == room);
}

BOOST_AUTO_TEST_CASE(the_same_number_twice_is_no_second_place) {
  Lab lab;
  start_bob(lab);
  Sender eve(lab, "eve");
  for (int time = 0; time < 10; ++time) eve.slot_request(7);
  lab.run(1s);
  BOOST_TEST(eve.granted() == 1U);
  BOOST_TEST(eve.answered(no_slot) == 9U);
  eve.slot_request(7);  // a slot is reserved for it
  lab.run();
  BOOST_TEST(eve.granted() == 1U);
}

// Sixteen times as many slot requests take about sixteen times as long, and not 256 times.
BOOST_AUTO_TEST_CASE(slot_requests_that_are_withdrawn_cost_no_more_the_more_there_are) {
  Lab lab;
  start_bob(lab, 1h);
  Sender eve(lab, "eve");
  const auto cost = [&](std::uint64_t count) {
    for (std::uint64_t number = 1; number <= count; ++number) eve.slot_request(number);
    return test::processor_time_of([&] {
      for (std::uint64_t number = count; number != 0; --number) eve.withdraw(number);
      for (std::uint64_t number = 1; number <= count; ++number) eve.withdraw(number);
      lab.run();
    });
  };
  (void)cost(1000);
  const double few = cost(4'000);
  BOOST_TEST(cost(64'000) < 90 * few);
}

// Each receive checks some of the slot requests at once; the others are checked bit by bit while it
// waits.
BOOST_AUTO_TEST_CASE(a_receive_does_not_look_at_all_slot_requests_at_once) {
  Lab lab;
  std::uint64_t looks = 0;
  start_full_bob(lab, [&looks](Agent& me) -> Task<> {
    const Match nothing = that([&looks](const MessageView&) { return ++looks, false; });
    for (int time = 0; time < 10; ++time) (void)co_await me.receive(nothing, 500us);
  });
  Sender eve(lab, "eve");
  for (std::uint64_t number = 1; number <= many; ++number) eve.slot_request(number);
  BOOST_TEST(looks == 0U);
  lab.run(2s);
  BOOST_TEST(looks > 10 * room);
  BOOST_TEST(looks <= 10 * (room + 1024));
}

BOOST_AUTO_TEST_CASE(a_message_that_a_reader_waits_for_is_let_in_whoever_requests_slots_before) {
  Lab lab;
  start_full_bob(lab, [](Agent& me) -> Task<> { (void)co_await me.receive(says("wanted")); });
  Sender eve(lab, "eve");
  for (std::uint64_t number = 1; number <= many; ++number) eve.slot_request(number);
  for (std::uint64_t number = 1; number <= 10; ++number) eve.slot_request(many + number, "wanted");
  lab.run(1s);
  for (std::uint64_t number = 1; number <= many; number += 2) eve.withdraw(number);
  lab.run(1s);
  BOOST_TEST(eve.granted() == 1U);  // it waits for one
}

BOOST_AUTO_TEST_CASE(who_requests_slots_less_often_is_seen_as_soon) {
  Lab lab;
  start_full_bob(lab,
                 [](Agent& me) -> Task<> { (void)co_await me.receive(says("wanted"), 500us); });
  Sender eve(lab, "eve"), ann(lab, "ann");
  for (std::uint64_t number = 1; number <= many; ++number) eve.slot_request(number);
  for (std::uint64_t number = 1; number <= 10; ++number) ann.slot_request(number);
  ann.slot_request(11, "wanted");
  lab.run(2s);
  BOOST_TEST(ann.granted() == 1U);
}

// The second reader begins to wait while the slot requests are checked for the first one.
BOOST_AUTO_TEST_CASE(readers_that_wait_at_the_same_time_all_get_what_they_wait_for) {
  Lab lab;
  start_full_bob(lab, [](Agent& me) -> Task<> {
    me.spawn([](Agent& self) -> Task<> {
      co_await self.pause(3ms);
      (void)co_await self.receive(says("early"));
    }(me));
    (void)co_await me.receive(says("late"));
  });
  Sender eve(lab, "eve");
  for (std::uint64_t number = 1; number <= many; ++number)
    eve.slot_request(number, number == 2000 ? "early" : number == many ? "late" : "hi");
  lab.run(2s);
  BOOST_TEST(eve.granted() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
