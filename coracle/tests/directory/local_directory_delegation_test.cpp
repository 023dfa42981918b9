#include "support/directory_bench.hpp"

#include <string>

namespace coracle {
namespace {

using namespace std::chrono_literals;
using test::Diary;
using test::DirectoryBench;
using test::fails_with;
using test::run_now;

// A parent directory, and a child directory that holds the names below `lab`.
struct Family {
  Family() { run_now(parent.directory->delegate("lab", child.directory)).value(); }

  void advance(Duration span) {
    parent.clock.advance(span);
    child.clock.advance(span);
  }

  DirectoryBench child, parent;
};

BOOST_AUTO_TEST_SUITE(local_directory_delegation)

BOOST_AUTO_TEST_CASE(names_below_the_prefix_are_the_childs_and_others_stay) {
  Family family;
  family.parent.claim("lab");
  family.parent.claim("labor");
  const Incarnation life = family.parent.claim("lab/a");
  BOOST_TEST(family.child.search({}) == "lab/a");
  const std::optional<Entry> entry = family.parent.look_up("lab/a");
  BOOST_REQUIRE(entry.has_value());
  BOOST_TEST((entry->incarnation == life));
  BOOST_TEST(entry->lease == family.parent.lease);
  BOOST_TEST(entry->identity == "ann");
  BOOST_TEST(!family.child.look_up("lab").has_value());
  BOOST_TEST(fails_with(family.parent.claim("lab/a", family.parent.lease), Errc::name_taken));
  run_now(family.parent.directory->describe("lab/a", life, Properties().set("k", 1))).value();
  BOOST_TEST(!family.child.look_up("lab/a")->properties.empty());
  const Incarnation next = family.parent.take_over("lab/a", family.parent.open("ann")).value();
  BOOST_TEST((next > life));
  BOOST_TEST(fails_with(family.parent.leave("lab/a", life), Errc::fenced));
  BOOST_TEST(family.parent.leave("lab/a", next).has_value());
  BOOST_TEST(!family.child.look_up("lab/a").has_value());
}

BOOST_AUTO_TEST_CASE(a_search_merges_what_both_know) {
  Family family;
  family.child.claim("lab");  // the child may not give this name to the parent
  for (const char* name : {"z", "lab/b", "lab", "a", "lab/a/x"}) family.parent.claim(name);
  BOOST_TEST(family.parent.search({}) == "a lab lab/a/x lab/b z");
  Query query;
  query.prefix = "lab";
  query.limit = 2;
  BOOST_TEST(family.parent.search(query) == "lab lab/a/x");
  query.prefix = "lab/a";
  BOOST_TEST(family.parent.search(query) == "lab/a/x");
}

BOOST_AUTO_TEST_CASE(watchers_of_the_parent_hear_of_the_child) {
  Family family;
  Diary all, lab;
  run_now(family.parent.directory->watch({}, all));
  run_now(family.parent.directory->watch("lab/a", lab));
  const Incarnation life = family.child.claim("lab/a");
  family.child.claim("elsewhere");
  family.child.leave("lab/a", life, EndReason::crashed).value();
  BOOST_TEST(all.read() == "arrived lab/a; ended lab/a crashed");
  BOOST_TEST(lab.read() == "arrived lab/a; ended lab/a crashed");
}

BOOST_AUTO_TEST_CASE(renewing_and_closing_a_lease_reaches_the_child) {
  Family family;
  Diary diary;
  run_now(family.parent.directory->watch({}, diary));
  family.parent.claim("lab/a");
  family.advance(9s);
  run_now(family.parent.directory->renew(family.parent.lease)).value();
  family.advance(9s);
  BOOST_TEST(family.parent.look_up("lab/a").has_value());
  run_now(family.parent.directory->close_lease(family.parent.lease, EndReason::stopped)).value();
  BOOST_TEST(diary.read() == "arrived lab/a; ended lab/a stopped");
}

BOOST_AUTO_TEST_CASE(a_lease_that_expires_in_the_parent_expires_in_the_child) {
  Family family;
  family.parent.claim("lab/a");
  family.advance(10s);
  BOOST_TEST(!family.parent.look_up("lab/a").has_value());
  BOOST_TEST(fails_with(family.parent.claim("lab/b", family.parent.lease), Errc::expired));
}

BOOST_AUTO_TEST_CASE(a_lease_that_only_the_child_has_lost_is_opened_again) {
  Family family;
  family.parent.claim("lab/a");
  family.child.clock.advance(10s);
  BOOST_TEST(family.parent.claim("lab/a", family.parent.lease).has_value());
}

BOOST_AUTO_TEST_CASE(groups_below_the_prefix_are_the_childs) {
  Family family;
  family.parent.claim("lab/a");
  family.parent.claim("x");
  BOOST_TEST(family.parent.join("lab/g", "lab/a").has_value());
  BOOST_TEST(family.child.members("lab/g") == "lab/a");
  BOOST_TEST(family.parent.members("lab/g") == "lab/a");
  BOOST_TEST(fails_with(family.parent.join("lab/g", "x"), Errc::unsupported));
  run_now(family.parent.directory->leave_group("lab/g", "lab/a")).value();
  BOOST_TEST(family.child.members("lab/g").empty());
}

BOOST_AUTO_TEST_CASE(a_group_here_may_have_members_there_until_they_end) {
  Family family;
  const Incarnation life = family.parent.claim("lab/a");
  family.parent.claim("x");
  BOOST_TEST(family.parent.join("g", "lab/a").has_value());
  BOOST_TEST(family.parent.join("g", "x").has_value());
  BOOST_TEST(fails_with(family.parent.join("g", "lab/nobody"), Errc::no_such_agent));
  BOOST_TEST(family.parent.members("g") == "lab/a x");
  family.parent.leave("lab/a", life).value();
  BOOST_TEST(family.parent.members("g") == "x");
}

BOOST_AUTO_TEST_CASE(what_is_held_here_cannot_be_delegated) {
  DirectoryBench child, parent;
  parent.claim("lab/a");
  const auto delegate = [&](const Name& prefix) {
    return run_now(parent.directory->delegate(prefix, child.directory));
  };
  BOOST_TEST(fails_with(delegate("lab"), Errc::name_taken));
  BOOST_TEST(fails_with(delegate(Name()), Errc::bad_name));
  BOOST_TEST(delegate("lab/a").has_value());
  BOOST_TEST(fails_with(delegate("lab/a"), Errc::name_taken));
  parent.join("yard/g", "lab/a").value();
  BOOST_TEST(fails_with(delegate("yard"), Errc::name_taken));
  BOOST_TEST(fails_with(run_now(parent.directory->delegate("b", parent.directory)),
                        Errc::bad_options));
}

BOOST_AUTO_TEST_CASE(a_prefix_below_a_delegated_one_goes_to_that_child) {
  DirectoryBench grandchild;  // outlives those that delegate to it
  Family family;
  run_now(family.parent.directory->delegate("lab/r", grandchild.directory)).value();
  family.parent.claim("lab/r/sonar");
  BOOST_TEST(grandchild.search({}) == "lab/r/sonar");
  BOOST_TEST(family.parent.search({}) == "lab/r/sonar");
}

BOOST_AUTO_TEST_CASE(a_child_outlives_its_parent) {
  DirectoryBench child;
  {
    DirectoryBench parent;
    run_now(parent.directory->delegate("lab", child.directory)).value();
    parent.claim("lab/a");
  }
  BOOST_TEST(child.look_up("lab/a").has_value());
  child.claim("lab/b");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle
