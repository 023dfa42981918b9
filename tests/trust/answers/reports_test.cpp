// Delivery reports: a member reports the outcomes of messages that were sent to it.
#include "member.hpp"
#include "runtime/elsewhere/side.hpp"
#include "support/processor_time.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::trust {

using namespace detail;

namespace {

// An agent that sends one message after the other to a member.
struct Sent {
  explicit Sent(int count) : eve(lab.join()) {
    lab.claim(eve, "eve");
    lab.start("bob", [this, count](Agent& me) -> Task<> {
      for (int each = 0; each < count; ++each) {
        co_await me.send(Name("eve"), "hi");
        ++sent;
      }
      co_await me.pause(Deadline::never());
    });
  }
  void report(ReportKind what, std::uint64_t first, std::uint64_t count) {
    lab.send(eve, Frame(reports_frame)
                      .name("eve")
                      .byte(static_cast<std::uint8_t>(what))
                      .number(first)
                      .number(count)
                      .bytes());
  }
  std::uint64_t in_flight() { return lab.node().ledger().in_flight; }

  Lab lab;
  LeaseId eve;
  int sent = 0;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(reports)

// The first message never gets a report, and the messages after it cost nothing once they have
// ended.
BOOST_AUTO_TEST_CASE(reports_cost_the_same_however_much_was_sent_before) {
  const auto cost = [](int count) {
    Sent all(count);
    for (int before = -1; before != all.sent; all.lab.run()) {
      before = all.sent;
      all.report(ReportKind::consumed, 2, 1u << 20);
    }
    BOOST_TEST(all.sent == count);
    all.report(ReportKind::consumed, 2, 1u << 20);
    BOOST_TEST(all.in_flight() == 1U);
    Frame many(reports_frame);
    for (int time = 0; time < 500; ++time)
      many.name("eve")
          .byte(static_cast<std::uint8_t>(ReportKind::delivered))
          .number(1)
          .number(1u << 20);
    const double spent = test::processor_time_of([&] {
      for (int time = 0; time < 8; ++time) all.lab.send(all.eve, many.bytes());
    });
    all.report(ReportKind::consumed, 1, 1);  // it is still known
    BOOST_TEST(all.in_flight() == 0U);
    return spent;
  };
  (void)cost(2000);
  const double few = cost(2'000);
  BOOST_TEST(cost(64'000) < 10 * few);
}

// A member reports and leaves at once. Its frames are read by one worker, and the senders may be on
// the other.
BOOST_AUTO_TEST_CASE(reports_of_a_member_that_leaves_count) {
  constexpr int members = 16;
  NodeOptions options;
  options.workers = 2;
  Lab lab(options);
  std::vector<std::pair<std::string, LeaseId>> all;
  for (int each = 0; each < members; ++each) {
    all.emplace_back("eve/" + std::to_string(each), lab.join());
    lab.claim(all.back().second, all.back().first);
    lab.start("bob/" + std::to_string(each), [name = all.back().first](Agent& me) -> Task<> {
      co_await me.send(Name(name), "hi");
      co_await me.pause(Deadline::never());
    });
  }
  BOOST_TEST(lab.node().ledger().in_flight == 1U * members);
  for (const auto& [name, lease] : all) {
    lab.transport().feed(lease,
                         Frame(reports_frame)
                             .name(name)
                             .byte(static_cast<std::uint8_t>(ReportKind::consumed))
                             .number(1)
                             .number(1)
                             .bytes(),
                         {});
    lab.end(lease, EndReason::stopped);
  }
  lab.run();
  BOOST_TEST(lab.node().ledger().in_flight == 0U);
  BOOST_TEST(lab.node().ledger().queued == 0U);
}

BOOST_AUTO_TEST_CASE(reports_that_say_the_same_again_and_again_are_too_many) {
  Sent all(1000);
  BOOST_TEST(all.sent == 1000);
  Frame many(reports_frame);
  for (int time = 0; time < 2000; ++time)
    many.name("eve").byte(static_cast<std::uint8_t>(ReportKind::delivered)).number(1).number(1000);
  all.lab.send(all.eve, many.bytes());
  BOOST_TEST(all.lab.is_refused(all.eve));
}

// A member that takes all messages and ends none cannot make the node remember them all.
BOOST_AUTO_TEST_CASE(what_a_member_has_taken_and_keeps_is_bounded) {
  Sent all(600'000);
  for (int before = -1; before != all.sent; all.lab.run()) {
    before = all.sent;
    all.report(ReportKind::taken, static_cast<std::uint64_t>(before) + 1, 1u << 20);
    all.report(ReportKind::taken, 1, 0);
    for (std::uint64_t first = 1; first < 3000; first += 1000)
      all.report(ReportKind::taken, static_cast<std::uint64_t>(std::max(0, before - 3000)) + first,
                 1000);
  }
  BOOST_TEST(all.sent > 200'000);
  BOOST_TEST(all.sent < 300'000);
  BOOST_TEST(!all.lab.is_refused(all.eve));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
