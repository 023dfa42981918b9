// IRMA's filter passes options that are compatible with the intention, and options that override
// it.
#include "irma/tileworld.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace irma {

namespace {

const std::vector<std::string> hall = {"############",  //
                                       "#          #",  //
                                       "############"};

// In a hall with tiles at 1 and 9, the agent stands at 2 and carries a tile to hole a at 4; then
// hole b opens.
Beliefs beliefs_with(Hole other, int closes = 10) {
  Beliefs beliefs;
  beliefs.cycle = 5;
  beliefs.map = hall;
  beliefs.agent = {2, 1};
  beliefs.carries = true;
  beliefs.tiles = {{1, 1}, {9, 1}};
  beliefs.holes = {{"a", {4, 1}, 4, 0, closes}, std::move(other)};
  beliefs.intention = {"a", {}, false};
  return beliefs;
}

Thoughts filtered(const Beliefs& beliefs) { return filter(find_opportunities(beliefs)); }

std::string story() {
  std::string all;
  Tileworld world = yard();
  while (!world.is_over()) {
    const Beliefs& now = world.beliefs();
    const Decision decision =
        deliberate({filter(find_means(now)), filter(find_opportunities(now))});
    for (const std::string& each : decision.record) all += each + '\n';
    all += world.act(decision.intention) + '\n';
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(irma)

BOOST_AUTO_TEST_CASE(what_leaves_no_time_for_the_intention_is_filtered_out) {
  const Thoughts thoughts = filtered(beliefs_with({"b", {8, 1}, 7, 5, 30}));
  BOOST_TEST(thoughts.options.empty());
  BOOST_TEST(thoughts.filtered_out.size() == 1U);
  const Decision decision = deliberate({thoughts});
  BOOST_TEST(decision.intention.hole == "a");
  BOOST_TEST(decision.record.front().find("filtered out") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_is_worth_twice_as_much_overrides_the_filter_and_is_weighed) {
  Thoughts thoughts = filtered(beliefs_with({"b", {8, 1}, 8, 5, 30}));
  BOOST_TEST(thoughts.options.size() == 1U);
  BOOST_TEST(thoughts.options.front().verdict == "overrides the filter");
  BOOST_TEST(deliberate({thoughts}).intention.hole == "a", "8 for 6 steps, and 4 for 2");
  thoughts = filtered(beliefs_with({"b", {8, 1}, 13, 5, 30}));
  BOOST_TEST(deliberate({thoughts}).intention.hole == "b", "13 for 6 steps, and 4 for 2");
}

BOOST_AUTO_TEST_CASE(what_leaves_time_for_the_intention_passes) {
  // Six steps to b at 8, one to the tile at 9, five back to a at 4.
  const Hole other = {"b", {8, 1}, 7, 5, 30};
  BOOST_TEST(filtered(beliefs_with(other, 16)).options.empty());
  BOOST_TEST(filtered(beliefs_with(other, 17)).options.size() == 1U);
}

BOOST_AUTO_TEST_CASE(without_an_intention_everything_that_can_be_done_passes) {
  Beliefs beliefs = beliefs_with({"b", {8, 1}, 1, 2, 30});
  BOOST_TEST(find_opportunities(beliefs).options.empty(), "it is no news");
  beliefs.intention = {};
  BOOST_TEST(filtered(beliefs).options.size() == 2U);
  beliefs.holes.back().closes = 10;
  BOOST_TEST(filtered(beliefs).options.size() == 1U, "too far away");
}

BOOST_AUTO_TEST_CASE(the_nearest_tile_is_the_means) {
  Beliefs beliefs = beliefs_with({"b", {8, 1}, 1, 2, 30}, 40);
  BOOST_TEST(find_means(beliefs).options.empty(), "it has a tile");
  beliefs.carries = false;
  const Thoughts thoughts = find_means(beliefs);
  BOOST_TEST(thoughts.options.size() == 2U);
  BOOST_TEST((deliberate({thoughts}).intention.tile == Cell{1, 1}));
}

BOOST_AUTO_TEST_CASE(in_the_yard_something_is_filtered_out_and_something_overrides_the_filter) {
  const std::string all = story();
  for (const char* line : {"hole b (3 points, 7 steps): filtered out",
                           "hole c (9 points, 2 steps): overrides the filter, intended",
                           "hole f (4 points, 20 steps): overrides the filter, not intended",
                           "hole f is filled, 15 points"}) {
    BOOST_TEST(all.find(line) != std::string::npos, line << " is missing in\n" << all);
  }
  BOOST_TEST(all.find("hole a is filled") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace irma
