// A member can use only a bounded share of a node, and takes nothing from the others.
#include "member.hpp"

#include <boost/test/unit_test.hpp>

#include <malloc.h>
#include <string>

namespace coracle::trust {

using namespace detail;

namespace {

// The number of the node's delivery reports for messages of a member to one name, by kind.
std::map<std::uint8_t, std::uint64_t> reports_for(const Lab& lab, LeaseId member) {
  std::map<std::uint8_t, std::uint64_t> reports;
  for (const auto& [to, frame] : lab.transport().sent) {
    if (to != member || frame.front() != std::byte{reports_frame}) continue;
    FrameReader in(frame);
    (void)in.byte();
    while (!in.at_end()) {
      if (in.number() < first_number) (void)in.text();
      const std::uint8_t report = in.byte();
      (void)in.number();
      reports[report] += in.number();
    }
  }
  return reports;
}

std::uint64_t refused_of(const Lab& lab, LeaseId member) {
  return reports_for(lab, member)[static_cast<std::uint8_t>(ReportKind::refused)];
}

AgentSpec small(std::string_view name) {
  return AgentSpec(Name(name)).mailbox(MailboxOptions().messages(4));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(shares)

#if !defined(__SANITIZE_ADDRESS__) && !defined(__clang__)  // their allocations differ
// The names that a member numbered are not kept after its end, unless a message is from or for
// them.
BOOST_AUTO_TEST_CASE(what_a_member_has_told_is_given_back_when_it_has_gone) {
  Lab lab;
  const LeaseId eve = lab.join();
  lab.claim(eve, "eve");
  lab.run(10s);
  const auto named = [](int number) {
    return "eve/" + std::string(200, 'x') + std::to_string(number);
  };
  const auto used = [] { return ::mallinfo2().uordblks; };
  const auto before = used();
  for (int number = 0; number < 50'000; ++number)
    lab.transport().feed(
        eve,
        Frame(probe_frame).new_name(named(number)).number(0).name("eve").number(0).text("").bytes(),
        {});
  lab.run();
  BOOST_TEST(!lab.is_refused(eve));
  const auto most = used();
  BOOST_TEST(most - before > (12u << 20));
  lab.transport().lose(eve);
  lab.run(10s);
  BOOST_TEST(used() <= before + (1u << 20));
}

// The node has received frames of each member, and of every second member also after its end.
BOOST_AUTO_TEST_CASE(members_that_come_and_go_leave_nothing) {
  Lab lab;
  const auto used = [] { return ::mallinfo2().uordblks; };
  const auto churn = [&lab](int members) {
    for (int count = 0; count < members; ++count) {
      const LeaseId eve = lab.join();
      const Bytes frame =
          Frame(probe_frame).name("x").number(0).name("y").number(0).text("").bytes();
      lab.transport().feed(eve, frame, {});
      lab.run(1ms);
      lab.end(eve);
      if (count % 2 == 0) lab.transport().feed(eve, frame, {});
    }
    lab.run(20s);
  };
  churn(1000);
  const auto before = used();
  churn(4000);
  BOOST_TEST(used() <= before + (1u << 20));
}
#endif

// A member that takes all names that a node has room for does not get other members refused as
// liars.
BOOST_AUTO_TEST_CASE(when_all_names_are_taken_a_message_in_a_new_one_is_refused_and_nothing_else) {
  NodeOptions options;
  options.names_limit = 64;
  Lab lab(options);
  const LeaseId eve = lab.join(), ann = lab.join();
  lab.node().adopt(AgentSpec("bob"), std::make_unique<test::Doer>([](Agent& me) -> Task<> {
                     for (;;) (void)co_await me.receive();
                   }));
  lab.run();
  lab.claim(ann, "ann");
  MessageFields fields{.target = "bob", .source = "ann", .life = lab.life_of("bob")};
  lab.send(ann, message(fields), Content("hi"));
  for (int number = 0; number < 100; ++number) {
    fields.source = "eve/" + std::to_string(number);
    lab.claim(eve, fields.source);
    lab.send(eve, message(fields), Content("hi"));
  }
  BOOST_TEST(reports_for(lab, eve)[forbidden_report] > 30u);
  BOOST_TEST(!lab.is_refused(eve));
  lab.claim(ann, "ann/2");
  for (const char* source : {"ann/2", "ann"}) {
    fields.source = source;
    lab.send(ann, message(fields), Content("hi"));
  }
  BOOST_TEST(!lab.is_refused(ann));
  BOOST_TEST(reports_for(lab, ann)[forbidden_report] == 1u);
}

BOOST_AUTO_TEST_CASE(who_goes_on_sending_to_a_full_mailbox_is_refused_and_others_are_not) {
  Lab lab;
  const LeaseId eve = lab.join(), ann = lab.join();
  lab.claim(eve, "eve");
  lab.claim(ann, "ann");
  lab.node().adopt(small("bob"), std::make_unique<test::Doer>([](Agent& me) -> Task<> {
                     co_await me.pause(Deadline::never());
                   }));
  MessageFields fields{.target = "bob", .source = "eve", .life = lab.life_of("bob")};
  for (int sent = 0; sent < 3000; ++sent) lab.transport().feed(eve, message(fields), Content("hi"));
  lab.run();
  BOOST_TEST(refused_of(lab, eve) == 3000 - 2 * 1024);
  fields.source = "ann";
  for (int sent = 0; sent < 100; ++sent) lab.transport().feed(ann, message(fields), Content("hi"));
  lab.run();
  BOOST_TEST(refused_of(lab, ann) == 0u);
  BOOST_TEST(!lab.is_refused(eve));
  fields.source = "eve";
  for (int sent = 0; sent < 2000; ++sent) lab.transport().feed(eve, message(fields), Content("hi"));
  lab.run();
  BOOST_TEST(lab.is_refused(eve));  // it was refused a thousand times, and goes on
}

BOOST_AUTO_TEST_CASE(what_waits_for_a_life_that_never_comes_expires) {
  NodeOptions options;
  options.absent_time_to_live = 2s;
  Lab lab(options);
  const LeaseId eve = lab.join(), carl = lab.join();
  lab.claim(eve, "eve");
  Incarnation life = lab.claim(carl, "bob");
  lab.start("ann", [](Agent& me) -> Task<> { co_await me.send(Name("bob"), "hi"); });
  ++life.counter;
  lab.send(eve, message({.target = "bob", .source = "eve", .life = life}), Content("hi"));
  BOOST_TEST(reports_for(lab, eve).empty());
  lab.run(3s);
  BOOST_TEST(reports_for(lab, eve)[static_cast<std::uint8_t>(ReportKind::expired)] == 1u);
}

BOOST_AUTO_TEST_CASE(who_requests_slots_too_often_is_told_that_there_is_no_room) {
  Lab lab;
  const LeaseId eve = lab.join();
  lab.claim(eve, "eve");
  lab.node().adopt(small("bob"), std::make_unique<test::Doer>([](Agent& me) -> Task<> {
                     for (int sent = 0; sent < 4; ++sent) co_await me.send(me.name(), "full");
                     co_await me.pause(Deadline::never());
                   }));
  lab.run();
  const std::string large(4000, 'x');
  MessageFields fields{.target = "bob", .source = "eve", .life = lab.life_of("bob")};
  constexpr unsigned most = (std::size_t{128} << 20) / 4512;
  for (fields.serial = 1; fields.serial <= most + 100; ++fields.serial)
    lab.transport().feed(eve, message(fields, slot_request_frame), Content(large));
  lab.run();
  BOOST_TEST(lab.count(eve, slot_answer_frame) == 99u);
  lab.transport().lose(eve);  // and all of it is given back
  lab.run();
}

// The session with the member has ended, but its lease has not.
BOOST_AUTO_TEST_CASE(who_begins_anew_under_its_lease_gets_what_was_under_way_once_more) {
  Lab lab;
  const LeaseId eve = lab.join();
  lab.claim(eve, "eve");
  lab.start("ann", [](Agent& me) -> Task<> {
    co_await me.send(Name("eve"), "one");
    co_await me.pause(Deadline::never());
  });
  BOOST_TEST(lab.count(eve, message_frame) == 1u);
  lab.transport().lose(eve);
  lab.run();
  BOOST_TEST(lab.transport().met == 0u);
  lab.transport().bring_back(eve);
  lab.run();
  BOOST_TEST(lab.transport().met == 1u);
  BOOST_TEST(lab.count(eve, message_frame) == 2u);
  const Bytes again = lab.last(eve, message_frame);
  FrameReader in(again);
  (void)in.byte();
  BOOST_TEST(in.number() == new_name);  // the earlier session's names are unknown
  lab.send(eve, message({.target = "ann", .source = "eve", .life = lab.life_of("ann")}),
           Content("hi"));
  BOOST_TEST(!lab.is_refused(eve));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
