#include "realizations/net/src/asio/busy_connections.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <functional>

namespace coracle::net::test {
namespace {

// Stands in for a connection.
class Busy final : public PolledConnection {
 public:
  bool look() override {
    ++looks;
    if (then) then();
    return has_something;
  }
  void await() override { ++awaited; }

  bool has_something = false;
  std::function<void()> then;
  int looks = 0, awaited = 0;
};

BOOST_AUTO_TEST_SUITE(busy_connections)

BOOST_AUTO_TEST_CASE(nobody_is_kept_before_somebody_looks) {
  BusyConnections busy_connections;
  Busy ann;
  busy_connections.add(ann);
  BOOST_TEST((busy_connections.look() == Look::nobody));
  BOOST_TEST(ann.looks == 0);
  busy_connections.add(ann);
  BOOST_TEST((busy_connections.look() == Look::nothing));
  BOOST_TEST(ann.looks == 1);
  busy_connections.remove(ann);
  BOOST_TEST((busy_connections.look() == Look::nobody));
}

BOOST_AUTO_TEST_CASE(all_are_looked_at_until_a_rest_leaves_them_to_the_system) {
  BusyConnections busy_connections;
  (void)busy_connections.look();
  std::array<Busy, 3> busy;
  for (Busy& each : busy) busy_connections.add(each);
  busy[1].has_something = true;
  BOOST_TEST((busy_connections.look() == Look::something));
  for (const Busy& each : busy) BOOST_TEST((each.looks == 1 && each.awaited == 0));
  busy_connections.rest();
  for (const Busy& each : busy) BOOST_TEST(each.awaited == 1);
  busy_connections.add(busy[0]);  // came during the rest
  BOOST_TEST((busy_connections.look() == Look::nobody));
  busy_connections.add(busy[0]);
  BOOST_TEST((busy_connections.look() == Look::nothing));
  BOOST_TEST(busy[0].looks == 2);
}

BOOST_AUTO_TEST_CASE(one_that_has_nothing_for_long_is_left_to_the_system) {
  BusyConnections busy_connections;
  (void)busy_connections.look();
  Busy ann, bob;
  busy_connections.add(ann);
  busy_connections.add(bob);
  bob.has_something = true;
  for (int i = 0; i < 255; ++i) (void)busy_connections.look();
  BOOST_TEST(ann.awaited == 0);
  (void)busy_connections.look();
  BOOST_TEST(ann.awaited == 1);
  (void)busy_connections.look();
  BOOST_TEST(ann.looks == 256);
  BOOST_TEST(bob.looks == 257);
}

BOOST_AUTO_TEST_CASE(one_more_takes_the_place_of_the_one_without_anything_for_longest) {
  BusyConnections busy_connections;
  (void)busy_connections.look();
  std::array<Busy, 5> busy;
  for (std::size_t i = 0; i < 4; ++i) {
    busy[i].has_something = i != 2;
    busy_connections.add(busy[i]);
  }
  (void)busy_connections.look();
  busy_connections.add(busy[4]);
  BOOST_TEST(busy[2].awaited == 1);
  (void)busy_connections.look();
  BOOST_TEST(busy[2].looks == 1);
  for (const std::size_t i : {0, 1, 3}) BOOST_TEST(busy[i].looks == 2);
  BOOST_TEST(busy[4].looks == 1);
}

BOOST_AUTO_TEST_CASE(those_that_end_while_they_are_looked_at_are_not_looked_at_again) {
  BusyConnections busy_connections;
  (void)busy_connections.look();
  std::array<Busy, 4> busy;
  for (Busy& each : busy) busy_connections.add(each);
  // The last comes first; it removes all but the first.
  busy[3].then = [&] {
    for (const std::size_t i : {3, 2, 1}) busy_connections.remove(busy[i]);
  };
  BOOST_TEST((busy_connections.look() == Look::nothing));
  BOOST_TEST(busy[0].looks == 1);
  BOOST_TEST((busy[1].looks + busy[2].looks == 0));
  BOOST_TEST((busy_connections.look() == Look::nothing));
  BOOST_TEST(busy[3].looks == 1);
  BOOST_TEST(busy[0].looks == 2);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
