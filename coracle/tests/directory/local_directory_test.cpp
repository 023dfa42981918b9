#include "support/directory_bench.hpp"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace coracle {
namespace {

using namespace std::chrono_literals;
using test::DirectoryBench;
using test::fails_with;
using test::run_now;

BOOST_AUTO_TEST_SUITE(local_directory)

BOOST_AUTO_TEST_CASE(a_claimed_name_is_found_with_all_that_is_known_of_it) {
  DirectoryBench bench;
  const Incarnation life = bench.claim("lab/a", bench.lease, Properties().set("kind", "x")).value();
  const std::optional<Entry> entry = bench.look_up("lab/a");
  BOOST_REQUIRE(entry.has_value());
  BOOST_TEST(entry->name.view() == "lab/a");
  BOOST_TEST((entry->incarnation == life));
  BOOST_TEST((life.epoch == 1 && life.counter > 0));
  BOOST_TEST(entry->lease == bench.lease);
  BOOST_TEST(entry->identity == "ann");
  BOOST_TEST((where("kind") == "x").holds(entry->properties));
  BOOST_TEST(!bench.look_up("lab/b").has_value());
  BOOST_TEST(!bench.look_up("lab").has_value());
}

BOOST_AUTO_TEST_CASE(a_name_has_one_holder) {
  DirectoryBench bench;
  bench.claim("a");
  BOOST_TEST(fails_with(bench.claim("a", bench.lease), Errc::name_taken));
  BOOST_TEST(fails_with(bench.claim("a", bench.open("bob")), Errc::name_taken));
}

BOOST_AUTO_TEST_CASE(a_name_that_is_claimed_again_has_a_greater_incarnation) {
  DirectoryBench bench;
  const Incarnation first = bench.claim("a");
  BOOST_TEST(bench.leave("a", first).has_value());
  BOOST_TEST(!bench.look_up("a").has_value());
  const Incarnation second = bench.claim("a");
  BOOST_TEST((second > first));
  BOOST_TEST(fails_with(bench.leave("a", first), Errc::fenced));
  BOOST_TEST(bench.leave("a", second).has_value());
  BOOST_TEST(fails_with(bench.leave("a", second), Errc::fenced));
}

BOOST_AUTO_TEST_CASE(a_claim_needs_a_name_and_a_living_lease) {
  DirectoryBench bench;
  BOOST_TEST(fails_with(bench.claim(Name(), bench.lease), Errc::bad_name));
  BOOST_TEST(fails_with(bench.claim("a", 0), Errc::expired));
  BOOST_TEST(fails_with(bench.claim("a", bench.lease + 1), Errc::expired));
  BOOST_TEST(run_now(bench.directory->close_lease(bench.lease, EndReason::stopped)).has_value());
  BOOST_TEST(fails_with(bench.claim("a", bench.lease), Errc::expired));
  BOOST_TEST(fails_with(run_now(bench.directory->renew(bench.lease)), Errc::expired));
  BOOST_TEST((bench.open("ann") != bench.lease));
}

BOOST_AUTO_TEST_CASE(a_lease_that_is_not_renewed_in_time_ends_with_its_names) {
  DirectoryBench bench;
  bench.claim("a");
  bench.clock.advance(9s);
  BOOST_TEST(run_now(bench.directory->renew(bench.lease)).has_value());
  bench.clock.advance(9s);
  BOOST_TEST(bench.look_up("a").has_value());
  bench.clock.advance(1s);
  BOOST_TEST(!bench.look_up("a").has_value());
  BOOST_TEST(fails_with(run_now(bench.directory->renew(bench.lease)), Errc::expired));
  BOOST_TEST(bench.claim("a", bench.open("bob")).has_value());
}

BOOST_AUTO_TEST_CASE(a_lease_may_last_for_ever_but_not_for_no_time) {
  DirectoryBench bench;
  const LeaseId lease = bench.open("bob", Duration::max());
  BOOST_TEST(bench.claim("b", lease).has_value());
  bench.clock.advance(std::chrono::hours(100'000));
  BOOST_TEST(bench.look_up("b").has_value());
  BOOST_TEST(fails_with(run_now(bench.directory->open_lease("x", 0s)), Errc::bad_options));
}

BOOST_AUTO_TEST_CASE(a_takeover_needs_the_same_identity_and_fences_the_old_holder) {
  DirectoryBench bench;
  const Incarnation first = bench.claim("a");
  BOOST_TEST(fails_with(bench.take_over("a", bench.open("bob")), Errc::not_permitted));
  const LeaseId again = bench.open("ann");
  const Result<Incarnation> second = bench.take_over("a", again);
  BOOST_REQUIRE(second.has_value());
  BOOST_TEST((*second > first));
  BOOST_TEST(bench.look_up("a")->lease == again);
  BOOST_TEST(fails_with(bench.leave("a", first), Errc::fenced));
  BOOST_TEST(fails_with(run_now(bench.directory->describe("a", first, {})), Errc::fenced));
  BOOST_TEST(run_now(bench.directory->close_lease(bench.lease, EndReason::stopped)).has_value());
  BOOST_TEST(bench.look_up("a").has_value());
  BOOST_TEST(bench.take_over("unheld", again).has_value());
}

BOOST_AUTO_TEST_CASE(describing_replaces_the_properties) {
  DirectoryBench bench;
  const Incarnation life = bench.claim("a", bench.lease, Properties().set("old", 1)).value();
  BOOST_TEST(run_now(bench.directory->describe("a", life, Properties().set("new", 2))).has_value());
  BOOST_TEST((bench.look_up("a")->properties == Properties().set("new", 2)));
}

BOOST_AUTO_TEST_CASE(a_search_gives_what_fits_ordered_by_name_within_the_limit) {
  DirectoryBench bench;
  int rank = 0;
  for (const char* name : {"lab/c", "lab/a", "lab", "labor/x", "lab/b"})
    bench.claim(name, bench.lease, Properties().set("rank", ++rank)).value();
  BOOST_TEST(bench.search({}) == "lab lab/a lab/b lab/c labor/x");
  Query query;
  query.prefix = "lab";
  BOOST_TEST(bench.search(query) == "lab lab/a lab/b lab/c");
  query.limit = 2;
  BOOST_TEST(bench.search(query) == "lab lab/a");
  query.condition = where("rank") > 3;
  BOOST_TEST(bench.search(query) == "lab/b");
  query.limit = 0;
  BOOST_TEST(bench.search(query).empty());
}

BOOST_AUTO_TEST_CASE(a_search_among_many_keeps_the_first_by_name) {
  DirectoryBench bench;
  for (int i = 0; i < 10'000; ++i) bench.claim("n/" + std::to_string(99'999 - i));
  Query query;
  query.limit = 3;
  BOOST_TEST(bench.search(query) == "n/90000 n/90001 n/90002");
}

BOOST_AUTO_TEST_CASE(what_goes_beyond_a_limit_is_refused_until_something_is_given_up) {
  DirectoryLimits limits;
  limits.names = 2;
  limits.leases = 2;
  limits.watches = 1;
  limits.members_of_group = 1;
  DirectoryBench bench(limits);
  const Incarnation life = bench.claim("a");
  bench.claim("b");
  BOOST_TEST(fails_with(bench.claim("c", bench.lease), Errc::limit_reached));
  BOOST_TEST(bench.take_over("b", bench.lease).has_value());
  BOOST_TEST(bench.join("g", "a").has_value());
  BOOST_TEST(bench.join("g", "a").has_value());
  BOOST_TEST(fails_with(bench.join("g", "b"), Errc::limit_reached));
  BOOST_TEST(bench.leave("a", life).has_value());
  BOOST_TEST(bench.claim("c", bench.lease).has_value());
  BOOST_TEST(bench.join("g", "b").has_value());
  bench.open("bob");
  BOOST_TEST(fails_with(run_now(bench.directory->open_lease("eve", 1s)), Errc::limit_reached));
  test::Diary diary;
  run_now(bench.directory->watch({}, diary));
  BOOST_CHECK_THROW(run_now(bench.directory->watch({}, diary)), Error);
}

BOOST_AUTO_TEST_CASE(thousands_of_names_come_and_go_and_the_rest_is_still_found) {
  DirectoryBench bench;
  constexpr int count = 20'000;
  std::vector<Incarnation> lives;
  const auto name = [](int i) { return Name("lab/" + std::to_string(i)); };
  for (int i = 0; i < count; ++i) lives.push_back(bench.claim(name(i)));
  for (int i = 0; i < count; ++i)
    if (i % 3 != 0) bench.leave(name(i), lives[static_cast<std::size_t>(i)]).value();
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += bench.look_up(name(i)).has_value() != (i % 3 == 0);
  BOOST_TEST(wrong == 0);
  for (int i = 0; i < count; ++i)
    if (i % 3 != 0) bench.claim(name(i));
  for (int i = 0; i < count; ++i) wrong += !bench.look_up(name(i)).has_value();
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(of_threads_that_claim_the_same_names_exactly_one_gets_each) {
  DirectoryBench bench;
  constexpr int count = 1'000;
  std::vector<Name> names;
  for (int i = 0; i < count; ++i) names.emplace_back("lab/" + std::to_string(i));
  std::vector<std::atomic<int>> owners(count);
  std::atomic<int> other_failures = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const LeaseId lease = bench.open("thread " + std::to_string(t));
      for (std::size_t i = 0; i < count; ++i) {
        const Result<Incarnation> claimed = bench.claim(names[i], lease);
        if (claimed) ++owners[i];
        else if (claimed.error().errc() != Errc::name_taken) ++other_failures;
        if (!bench.look_up(names[i])) ++other_failures;
      }
    });
  for (std::thread& thread : threads) thread.join();
  int wrong = 0;
  for (const std::atomic<int>& owner : owners) wrong += owner != 1;
  BOOST_TEST(wrong == 0);
  BOOST_TEST(other_failures == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle
