// Huey, the robot of the paper's Figure 5, explores an unknown building and draws a map of it. With
// a number, the building is a random one: `huey 7`.
#include "huey/robot.hpp"

#include <coracle/realizations/open.hpp>

#include <iostream>

using namespace coracle;

int main(int argc, char** argv) {
  const std::vector<std::string> plan = {"+-+-+o+ +",  //
                                         "|   |   |",  //
                                         "+ +-+-+o+",  //
                                         "o |   |  ",  //
                                         "+-+-+o+-+",  //
                                         "    |   |",  //
                                         "+o+-+ +-+"};
  huey::Building building = argc > 1
                                ? huey::Building::random(static_cast<unsigned>(std::stoul(argv[1])))
                                : huey::Building(plan);
  huey::Survey survey;
  Node node(open());
  huey::assemble(node, building, survey);
  node.wait();

  for (const std::string& row : survey.map.picture()) std::cout << row << '\n';
  const bool is_right = survey.map == building.map();
  std::cout << survey.map.summary() << "; " << survey.driven << " cells driven\n"
            << (is_right ? "That is how it was built.\n" : "It was built otherwise.\n")
            << survey.drawing;
  return is_right ? 0 : 1;
}
