#include "directory/groups.hpp"
#include "support/processor_time.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace coracle {
namespace {

using detail::Groups;

Name group(int number) { return Name("group/" + std::to_string(number)); }

BOOST_AUTO_TEST_SUITE(groups)

BOOST_AUTO_TEST_CASE(who_leaves_some_groups_is_in_the_others_in_the_order_of_joining) {
  Groups groups;
  const Name ann("ann"), bob("bob");
  for (int number = 0; number < 100; ++number) {
    BOOST_TEST(groups.join(group(number), ann));
    BOOST_TEST(groups.join(group(number), bob));
  }
  std::vector<Name> left;
  for (int number = 0; number < 100; ++number) {
    if (number % 7 == 3) {
      left.push_back(group(number));
      continue;
    }
    BOOST_TEST(groups.leave(group(number), ann));
    BOOST_TEST(!groups.leave(group(number), ann));
  }
  BOOST_TEST(groups.memberships() == 100 + left.size());
  BOOST_TEST(groups.join(group(0), ann));
  left.push_back(group(0));
  BOOST_TEST((groups.leave_all(ann) == left));
  BOOST_TEST(groups.leave_all(ann).empty());
  BOOST_TEST(!groups.contains(group(3), ann));
  BOOST_TEST(groups.contains(group(3), bob));
  BOOST_TEST(groups.leave_all(bob).size() == 100U);
  BOOST_TEST(groups.all().empty());
}

// Sixteen times as many groups take about sixteen times as long, and not 256 times.
BOOST_AUTO_TEST_CASE(to_leave_a_group_costs_no_more_the_more_one_is_in) {
  const auto cost = [](int count) {
    Groups groups;
    const Name ann("ann");
    for (int number = 0; number < count; ++number) groups.join(group(number), ann);
    return test::processor_time_of([&] {
      for (int number = count; number-- != 0;) groups.leave(group(number), ann);
    });
  };
  (void)cost(1000);
  const double few = cost(5'000);
  BOOST_TEST(cost(80'000) < 90 * few);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle
