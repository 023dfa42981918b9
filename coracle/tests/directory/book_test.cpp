#include "directory/book.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle {
namespace {

using detail::Book;
using detail::Watches;

constexpr Duration term = std::chrono::seconds(10);

BOOST_AUTO_TEST_SUITE(book)

BOOST_AUTO_TEST_CASE(what_is_given_out_after_another_directory_differs_from_all_that_it_gave_out) {
  Watches watches;
  Book earlier(7, {}, watches);
  const LeaseId first = earlier.open_lease("ann", term, {}).value();
  const LeaseId second = earlier.open_lease("bob", term, {}).value();
  const Incarnation old = earlier.claim(Claim("a", second)).value();

  Book later(7, {}, watches);  // it began within the same second
  const LeaseId stranger = later.open_lease("cid", term, {}).value();
  const Incarnation kept = later.claim(Claim("c", stranger)).value();
  later.go_beyond(static_cast<std::uint32_t>(second >> 32));
  const LeaseId third = later.open_lease("ann", term, {}).value();
  BOOST_TEST(third != first);
  BOOST_TEST(third != second);
  BOOST_TEST((later.claim(Claim("a", third)).value() > old));
  BOOST_TEST((later.lease(second) == nullptr));
  // The entries that `later` had given out before are unchanged.
  BOOST_TEST((later.look_up("c")->incarnation == kept));
  BOOST_TEST(later.renew(stranger, {}).has_value());

  // A value that was seen before changes nothing, and a reused place has a later generation.
  later.go_beyond(3);
  BOOST_TEST(later.close_lease(third, EndReason::stopped).has_value());
  const LeaseId fourth = later.open_lease("ann", term, {}).value();
  BOOST_TEST((fourth >> 32) == (third >> 32) + 1);
}

BOOST_AUTO_TEST_CASE(a_search_in_steps_finds_nobody_twice) {
  Watches watches;
  Book book(7, {}, watches);
  const LeaseId lease = book.open_lease("ann", term, {}).value();
  Incarnation last;
  for (const char* name : {"a", "b", "c"}) {
    Claim claim(name, lease);
    claim.properties.set("kind", "sonar");
    last = book.claim(claim).value();
  }
  Query query(where("kind") == "sonar");
  std::vector<Entry> found;
  BOOST_TEST(book.search(query, 0, 2, found));
  BOOST_TEST(found.size() == 2u);
  // Between the steps, so few entries are left that a search would find them all at once.
  BOOST_TEST(book.leave("c", last, Ending("c", last, EndReason::stopped, "")).has_value());
  BOOST_TEST(!book.search(query, 2, 2, found));
  BOOST_TEST(found.size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_lease_has_so_many_memberships_and_gets_room_from_what_it_gives_up) {
  DirectoryLimits limits;
  limits.memberships_of_lease = 2;
  Watches watches;
  Book book(7, limits, watches);
  const LeaseId lease = book.open_lease("ann", term, {}).value();
  const LeaseId other = book.open_lease("bob", term, {}).value();
  const Incarnation a = book.claim(Claim("a", lease)).value();
  (void)book.claim(Claim("b", lease)).value();
  (void)book.claim(Claim("c", other)).value();
  const auto may = [&book](const char* group, const char* member) {
    const auto joined = book.join(group, member, false);
    return joined || joined.error().errc() != Errc::limit_reached;
  };
  BOOST_TEST((may("x", "a") && may("y", "b")));
  BOOST_TEST(may("x", "a"), "it is there already");
  BOOST_TEST((!may("z", "a") && !may("z", "b") && may("z", "c")));
  book.leave_group("y", "b");
  book.leave_group("y", "b");
  BOOST_TEST((may("z", "b") && !may("y", "b")));
  BOOST_TEST(book.leave("a", a, Ending("a", a, EndReason::stopped, "")).has_value());
  BOOST_TEST((may("y", "b") && !may("x", "b")));
  BOOST_TEST(book.close_lease(lease, EndReason::stopped).has_value());
  const LeaseId next = book.open_lease("ann", term, {}).value();
  (void)book.claim(Claim("a", next)).value();
  BOOST_TEST((may("x", "a") && may("y", "a") && !may("z", "a")));
  (void)book.take_over(Claim("a", next)).value();
  BOOST_TEST((may("x", "a") && may("y", "a") && !may("z", "a")));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle
