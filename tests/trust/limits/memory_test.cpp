// Ten seconds after the end of a member's lease, other nodes have returned the memory that the
// member has used to the system.
#include "member.hpp"
#include "memory/returning.hpp"
#include "runtime/remote/delivery_reports.hpp"

#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace coracle::trust {

using namespace detail;

namespace {

// Builds with sanitizers allocate otherwise, and never return memory.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__clang__)
constexpr bool is_measured = false;
#else
constexpr bool is_measured = true;
#endif

constexpr std::size_t mebibyte = std::size_t{1} << 20;

std::size_t resident() {
  std::size_t size = 0, pages = 0;
  std::ifstream("/proc/self/statm") >> size >> pages;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

using Attack = std::function<void(Lab& lab, LeaseId eve)>;

// The attack of eve takes at least `least` bytes, and nothing of them is left after her end.
void check_is_returned(std::size_t least, const Attack& attack) {
  NodeOptions options;
  options.absent_time_to_live = 2s;
  Lab lab(options);
  const LeaseId eve = lab.join();
  lab.claim(eve, "eve");
  lab.run(10s);
  give_memory_back();  // of earlier tests
  const std::size_t before = resident();
  attack(lab, eve);
  BOOST_TEST(!lab.is_refused(eve));
  std::vector<std::pair<LeaseId, Bytes>>().swap(lab.transport().sent);
  const std::size_t most = resident();
  lab.end(eve);
  lab.run(10s);
  const std::size_t after = resident();
  if (!is_measured) return;
  BOOST_TEST(most >= before + least);
  BOOST_TEST(after <= before + std::max(before / 10, 4 * mebibyte));
  BOOST_TEST_MESSAGE("resident: " << before / 1024 << " KiB, " << most / 1024 << ", "
                                  << after / 1024);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(memory)

BOOST_AUTO_TEST_CASE(for_names_that_a_member_has_numbered) {
  check_is_returned(40 * mebibyte, [](Lab& lab, LeaseId eve) {
    const std::string long_name = "eve/" + std::string(200, 'x');
    for (int number = 0; number < 200'000; ++number) {
      Frame probe(probe_frame);
      probe.new_name(long_name + std::to_string(number)).number(0).name("eve").number(0).text("");
      lab.transport().feed(eve, probe.bytes(), {});
    }
    lab.run();
  });
}

BOOST_AUTO_TEST_CASE(for_all_taps_that_a_member_may_have) {
  check_is_returned(4 * mebibyte, [](Lab& lab, LeaseId eve) {
    const Incarnation life = lab.life_of("eve");
    for (std::uint64_t id = 1; id <= 16'384; ++id)
      lab.transport().feed(eve, tap(id, id, "eve", life, "x/" + std::to_string(id)), {});
    lab.run();
    BOOST_TEST(lab.count(eve, answer_frame) == 16'384U);
  });
}

BOOST_AUTO_TEST_CASE(for_slot_requests) {
  check_is_returned(96 * mebibyte, [](Lab& lab, LeaseId eve) {
    lab.node().adopt(AgentSpec("full").mailbox(MailboxOptions().messages(1)),
                     std::make_unique<test::Doer>([](Agent& me) -> Task<> {
                       co_await me.send(me.name(), "full");
                       co_await me.pause(Deadline::never());
                     }));
    lab.run();
    const std::string text(200, 'x');
    MessageFields fields{.target = "full", .source = "eve", .life = lab.life_of("full")};
    for (fields.serial = 1; fields.serial <= 180'000; ++fields.serial)
      lab.transport().feed(eve, message(fields, slot_request_frame), Content(text));
    lab.run();
  });
}

// The messages wait for the next holder of the name until they expire.
BOOST_AUTO_TEST_CASE(for_messages_that_a_member_has_taken_and_not_ended) {
  check_is_returned(8 * mebibyte, [](Lab& lab, LeaseId eve) {
    constexpr int count = 60'000, at_once = 1000;
    lab.start("ann", [](Agent& me) -> Task<> {
      for (int sent = 0; sent < count; ++sent) co_await me.send(Name("eve"), "x");
      co_await me.pause(Deadline::never());
    });
    for (int first = 1; first <= count; first += at_once) {
      Frame taken(reports_frame);
      taken.name("eve").byte(static_cast<std::uint8_t>(ReportKind::taken));
      lab.send(eve, taken.number(static_cast<std::uint64_t>(first)).number(at_once).bytes());
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
