#include "directory.hpp"

#include "coracle/tests/support/manual_clock.hpp"
#include "coracle/tests/support/run_now.hpp"
#include "support/societies/expect.hpp"

namespace coracle::conformance {

namespace {

using namespace std::chrono_literals;
using test::expect;
using test::expect_equal;
using test::expect_error;

// Writes down the events that it receives.
class Listener final : public DirectoryWatcher {
 public:
  void on_change(const DirectoryEvent& event) noexcept override {
    if (event.kind == DirectoryEvent::Kind::lease_ended) return;
    static constexpr const char* kinds[] = {"arrived", "changed", "ended", "joined", "left"};
    if (!told.empty()) told += ' ';
    told += std::string(kinds[static_cast<std::size_t>(event.kind)]) + ':' + event.name.str();
    if (event.kind == DirectoryEvent::Kind::ended)
      told += std::string("(") + to_string(event.ending.reason) + ")";
    if (!event.group.empty()) told += '@' + event.group.str();
  }

  std::string told;
};

// A directory, its clock, and one lease of a minute.
struct World {
  explicit World(const DirectoryFactory& factory) : directory(factory(clock, 7)) {}

  test::ManualClock clock;
  std::shared_ptr<Directory> directory;
  LeaseId lease = 0;

  Task<Incarnation> claim(std::string name, LeaseId under) {
    Claim wanted(Name(name), under);
    co_return (co_await directory->claim(wanted)).value();
  }
};

// An ending of no particular kind. It is a constant, because g++ 12 would destroy a temporary
// within a co_await twice.
const Ending gone;

using Deed = Task<> (*)(World& world);

std::function<void()> proof(DirectoryFactory factory, Deed deed) {
  return [factory, deed] {
    World world(factory);
    const auto begin = [](World& here, Deed then) -> Task<> {
      here.lease = (co_await here.directory->open_lease("ann's owner", 60s)).value();
      co_await then(here);
    };
    test::run_now(begin(world, deed));
  };
}

Task<> one_owner(World& world) {
  const Incarnation first = co_await world.claim("ann", world.lease);
  expect_equal(first.epoch, 7u, "the epoch");
  Claim again("ann", world.lease);
  expect_error(co_await world.directory->claim(again), Errc::name_taken, "a second claim");
  const auto entry = co_await world.directory->look_up("ann");
  expect(entry && entry->incarnation == first, "the first holds it");
  expect_equal(entry->identity, "ann's owner", "its identity");
  expect(!co_await world.directory->look_up("bob"), "nobody is bob");
}

Task<> leaving(World& world) {
  const Incarnation first = co_await world.claim("ann", world.lease);
  (co_await world.directory->leave("ann", first, gone)).value();
  expect(!co_await world.directory->look_up("ann"), "ann has left");
  expect_error(co_await world.directory->leave("ann", first, gone), Errc::fenced, "again");
  const Incarnation second = co_await world.claim("ann", world.lease);
  expect(second > first, "a later holder is greater");
  expect_error(co_await world.directory->leave("ann", first, gone), Errc::fenced, "the first");
  expect_error(co_await world.directory->describe("ann", first, Properties()), Errc::fenced,
               "the first describes itself");
}

Task<> expiring(World& world) {
  Listener listener;
  const auto watch = co_await world.directory->watch(Name(), listener);
  const LeaseId brief = (co_await world.directory->open_lease("brief", 5s)).value();
  co_await world.claim("ann", brief);
  world.clock.advance(4s);
  (co_await world.directory->renew(brief)).value();
  world.clock.advance(4s);
  expect((co_await world.directory->look_up("ann")).has_value(), "renewed in time");
  world.clock.advance(2s);
  expect(!co_await world.directory->look_up("ann"), "not renewed in time");
  expect_error(co_await world.directory->renew(brief), Errc::expired, "a renewal too late");
  Claim late("bob", brief);
  expect_error(co_await world.directory->claim(late), Errc::expired, "a claim under it");
  co_await world.claim("ann", world.lease);
  expect_equal(listener.told, "arrived:ann ended:ann(expired) arrived:ann", "what was told");
  co_await world.directory->unwatch(watch);
}

Task<> closing(World& world) {
  Listener listener;
  const auto watch = co_await world.directory->watch(Name(), listener);
  co_await world.claim("ann", world.lease);
  co_await world.claim("bob", world.lease);
  (co_await world.directory->close_lease(world.lease, EndReason::unreachable)).value();
  expect_equal(listener.told,
               "arrived:ann arrived:bob ended:ann(unreachable) ended:bob(unreachable)", "told");
  expect_error(co_await world.directory->close_lease(world.lease, EndReason::stopped),
               Errc::expired, "a second time");
  co_await world.directory->unwatch(watch);
}

Task<> taking_over(World& world) {
  Listener listener;
  const auto watch = co_await world.directory->watch(Name(), listener);
  const Incarnation first = co_await world.claim("ann", world.lease);
  const LeaseId same = (co_await world.directory->open_lease("ann's owner", 60s)).value();
  const LeaseId other = (co_await world.directory->open_lease("a stranger", 60s)).value();
  Claim strange("ann", other);
  expect_error(co_await world.directory->take_over(strange), Errc::not_permitted, "a stranger");
  Claim own("ann", same);
  const Incarnation second = (co_await world.directory->take_over(own)).value();
  expect(second > first, "greater");
  expect_error(co_await world.directory->leave("ann", first, gone), Errc::fenced, "the old");
  expect_equal(listener.told, "arrived:ann ended:ann(fenced) arrived:ann", "what was told");
  Claim fresh("nobody", same);
  expect((co_await world.directory->take_over(fresh)).has_value(), "of a name that is free");
  co_await world.directory->unwatch(watch);
}

Task<> groups(World& world) {
  const Incarnation ann = co_await world.claim("ann", world.lease);
  co_await world.claim("bob", world.lease);
  expect_error(co_await world.directory->join("choir", "nobody"), Errc::no_such_agent, "nobody");
  (co_await world.directory->join("choir", "bob")).value();
  (co_await world.directory->join("choir", "ann")).value();
  (co_await world.directory->join("choir", "bob")).value();
  const auto both = co_await world.directory->members("choir");
  expect(*both == std::vector<Name>{"bob", "ann"}, "in the order in which they joined");
  (co_await world.directory->leave("ann", ann, gone)).value();
  expect((co_await world.directory->members("choir"))->size() == 1, "ann's ended with her");
  expect(both->size() == 2, "what was given does not change");
  (co_await world.directory->leave_group("choir", "bob")).value();
  (co_await world.directory->leave_group("choir", "bob")).value();
  expect((co_await world.directory->members("choir"))->empty(), "nobody is left");
}

Task<> watching(World& world) {
  Listener all, lab, twice;
  const auto everything = co_await world.directory->watch(Name(), all);
  const auto below_lab = co_await world.directory->watch("lab", lab);
  const auto ended = co_await world.directory->watch("lab", twice);
  const Incarnation sonar = co_await world.claim("lab/sonar", world.lease);
  co_await world.claim("labour", world.lease);
  co_await world.directory->unwatch(ended);
  (co_await world.directory->describe("lab/sonar", sonar, Properties().set("on", true))).value();
  (co_await world.directory->join("lab/choir", "labour")).value();
  (co_await world.directory->leave("lab/sonar", sonar, gone)).value();
  expect_equal(all.told,
               "arrived:lab/sonar arrived:labour changed:lab/sonar joined:labour@lab/choir "
               "ended:lab/sonar(stopped)",
               "to one that watches everything");
  expect_equal(lab.told,
               "arrived:lab/sonar changed:lab/sonar joined:labour@lab/choir "
               "ended:lab/sonar(stopped)",
               "to one that watches the lab");
  expect_equal(twice.told, "arrived:lab/sonar", "to one that has stopped");
  co_await world.directory->unwatch(everything);
  co_await world.directory->unwatch(below_lab);
}

Task<> searching(World& world) {
  for (const int range : {5, 1, 9, 3}) {
    const std::string name = "lab/sonar" + std::to_string(range);
    Claim wanted(Name(name), world.lease);
    wanted.properties.set("kind", "sonar").set("range", range);
    (co_await world.directory->claim(wanted)).value();
  }
  co_await world.claim("elsewhere", world.lease);
  Query query(where("kind") == "sonar" && !(where("range") < 3) && where("kind").matches("so.*"));
  query.prefix = "lab";
  query.limit = 2;
  const auto found = co_await world.directory->search(query);
  expect_equal(found.size(), 2u, "found");
  expect_equal(found[0].name, Name("lab/sonar3"), "the first by name");
  expect_equal(found[1].name, Name("lab/sonar5"), "the second");
  const Query everything;
  expect_equal((co_await world.directory->search(everything)).size(), 5u, "without a condition");
}

// Needs a second directory of the same kind; see directory_proofs().
Task<> delegating(World& world, std::shared_ptr<Directory> child) {
  Listener listener;
  const auto watch = co_await world.directory->watch(Name(), listener);
  co_await world.claim("lab", world.lease);
  (co_await world.directory->delegate("lab", child)).value();
  const Incarnation sonar = co_await world.claim("lab/sonar", world.lease);
  expect((co_await child->look_up("lab/sonar")).has_value(), "the child knows it");
  expect((co_await world.directory->look_up("lab/sonar")).has_value(), "the parent answers");
  expect((co_await world.directory->look_up("lab")).has_value(), "the prefix itself stays here");
  const Query everything;
  expect_equal((co_await world.directory->search(everything)).size(), 2u, "found in both");
  (co_await world.directory->leave("lab/sonar", sonar, gone)).value();
  expect_equal(listener.told, "arrived:lab arrived:lab/sonar ended:lab/sonar(stopped)", "told");
  co_await world.claim("lab/radar", world.lease);
  (co_await world.directory->close_lease(world.lease, EndReason::stopped)).value();
  expect(!co_await child->look_up("lab/radar"), "the child's lease ended with the parent's");
  co_await world.directory->unwatch(watch);
}

Task<> refusing(World& world) {
  expect_error(co_await world.directory->open_lease("x", 0s), Errc::bad_options, "a lease of 0 s");
  Claim nobody("ann", 0);
  expect_error(co_await world.directory->claim(nobody), Errc::expired, "a claim without a lease");
  expect_error(co_await world.directory->renew(12345), Errc::expired, "an unknown lease");
}

void delegation(const DirectoryFactory& factory) {
  World world(factory);
  const auto child = factory(world.clock, 8);
  const auto begin = [](World& here, std::shared_ptr<Directory> other) -> Task<> {
    here.lease = (co_await here.directory->open_lease("ann's owner", 60s)).value();
    co_await delegating(here, other);
  };
  test::run_now(begin(world, child));
}

}  // namespace

std::vector<Proof> directory_proofs(DirectoryFactory factory) {
  return {
      {"a_name_has_one_owner", proof(factory, one_owner)},
      {"one_that_left_holds_nothing_and_a_later_holder_is_greater", proof(factory, leaving)},
      {"a_lease_that_is_not_renewed_ends_with_its_names", proof(factory, expiring)},
      {"closing_a_lease_ends_its_names_for_that_reason", proof(factory, closing)},
      {"taking_over_needs_the_same_identity_and_fences_the_old_holder",
       proof(factory, taking_over)},
      {"a_group_has_each_member_once_and_loses_it_with_its_name", proof(factory, groups)},
      {"a_watcher_is_told_of_every_change_below_its_prefix_in_order", proof(factory, watching)},
      {"a_search_gives_what_fits_in_the_order_of_names_within_its_limit",
       proof(factory, searching)},
      {"what_lies_below_a_delegated_prefix_is_known_by_the_child",
       [factory] { delegation(factory); }},
      {"nonsense_is_refused_with_its_own_errc", proof(factory, refusing)},
  };
}

}  // namespace coracle::conformance
