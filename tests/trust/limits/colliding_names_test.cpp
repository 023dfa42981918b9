// A member may choose names that all have the same hash. Such names cost no more than others, and
// nobody is kept from a name of that hash.
#include "member.hpp"

#include "colliding_names.hpp"
#include "coracle/policy.hpp"
#include "directory/book.hpp"
#include "patterns/pattern_index.hpp"
#include "realizations/net/src/society/directory/replica.hpp"
#include "realizations/net/src/society/policy/authority.hpp"
#include "runtime/node/node_core.hpp"
#include "support/processor_time.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <limits>
#include <set>
#include <span>
#include <string>

namespace coracle::trust {

using namespace detail;

namespace {

constexpr std::size_t few = 4000, many = 16'000;
constexpr Duration term = 1h;

// All bits of the hash; and all but four, which are enough for a table of 2^20 entries.
constexpr std::uint32_t agreeing[] = {~0U, 0xff0fffffU};

// Names whose hashes agree in those bits; with no bits, they are ordinary names.
std::span<const Name> names_with(std::uint32_t bits) {
  static const std::vector<Name> same = test::colliding_names(many, agreeing[0]);
  static const std::vector<Name> alike = test::colliding_names(many, agreeing[1]);
  static const std::vector<Name> others = test::colliding_names(many, 0);
  if (bits == 0) return others;
  return bits == agreeing[0] ? same : alike;
}

// The work takes as long as with the same number of other names. With a table that is a list, it
// would take more than thirty times as long. A larger number of names is no measure, because fewer
// of them fit the cache.
template <class Work>
void check_cost(Work work) {
  const auto cost = [&work](std::span<const Name> names) {
    auto least = std::numeric_limits<double>::max();
    for (int time = 0; time < 3; ++time) {
      least = std::min(least, test::processor_time_of([&] { work(names); }));
    }
    return least;
  };
  const double of_others = cost(names_with(0));
  for (const std::uint32_t bits : agreeing) {
    BOOST_TEST_CONTEXT("agreeing in " << bits) {
      BOOST_TEST(cost(names_with(bits)) < 4 * of_others);
    }
  }
}

// Allows everything.
struct Everything final : Policy {
  bool allows(std::string_view, Action, const Name&, const Name&) const noexcept override {
    return true;
  }
};

DirectoryEvent event(DirectoryEvent::Kind kind, const Name& name, const Name& group = {}) {
  DirectoryEvent result;
  result.kind = kind;
  result.name = name;
  result.group = group;
  result.incarnation = {1, 1};
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(colliding_names)

BOOST_AUTO_TEST_CASE(names_can_be_chosen_by_their_hash) {
  for (const std::uint32_t bits : agreeing) {
    std::size_t alike = 0;
    std::set<Name> different;
    for (const Name& name : names_with(bits)) {
      alike += ((name.hash() ^ names_with(bits)[0].hash()) & bits) == 0 ? 1 : 0;
      different.insert(name);
    }
    BOOST_TEST(alike == many);
    BOOST_TEST(different.size() == many);
  }
}

// A limit on names of one hash would let a member block others from a name with that hash.
BOOST_AUTO_TEST_CASE(nobody_is_kept_from_a_name_whose_hash_many_others_have) {
  const auto names = names_with(agreeing[0]);
  const Name& wanted = names[few];
  Lab lab;
  const LeaseId eve = lab.join(), ann = lab.join();
  for (const Name& name : names.first(few)) lab.claim(eve, name.view());
  const Incarnation life = lab.claim(ann, wanted.view());
  BOOST_TEST((lab.life_of(wanted.view()) == life));
  Groups groups;
  for (const Name& name : names.first(few)) groups.join(name, "eve");
  BOOST_TEST(groups.join(wanted, "ann"));
  BOOST_TEST(groups.size_of(wanted) == 1U);
}

BOOST_AUTO_TEST_CASE(claims_in_a_directory) {
  check_cost([](std::span<const Name> names) {
    Watches watches;
    Book book(1, {}, watches);
    const LeaseId eve = book.open_lease("eve", term, {}).value();
    for (const Name& name : names) (void)book.claim(Claim(name, eve)).value();
    std::size_t found = 0;
    for (const Name& name : names) found += book.look_up(name) ? 1 : 0;
    BOOST_TEST(found == names.size());
    (void)book.close_lease(eve, EndReason::stopped);
    BOOST_TEST(!book.look_up(names.back()));
  });
}

BOOST_AUTO_TEST_CASE(names_that_a_node_has_heard_of) {
  Lab lab;
  Worker& home = lab.node().core().worker(0);
  check_cost([&](std::span<const Name> names) {
    MailboxTable mailboxes(many);
    bool is_new = false;
    for (const Name& name : names) (void)mailboxes.find_or_add(name, home, is_new);
    std::size_t found = 0;
    for (const Name& name : names) found += mailboxes.find(name.view())->name == name ? 1 : 0;
    BOOST_TEST(found == names.size());
  });
}

BOOST_AUTO_TEST_CASE(groups_and_their_members) {
  check_cost([](std::span<const Name> names) {
    Groups groups;
    for (const Name& name : names) {
      groups.join(name, "eve");
      groups.join("choir", name);
    }
    BOOST_TEST(groups.memberships() == 2 * names.size());
    BOOST_TEST(groups.leave_all("eve").size() == names.size());
    for (const Name& name : names) (void)groups.leave("choir", name);
    BOOST_TEST(groups.memberships() == 0U);
  });
}

BOOST_AUTO_TEST_CASE(names_that_are_watched) {
  struct Deaf final : DirectoryWatcher {
    void on_change(const DirectoryEvent&) noexcept override {}
  };
  check_cost([](std::span<const Name> names) {
    Watches watches;
    Deaf deaf;
    for (const Name& name : names) (void)watches.add(name, deaf);
    std::size_t wanted = 0;
    for (const Name& name : names) wanted += watches.wanted(name) ? 1 : 0;
    BOOST_TEST(wanted == names.size());
  });
}

BOOST_AUTO_TEST_CASE(a_nodes_copy_of_the_directory) {
  using Kind = DirectoryEvent::Kind;
  check_cost([](std::span<const Name> names) {
    society::Replica replica;
    for (const Name& name : names) {
      Entry entry{.name = name, .incarnation = {1, 1}, .lease = 7};
      entry.properties.set("kind", "sonar");
      replica.apply(event(Kind::arrived, name), std::move(entry));
      replica.apply(event(Kind::joined, name, "choir"), {});
    }
    Query query(where("kind") == "sonar");
    query.limit = many;
    BOOST_TEST(replica.search(query).size() == names.size());
    for (const Name& name : names) replica.apply(event(Kind::ended, name), {});
    BOOST_TEST(!replica.look_up(names.front()));
  });
}

BOOST_AUTO_TEST_CASE(questions_to_the_policy) {
  check_cost([](std::span<const Name> names) {
    society::Authority authority(std::make_shared<Everything>(), [](const std::string&) {});
    authority.opened(7, {.node = "evil"});
    std::size_t may = 0;
    for (const Name& name : names) {
      authority.claimed(7, name);
      may += authority.lets_send(7, name, "bob") ? 1 : 0;
    }
    for (const Name& name : names) may += authority.lets_send(7, name, "bob") ? 1 : 0;
    BOOST_TEST(may == 2 * names.size());
    authority.ended(7);
  });
}

BOOST_AUTO_TEST_CASE(sources_that_patterns_are_asked_of) {
  check_cost([](std::span<const Name> names) {
    NameConditions conditions(default_set_bytes);
    for (std::uint32_t slot = 0; slot < names.size(); ++slot) conditions.add(slot, names[slot], {});
    std::size_t held = 0;
    for (const Name& name : names) held += conditions.holding_for(name).size();
    for (const Name& name : names) held += conditions.holding_for(name).size();
    BOOST_TEST(held == 2 * names.size());
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
