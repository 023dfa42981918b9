// The conditions under which replies are enough.
#include "coracle/collecting.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::rpc {

BOOST_AUTO_TEST_SUITE(collecting)

BOOST_AUTO_TEST_CASE(the_first_answer_is_enough_and_failures_are_not) {
  Collecting round(Collect::first(), 3);
  round.on_failure();
  BOOST_TEST(!round.over());
  round.on_answer(true);
  BOOST_TEST(round.over());
  BOOST_TEST(round.enough());
}

BOOST_AUTO_TEST_CASE(an_empty_answer_is_none_for_who_wants_something) {
  Collecting round(Collect::first_non_empty(), 2);
  round.on_answer(true);
  BOOST_TEST(!round.over());
  round.on_answer(false);
  BOOST_TEST(round.enough());
  Collecting nothing(Collect::first_non_empty(), 2);
  nothing.on_answer(true);
  nothing.on_answer(true);
  BOOST_TEST(nothing.over());
  BOOST_TEST(!nothing.enough());
}

BOOST_AUTO_TEST_CASE(it_is_over_as_soon_as_there_cannot_be_enough) {
  Collecting round(Collect::at_least(3), 4);
  round.on_answer(false);
  round.on_failure();
  BOOST_TEST(!round.over());
  round.on_failure();
  BOOST_TEST(round.over());
  BOOST_TEST(!round.enough());
  const Collecting impossible(Collect::at_least(2), 1);
  BOOST_TEST(impossible.over());
}

BOOST_AUTO_TEST_CASE(all_are_heard_even_when_one_fails) {
  Collecting round(Collect::all(), 3);
  round.on_failure();
  round.on_answer(false);
  BOOST_TEST(!round.over());
  round.on_answer(false);
  BOOST_TEST(round.over());
  BOOST_TEST(!round.enough());
  Collecting complete(Collect::all(), 2);
  complete.on_answer(true);
  BOOST_TEST(!complete.enough());
  complete.on_answer(false);
  BOOST_TEST(complete.enough());
}

BOOST_AUTO_TEST_CASE(until_the_deadline_whatever_comes_is_enough) {
  Collecting round(Collect::until_deadline(), 2);
  round.on_answer(false);
  BOOST_TEST(!round.over());
  round.on_failure();
  BOOST_TEST(round.over());
  BOOST_TEST(round.enough());
}

BOOST_AUTO_TEST_CASE(what_comes_afterwards_changes_nothing) {
  Collecting round(Collect::first(), 2);
  round.on_answer(false);
  round.on_failure();
  round.on_answer(false);
  round.on_failure();
  BOOST_TEST(round.enough());
}

BOOST_AUTO_TEST_CASE(nobody_was_asked) {
  BOOST_TEST(Collecting(Collect::all(), 0).enough());
  BOOST_TEST(Collecting(Collect::until_deadline(), 0).enough());
  BOOST_TEST(!Collecting(Collect::first(), 0).enough());
  BOOST_TEST(Collecting(Collect::first(), 0).over());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::rpc
