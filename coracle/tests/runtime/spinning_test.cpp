#include "coracle/support/spinning.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle {
namespace {

using detail::Spinning;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(spinning)

BOOST_AUTO_TEST_CASE(looking_in_vain_makes_it_look_shorter_until_there_is_work_again) {
  Spinning spinning(50us);
  BOOST_TEST((spinning.begin() == 50us));
  spinning.in_vain();
  BOOST_TEST((spinning.begin() == 25us));
  for (int i = 0; i < 10; ++i) spinning.in_vain();
  BOOST_TEST((spinning.begin() == 0us));
  spinning.idled(1s);
  BOOST_TEST((spinning.begin() == 0us));
  for (int i = 0; i < 4; ++i) spinning.idled(199us);
  BOOST_TEST((spinning.begin() == 50us));
  spinning.in_vain();
  spinning.found();
  BOOST_TEST((spinning.begin() == 50us));
}

BOOST_AUTO_TEST_CASE(work_that_comes_soon_now_and_then_is_not_looked_for) {
  Spinning spinning(50us);
  for (int i = 0; i < 10; ++i) spinning.in_vain();
  for (int i = 0; i < 100; ++i) {
    spinning.idled(2ms);
    for (int soon = 0; soon < 3; ++soon) spinning.idled(10us);
    BOOST_TEST((spinning.begin() == 0us));
  }
}

int spells_without(Spinning& spinning) {
  int spells = 0;
  for (; spinning.begin() == 0us; ++spells) spinning.idled(10us);
  return spells;
}

BOOST_AUTO_TEST_CASE(where_others_have_much_to_do_it_sleeps_at_once_for_more_and_more_spells) {
  Spinning spinning(50us);
  BOOST_TEST(!spinning.gave_way(7us));
  BOOST_TEST((spinning.begin() == 50us));
  for (const int expected : {32, 64, 128}) {
    BOOST_TEST(spinning.gave_way(3ms));
    BOOST_TEST(spells_without(spinning) == expected);
    BOOST_TEST((spinning.begin() == 50us));
  }
  for (int i = 0; i < 20; ++i) spinning.gave_way(3ms);
  BOOST_TEST(spells_without(spinning) == 4096);
  for (int i = 0; i < 10000; ++i) spinning.found();
  BOOST_TEST(spinning.gave_way(3ms));
  BOOST_TEST(spells_without(spinning) == 32);
}

BOOST_AUTO_TEST_CASE(one_that_is_not_to_look_never_does) {
  Spinning spinning(0us);
  BOOST_TEST((spinning.begin() == 0us));
  spinning.found();
  spinning.idled(0us);
  BOOST_TEST((spinning.begin() == 0us));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle
