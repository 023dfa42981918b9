// Faults are made by a seed, and a list of them is made short.
#include "fault_plan.hpp"

#include "plans.hpp"
#include "support/expect.hpp"

#include <boost/test/unit_test.hpp>

#include <numeric>
#include <set>

namespace coracle::contract {

namespace {

using namespace std::chrono_literals;

Faults numbered(unsigned count) {
  Faults faults(count);
  for (unsigned host = 0; host < count; ++host) faults[host].host = host;
  return faults;
}

bool has(const Faults& faults, unsigned host) {
  return std::ranges::any_of(faults, [host](const Fault& fault) { return fault.host == host; });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fault_plan)

BOOST_AUTO_TEST_CASE(only_what_is_needed_is_left) {
  const auto fails = [](const Faults& fewer) { return has(fewer, 3) && has(fewer, 11); };
  const std::vector<std::size_t> expected = {3, 11};
  BOOST_TEST(shrink(numbered(20), fails) == expected, boost::test_tools::per_element());
  BOOST_TEST(shrink(numbered(20), [](const Faults&) { return true; }).empty());
  BOOST_TEST(shrink({}, [](const Faults&) { return true; }).empty());
}

BOOST_AUTO_TEST_CASE(it_is_not_tried_more_often_than_allowed) {
  unsigned tried = 0;
  const auto fails = [&tried](const Faults& fewer) {
    ++tried;
    return has(fewer, 3) && has(fewer, 11);
  };
  const auto left = shrink(numbered(20), fails, 7);
  BOOST_TEST(tried == 7u);
  BOOST_TEST(has(only(numbered(20), left), 3));
}

BOOST_AUTO_TEST_CASE(a_seed_makes_faults_of_every_kind_and_the_first_host_never_crashes) {
  std::set<Fault::Kind> kinds;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    for (const Fault& fault : faults_of(seed, 5)) {
      kinds.insert(fault.kind);
      BOOST_TEST((fault.host < 5 && fault.other < 5));
      if (fault.kind == Fault::Kind::crash) BOOST_TEST(fault.host != 0u);
      else BOOST_TEST(fault.host != fault.other);
    }
  }
  BOOST_TEST(kinds.size() == 4u);
  BOOST_TEST(faults_of(7, 1).empty());
}

BOOST_AUTO_TEST_CASE(hosts_crash_and_come_back_within_a_workload) {
  Fault crash;
  crash.kind = Fault::Kind::crash;
  crash.when = 5ms;
  crash.span = 5ms;
  crash.host = 2;
  sim::Options options = options_of(1);
  options.record = true;
  const Run run = run_seed(options, Size::standard, {}, "sim:nodes=5", Faults{crash});
  BOOST_TEST(run.wrong == "");
  BOOST_TEST(run.trace.find("host 2 loses its power") != std::string::npos);
  const Run again = run_seed(options, Size::standard, {}, "sim:nodes=5", Faults{crash});
  BOOST_TEST(again.hash == run.hash);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::contract
