// The choice among several places.
#include "realizations/net/src/society/directory/preference.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::society {

namespace {

using namespace std::chrono_literals;

constexpr Time start{std::chrono::seconds(100)};

Standing open_since(Time when, Time received = Time::max()) {
  return {true, false, when, received};
}
Standing silent_since(Time when) { return {false, false, when, when}; }
const Standing untried{}, failed{false, true, {}, {}};

}  // namespace

BOOST_AUTO_TEST_SUITE(preference)

BOOST_AUTO_TEST_CASE(places_get_their_turns_one_after_another) {
  const std::vector<Standing> places = {untried, untried, untried};
  BOOST_TEST((choose(places, nowhere, start, start).dial == std::vector{true, false, false}));
  BOOST_TEST((choose(places, nowhere, start, start).next == start + head_start));
  BOOST_TEST(
      (choose(places, nowhere, start, start + head_start).dial == std::vector{true, true, false}));
  BOOST_TEST((choose(places, nowhere, start, start + 2 * head_start).dial ==
              std::vector{true, true, true}));
}

BOOST_AUTO_TEST_CASE(one_that_has_failed_holds_nobody_up) {
  const std::vector<Standing> places = {failed, untried, untried};
  BOOST_TEST((choose(places, nowhere, start, start).dial == std::vector{true, true, false}));
}

BOOST_AUTO_TEST_CASE(the_first_that_answers_is_used) {
  const std::vector<Standing> places = {untried, open_since(start), open_since(start)};
  const Choice chosen = choose(places, nowhere, start, start);
  BOOST_TEST(chosen.use == 1u);
  BOOST_TEST((chosen.dial == std::vector{true, true, false}));
  BOOST_TEST(chosen.may_stay);
}

BOOST_AUTO_TEST_CASE(a_better_one_is_used_once_it_has_stayed_for_a_while) {
  const std::vector<Standing> places = {open_since(start), open_since(start - 1h)};
  BOOST_TEST(choose(places, 1, start - 1h, start).use == 1u);
  BOOST_TEST((choose(places, 1, start - 1h, start).next == start + proving_time));
  BOOST_TEST(choose(places, 1, start - 1h, start + proving_time).use == 0u);
}

BOOST_AUTO_TEST_CASE(a_better_one_of_which_nothing_is_heard_is_not_used) {
  const Time proved = start + proving_time;
  std::vector<Standing> places = {open_since(start, proved - 1ns), open_since(start - 1h)};
  const Choice chosen = choose(places, 1, start - 1h, proved + 1s);
  BOOST_TEST(chosen.use == 1u);
  BOOST_TEST((chosen.next > proved + 1s));
  BOOST_TEST((chosen.next < proved + 2s));
  places[0].received = proved;
  BOOST_TEST(choose(places, 1, start - 1h, proved + 1s).use == 0u);
}

BOOST_AUTO_TEST_CASE(the_best_of_two_that_came_together_is_waited_for) {
  const Time later = start + 10ms, proved = later + proving_time;
  std::vector<Standing> places = {open_since(later), open_since(start), open_since(start - 1h)};
  BOOST_TEST(choose(places, 2, start - 1h, start + proving_time).use == 2u);
  BOOST_TEST((choose(places, 2, start - 1h, start + proving_time).next == proved));
  BOOST_TEST(choose(places, 2, start - 1h, proved).use == 0u);
  places[0].received = later;  // the best place hangs
  BOOST_TEST(choose(places, 2, start - 1h, proved + proving_time - 1ns).use == 2u);
  BOOST_TEST(choose(places, 2, start - 1h, proved + proving_time).use == 1u);
}

BOOST_AUTO_TEST_CASE(a_worse_one_is_used_only_when_the_used_one_is_silent_for_long) {
  const std::vector<Standing> places = {silent_since(start), open_since(start)};
  const Choice chosen = choose(places, 0, start - 1h, start + 1s);
  BOOST_TEST(chosen.use == 0u);
  BOOST_TEST((chosen.dial == std::vector{true, true}));
  BOOST_TEST((chosen.next == start + silence));
  BOOST_TEST(choose(places, 0, start - 1h, start + silence).use == 1u);
}

BOOST_AUTO_TEST_CASE(the_used_one_keeps_its_link_while_it_is_silent) {
  const std::vector<Standing> places = {untried, silent_since(start)};
  const Choice chosen = choose(places, 1, start - 1h, start);
  BOOST_TEST(chosen.use == 1u);
  BOOST_TEST((chosen.dial == std::vector{true, true}));
}

BOOST_AUTO_TEST_CASE(with_nobody_there_the_search_begins_again) {
  const std::vector<Standing> places = {silent_since(start), silent_since(start)};
  const Choice chosen = choose(places, 0, start - 1h, start + silence);
  BOOST_TEST(chosen.use == nowhere);
  BOOST_TEST((chosen.dial == std::vector{true, false}));
}

BOOST_AUTO_TEST_CASE(one_that_was_left_is_kept_for_a_while) {
  const std::vector<Standing> places = {open_since(start), open_since(start - 1h)};
  BOOST_TEST(choose(places, 0, start, start + parting_time - 1ns).may_stay);
  const Choice chosen = choose(places, 0, start, start + parting_time);
  BOOST_TEST(!chosen.may_stay);
  BOOST_TEST((chosen.dial == std::vector{true, false}));
  BOOST_TEST((chosen.next == Time::max()));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::society
