// The requests of a node cost the directory little, and the other nodes nothing.
#include "asker.hpp"
#include "support/processor_time.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::trust {

using society::Announcement;
using society::Request;

namespace {

Properties of_bytes(std::size_t bytes) { return Properties().set("text", std::string(bytes, 'x')); }

// A node that does not confirm changes of groups, so that replies to others wait for it.
struct Silent : Asker {
  Silent(ServiceLab& lab, unsigned host) : Asker(lab, host) { says_seen = false; }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(directory)

// ── repeated requests ───────────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(a_census_costs_the_same_with_however_many_names_and_groups) {
  ServiceLab lab;
  Asker ann(lab, 1), eve(lab, 2);
  int names = 0;
  const auto cost = [&](int count) {
    for (; names < count; ++names) {
      const std::string name = "ann/" + std::to_string(names);
      ann.claim(name);
      if (names % 8 == 0) ann.ask(Request::join, name + "/group", name);
    }
    lab.run(1s);
    return test::processor_time_of([&] {
      for (int asked = 0; asked < 500; ++asked) eve.ask(Request::census);
      lab.run(1s);
    });
  };
  (void)cost(8);
  const double few = cost(4000);
  BOOST_TEST(cost(16'000) < 2.5 * few);
  BOOST_TEST(eve.announced(Announcement::census) == 1500U);
}

BOOST_AUTO_TEST_CASE(a_node_attaches_once_until_it_has_moved) {
  ServiceLab lab;
  Asker eve(lab, 1);
  for (int times = 0; times < 3; ++times) {
    eve.ask(Request::moved);
    eve.attach();
  }
  lab.run();
  BOOST_TEST(eve.ended().empty());
  BOOST_TEST(eve.announced(Announcement::all_announced) == 4U);
  eve.ask(Request::attach, std::uint64_t{0});
  lab.run();
  BOOST_TEST(eve.ended().size() == 1U);
  BOOST_TEST(eve.announced(Announcement::all_announced) == 4U);
}

BOOST_AUTO_TEST_CASE(who_is_told_all_and_takes_nothing_is_closed) {
  ServiceLab lab;
  Asker ann(lab, 1), eve(lab, 2);
  for (int name = 0; name < 100; ++name)
    ann.claim("ann/" + std::to_string(name), of_bytes(1'000'000));
  lab.run(10s);
  eve.reads = false;
  for (int times = 0; times < 4; ++times) {
    eve.ask(Request::moved);
    eve.attach();
  }
  lab.run(1s);
  BOOST_TEST(!eve.ended().empty());
  BOOST_TEST(ann.ended().empty());
}

// ── changes of groups ───────────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(what_changes_no_group_is_answered_at_once) {
  ServiceLab lab;
  Asker eve(lab, 1);
  Silent bob(lab, 2);
  Asker ann(lab, 3);
  ann.claim("ann");
  const auto changed = ann.ask(Request::join, "team", "ann");
  lab.run(50ms);
  const auto nothing = eve.ask(Request::leave_group, "team", "nobody");
  const auto refused = eve.ask(Request::join, "team", "nobody");
  lab.run(50ms);
  BOOST_TEST(!ann.is_answered(changed));
  BOOST_TEST(eve.is_answered(nothing));
  BOOST_TEST(eve.is_refused(refused, Errc::no_such_agent));
  lab.run(1s);
  BOOST_TEST(ann.is_answered(changed));
}

BOOST_AUTO_TEST_CASE(a_node_changes_the_groups_of_its_own_agents_only) {
  ServiceLab lab;
  Asker ann(lab, 1), eve(lab, 2);
  ann.claim("ann");
  eve.claim("eve");
  const auto joined = ann.ask(Request::join, "team", "ann");
  lab.run();
  BOOST_TEST((ann.is_answered(joined) && !ann.answer(joined).error));
  const auto left = eve.ask(Request::leave_group, "team", "ann");
  const auto put_in = eve.ask(Request::join, "crew", "ann");
  lab.run();
  BOOST_TEST(eve.is_refused(left, Errc::not_permitted));
  BOOST_TEST(eve.is_refused(put_in, Errc::not_permitted));
}

BOOST_AUTO_TEST_CASE(a_node_has_so_many_answers_that_wait_and_no_more) {
  ServiceLab lab;
  Asker eve(lab, 1);
  Silent bob(lab, 2);
  eve.claim("eve");
  std::uint64_t last = 0;
  for (int group = 0; group < 1024; ++group)
    last = eve.ask(Request::join, "eve/" + std::to_string(group), "eve");
  const auto more = eve.ask(Request::join, "eve/more", "eve");
  lab.run();
  BOOST_TEST(!eve.is_answered(last));
  BOOST_TEST(eve.is_refused(more, Errc::limit_reached));
  lab.run(1s);
  BOOST_TEST((eve.is_answered(last) && !eve.answer(last).error));
  const auto again = eve.ask(Request::join, "eve/more", "eve");
  lab.run(1s);
  BOOST_TEST((eve.is_answered(again) && !eve.answer(again).error));
}

BOOST_AUTO_TEST_CASE(who_has_seen_more_than_it_was_told_makes_no_sense) {
  ServiceLab lab;
  Asker ann(lab, 1);
  Silent eve(lab, 2), bob(lab, 3);
  ann.claim("ann");
  ann.ask(Request::join, "team", "ann");
  ann.ask(Request::join, "crew", "ann");
  lab.run(1s);
  bob.ask(Request::seen, std::uint64_t{2});
  bob.ask(Request::seen, std::uint64_t{2});
  eve.ask(Request::seen, std::uint64_t{3});
  lab.run();
  BOOST_TEST(bob.ended().empty());
  BOOST_TEST(eve.ended().size() == 1U);
  bob.ask(Request::seen, std::uint64_t{1});
  lab.run();
  BOOST_TEST(bob.ended().size() == 1U);
}

// Six nodes have as many waiting replies, and one node confirms each change by itself.
BOOST_AUTO_TEST_CASE(answers_that_wait_cost_no_more_the_more_there_are) {
  const auto cost = [](int count) {
    ServiceLab lab;
    Silent bob(lab, 1);
    std::vector<std::unique_ptr<Asker>> askers;
    for (unsigned host = 2; host < 8; ++host) {
      askers.push_back(std::make_unique<Asker>(lab, host));
      askers.back()->claim("eve/" + std::to_string(host));
    }
    lab.run();
    const double spent = test::processor_time_of([&] {
      for (unsigned host = 2; host < 8; ++host) {
        const std::string name = "eve/" + std::to_string(host);
        for (int group = 0; group < count; ++group)
          askers[host - 2]->ask(Request::join, name + "/" + std::to_string(group), name);
      }
      lab.run();
      for (int seen = 1; seen <= 6 * count; ++seen)
        bob.ask(Request::seen, static_cast<std::uint64_t>(seen));
      lab.run(1s);
    });
    for (const auto& asker : askers) BOOST_TEST(asker->ended().empty());
    return spent;
  };
  (void)cost(60);
  const double few = cost(60);
  BOOST_TEST(cost(960) < 90 * few);
}

// ── announcements to all ────────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(a_node_that_changes_much_and_often_is_held_to_a_rate) {
  ServiceLab lab;
  Asker eve(lab, 1), ann(lab, 2);
  const auto claimed = eve.claim("eve");
  ann.claim("ann");
  lab.run();
  const std::uint64_t life = eve.answer(claimed).value;
  const auto describe = [&](int times) {
    std::uint64_t last = 0;
    for (int time = 0; time < times; ++time) last = eve.describe("eve", life, of_bytes(1'000'000));
    lab.run(1s);
    return last;
  };
  BOOST_TEST(!eve.answer(describe(20)).error);
  BOOST_TEST(eve.is_refused(describe(40), Errc::limit_reached));
  lab.run(10s);
  BOOST_TEST(!eve.answer(describe(1)).error);
  BOOST_TEST(ann.ended().empty());
}

// The names that a node holds may be announced once; a name that is given up and registered again
// is announced twice.
BOOST_AUTO_TEST_CASE(names_that_are_given_up_and_claimed_again_count_as_changes) {
  ServiceLab lab;
  Asker eve(lab, 1);
  std::uint64_t last = 0;
  for (int name = 0; name < 60; ++name)
    last = eve.claim("eve/" + std::to_string(name), of_bytes(1'000'000));
  lab.run(1s);
  BOOST_TEST_REQUIRE(eve.is_answered(last));
  BOOST_TEST(!eve.answer(last).error);
  int refused = 0;
  for (int time = 0; time < 60; ++time) {
    const auto claimed = eve.claim("eve", of_bytes(1'000'000));
    for (int left = 50; left > 0 && !eve.is_answered(claimed); --left) lab.run(1ms);
    BOOST_REQUIRE(eve.is_answered(claimed));
    if (eve.is_refused(claimed, Errc::limit_reached)) ++refused;
    else eve.leave("eve", eve.answer(claimed).value);
  }
  BOOST_TEST(refused > 10);
  const auto small = eve.claim("eve/small");
  lab.run();
  BOOST_TEST(!eve.answer(small).error);
}

// Each incarnation of a node may cause that many announcements anew.
BOOST_AUTO_TEST_CASE(a_node_that_is_begun_again_may_claim_all_that_it_had) {
  ServiceLab lab;
  std::optional<Asker> ann;
  for (int time = 0; time < 3; ++time) {
    ann.reset();
    ann.emplace(lab, 1);
    for (int name = 0; name < 60; ++name) {
      const auto claimed = ann->claim("ann/" + std::to_string(name), of_bytes(1'000'000));
      for (int left = 50; left > 0 && !ann->is_answered(claimed); --left) lab.run(1ms);
      BOOST_REQUIRE(ann->is_answered(claimed));
      BOOST_REQUIRE(!ann->answer(claimed).error);
    }
    (void)ann->ask(Request::close_lease, ann->lease(), std::uint64_t{0});
    lab.run(10ms);
  }
}

// At the end of a lease, each other node checks all names that it knows.
BOOST_AUTO_TEST_CASE(a_node_opens_64_leases_at_once_and_one_a_second_also_when_it_is_begun_again) {
  ServiceLab lab;
  std::optional<Asker> eve;
  int opened = 0;
  std::string sentence;
  const auto open = [&](int times) {
    for (int time = 0; time < times; ++time) {
      const auto asked = eve->open_lease("another " + std::to_string(time));
      lab.run(1ms);
      BOOST_REQUIRE(eve->is_answered(asked));
      if (eve->is_refused(asked, Errc::limit_reached)) {
        sentence = eve->answer(asked).error->sentence();
        continue;
      }
      ++opened;
      (void)eve->ask(Request::close_lease, eve->answer(asked).value, std::uint64_t{0});
    }
  };
  for (int life = 0; life < 3; ++life) {
    eve.reset();
    lab.run(6s);
    eve.emplace(lab, 1);
    open(100);
    if (life == 0) BOOST_TEST(opened == 63);  // and one at its beginning
  }
  BOOST_TEST(sentence ==
             "this node has opened 64 leases, and now more than one in each second; keep those "
             "that it has");
  BOOST_TEST(opened > 64);
  BOOST_TEST(opened <= 64 + 14);
  lab.run(10s);
  open(1);
  BOOST_TEST(opened > 65);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
