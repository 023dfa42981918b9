#include "support/directory_bench.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace coracle {
namespace {

using namespace std::chrono_literals;
using test::Diary;
using test::DirectoryBench;
using test::fails_with;
using test::run_now;

BOOST_AUTO_TEST_SUITE(local_directory_watch)

BOOST_AUTO_TEST_CASE(a_watcher_is_told_of_changes_within_its_prefix_only) {
  DirectoryBench bench;
  Diary lab, all, one;
  run_now(bench.directory->watch("lab", lab));
  run_now(bench.directory->watch({}, all));
  run_now(bench.directory->watch("lab/a", one));
  const Incarnation life = bench.claim("lab/a");
  bench.claim("labor");
  BOOST_TEST((one.last.incarnation == life));
  run_now(bench.directory->describe("lab/a", life, Properties().set("k", 1))).value();
  bench.leave("lab/a", life, EndReason::crashed).value();
  const std::string story = "arrived lab/a; changed lab/a; ended lab/a crashed";
  BOOST_TEST(lab.read() == story);
  BOOST_TEST(one.read() == story);
  BOOST_TEST((one.last.ending.incarnation == life));
  BOOST_TEST(one.last.ending.text == "why");
  BOOST_TEST(all.read() == "arrived lab/a; arrived labor; changed lab/a; ended lab/a crashed");
}

BOOST_AUTO_TEST_CASE(a_watcher_is_not_called_after_unwatch) {
  DirectoryBench bench;
  Diary diary, other;
  const std::uint64_t watch = run_now(bench.directory->watch("a", diary));
  run_now(bench.directory->watch("a", other));
  run_now(bench.directory->unwatch(watch));
  run_now(bench.directory->unwatch(watch));
  bench.claim("a");
  BOOST_TEST(diary.read().empty());
  BOOST_TEST(other.read() == "arrived a");
}

BOOST_AUTO_TEST_CASE(any_call_after_an_expiry_tells_of_it_even_for_names_nobody_asks_for) {
  DirectoryBench bench;
  Diary diary;
  run_now(bench.directory->watch({}, diary));
  bench.claim("a");
  bench.claim("b");
  bench.claim("c", bench.open("bob", 20s)).value();
  diary.read();
  bench.clock.advance(10s);
  bench.look_up("unrelated");
  BOOST_TEST(diary.read() == "ended a expired; ended b expired");
  bench.clock.advance(10s);
  bench.search({});
  BOOST_TEST(diary.read() == "ended c expired");
}

BOOST_AUTO_TEST_CASE(a_claim_of_an_expired_name_ends_the_old_holder_first) {
  DirectoryBench bench;
  Diary diary;
  run_now(bench.directory->watch("a", diary));
  bench.claim("a");
  bench.clock.advance(5s);
  const LeaseId bob = bench.open("bob");
  bench.clock.advance(5s);
  BOOST_TEST(bench.claim("a", bob).has_value());
  BOOST_TEST(diary.read() == "arrived a; ended a expired; arrived a");
}

BOOST_AUTO_TEST_CASE(a_takeover_tells_of_the_fenced_holder_and_then_of_the_new_one) {
  DirectoryBench bench;
  Diary diary;
  const Incarnation first = bench.claim("a");
  bench.join("g", "a").value();
  run_now(bench.directory->watch("a", diary));
  const Incarnation second = bench.take_over("a", bench.open("ann")).value();
  BOOST_TEST(diary.read() == "left a from g; ended a fenced; arrived a");
  BOOST_TEST((diary.last.incarnation == second && second > first));
  BOOST_TEST(bench.members("g").empty());
}

BOOST_AUTO_TEST_CASE(a_closed_lease_ends_its_names_for_the_given_reason) {
  DirectoryBench bench;
  Diary diary;
  bench.claim("a");
  bench.leave("b", bench.claim("b")).value();
  bench.claim("c");
  run_now(bench.directory->watch({}, diary));
  run_now(bench.directory->close_lease(bench.lease, EndReason::unreachable)).value();
  BOOST_TEST(diary.read() == "ended a unreachable; ended c unreachable");
}

BOOST_AUTO_TEST_CASE(a_group_has_its_members_in_the_order_of_joining) {
  DirectoryBench bench;
  for (const char* name : {"c", "a", "b"}) {
    bench.claim(name);
    bench.join("g", name).value();
  }
  BOOST_TEST(bench.members("g") == "c a b");
  const auto before = run_now(bench.directory->members("g"));
  BOOST_TEST(before == run_now(bench.directory->members("g")));
  run_now(bench.directory->leave_group("g", "a")).value();
  run_now(bench.directory->leave_group("g", "a")).value();
  BOOST_TEST(bench.members("g") == "c b");
  bench.join("g", "a").value();
  BOOST_TEST(bench.members("g") == "c b a");
  BOOST_TEST(before->size() == 3u);
  BOOST_TEST(bench.members("unknown").empty());
  BOOST_TEST(fails_with(bench.join("g", "nobody"), Errc::no_such_agent));
  BOOST_TEST(fails_with(bench.join({}, "a"), Errc::bad_name));
}

BOOST_AUTO_TEST_CASE(memberships_end_with_the_agent) {
  DirectoryBench bench;
  const Incarnation life = bench.claim("a");
  bench.claim("b");
  bench.join("g", "a").value();
  bench.join("h", "a").value();
  bench.join("g", "b").value();
  Diary diary;
  run_now(bench.directory->watch("g", diary));
  bench.leave("a", life).value();
  BOOST_TEST(diary.read() == "left a from g");
  BOOST_TEST(bench.members("g") == "b");
  BOOST_TEST(bench.members("h").empty());
  bench.claim("a");
  BOOST_TEST(bench.members("h").empty());
}

BOOST_AUTO_TEST_CASE(a_watcher_of_group_and_member_is_told_of_a_join_once) {
  DirectoryBench bench;
  Diary all, group, member;
  bench.claim("lab/a");
  run_now(bench.directory->watch("lab", all));
  run_now(bench.directory->watch("lab/g", group));
  run_now(bench.directory->watch("lab/a", member));
  bench.join("lab/g", "lab/a").value();
  for (Diary* diary : {&all, &group, &member})
    BOOST_TEST(diary->read() == "joined lab/a to lab/g");
}

BOOST_AUTO_TEST_CASE(many_members_come_and_go) {
  DirectoryBench bench;
  std::vector<Name> names;
  for (int i = 0; i < 1'000; ++i) names.emplace_back("m/" + std::to_string(i));
  for (const Name& name : names) {
    bench.claim(name);
    bench.join("g", name).value();
  }
  BOOST_TEST(run_now(bench.directory->members("g"))->size() == 1'000u);
  for (int i = 0; i < 990; ++i)
    run_now(bench.directory->leave_group("g", names[static_cast<std::size_t>(i)])).value();
  BOOST_TEST(bench.members("g") ==
             "m/990 m/991 m/992 m/993 m/994 m/995 m/996 m/997 m/998 m/999");
}

// Registers another name whenever one arrives, until there are five.
class Chain final : public DirectoryWatcher {
 public:
  explicit Chain(DirectoryBench& bench) : bench_(bench) {}
  void on_change(const DirectoryEvent& event) noexcept override {
    BOOST_TEST(!inside_);
    inside_ = true;
    seen += event.name.str() + " ";
    const auto next = static_cast<char>(event.name.view().front() + 1);
    if (next < 'f') bench_.claim(Name(std::string(1, next)));
    else run_now(bench_.directory->unwatch(watch));
    inside_ = false;
  }
  std::string seen;
  std::uint64_t watch = 0;

 private:
  DirectoryBench& bench_;
  bool inside_ = false;
};

BOOST_AUTO_TEST_CASE(a_watcher_may_call_the_directory) {
  DirectoryBench bench;
  Chain chain(bench);
  chain.watch = run_now(bench.directory->watch({}, chain));
  bench.claim("a");
  bench.claim("x");
  BOOST_TEST(chain.seen == "a b c d e ");
}

// Checks that the arrivals and endings of every name alternate.
class InTurn final : public DirectoryWatcher {
 public:
  void on_change(const DirectoryEvent& event) noexcept override {
    bool& alive = alive_[event.name.str()];
    if (alive == (event.kind == DirectoryEvent::Kind::arrived)) ++wrong;
    alive = !alive;
    if (event.incarnation < last_) ++wrong;
    if (event.kind == DirectoryEvent::Kind::arrived) last_ = event.incarnation;
  }
  int wrong = 0;

 private:
  std::map<std::string, bool> alive_;
  Incarnation last_;
};

BOOST_AUTO_TEST_CASE(changes_by_many_threads_are_told_in_order_and_never_after_unwatch) {
  DirectoryBench bench;
  InTurn always;
  run_now(bench.directory->watch("contested", always));
  std::atomic<bool> done = false;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      const LeaseId lease = bench.open("ann");
      while (!done)
        if (const Result<Incarnation> claimed = bench.claim("contested", lease))
          bench.leave("contested", *claimed).value();
    });
  for (int i = 0; i < 300; ++i) {
    Diary diary;
    const std::uint64_t watch = run_now(bench.directory->watch("contested", diary));
    run_now(bench.directory->unwatch(watch));
  }
  done = true;
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(always.wrong == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle
