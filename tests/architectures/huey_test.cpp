// Huey's map is the building that it explored, whatever the building is.
#include "coracle/realizations/open.hpp"
#include "huey/robot.hpp"

#include <boost/test/unit_test.hpp>

#include <ostream>

namespace huey {

using namespace coracle;

namespace {

Survey explore(Building building, const std::string& realization) {
  Survey survey;
  Node node(open(realization));
  assemble(node, building, survey);
  node.wait();
  return survey;
}

std::string text_of(const Map& map) {
  std::string text = map.summary() + '\n';
  for (const std::string& row : map.picture()) text += row + '\n';
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(huey)

BOOST_AUTO_TEST_CASE(the_map_is_the_building) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    const Building building = Building::random(seed);
    const Survey survey = explore(building, "local:");
    BOOST_TEST((survey.map == building.map()), "building " << seed << " is\n"
                                                           << text_of(building.map())
                                                           << "and the map\n"
                                                           << text_of(survey.map));
  }
}

BOOST_AUTO_TEST_CASE(the_map_is_the_same_in_any_order_of_things) {
  const Building building = Building::random(7);
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Survey survey = explore(building, "sim:slow=1,workers=3,seed=" + std::to_string(seed));
    BOOST_TEST((survey.map == building.map()), "seed " << seed);
  }
}

BOOST_AUTO_TEST_CASE(another_building_has_another_map) {
  BOOST_TEST((Building({"+-+"}).map() != Building({"+o+"}).map()));
  BOOST_TEST((Building({"+-+-+"}).map() != Building({"+-+"}).map()));
  BOOST_TEST((Building({"+-+", "|  ", "+  "}).map() != Building({"+-+", "  |", "  +"}).map()));
}

BOOST_AUTO_TEST_CASE(what_is_between_two_places_is_one_corridor) {
  const Map map = Building({"+o+-+", "    |", "    +"}).map();
  BOOST_TEST(map.summary() == "2 dead ends, 1 corner, 2 corridors, 1 box");
  const std::vector<std::string> picture = {"+-o-----+", "        |", "        +"};
  BOOST_TEST(map.picture() == picture, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_robot_is_stopped_by_a_box) {
  Building building({"+o+"});
  BOOST_TEST(building.move(0, 8) == 2);
  BOOST_TEST(building.listen()[0].middle == 0);
  BOOST_TEST(building.listen()[2].middle == 3);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace huey
