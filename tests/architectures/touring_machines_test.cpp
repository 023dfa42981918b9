// The behaviour of the layers of the TouringMachines, and proof that together they drive well.
#include "touring_machines/road.hpp"

#include <boost/test/unit_test.hpp>

#include <random>

namespace touring {

namespace {

const std::string open_lane(40, '.');

Scene scene_with(Cell other, int speed) {
  Scene scene;
  scene.cycle = 5;
  scene.car = {10, 1};
  scene.speed = speed;
  scene.map = {open_lane, open_lane, open_lane};
  scene.seen = {{"cart", other, {other.along - 1, other.lane}, false}};
  return scene;
}

// The command of the layer that has control.
Command command_in(const Scene& scene) {
  const Layer layer = choose(scene);
  if (layer == Layer::reactive) return react(scene);
  return layer == Layer::modeling ? model(scene) : plan(focus(scene));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(touring_machines)

BOOST_AUTO_TEST_CASE(a_surprise_wants_a_model_and_first_a_reaction_if_it_is_near) {
  BOOST_TEST((choose(scene_with({16, 1}, 2)) == Layer::modeling));
  BOOST_TEST((choose(scene_with({12, 1}, 2)) == Layer::reactive));
  BOOST_TEST((choose(scene_with({12, 1}, 0)) == Layer::modeling), "it stands already");
  Scene known = scene_with({12, 1}, 2);
  known.models = {{"cart", {10, 1}, 3, {1, 0}}};
  BOOST_TEST((choose(known) == Layer::planning), "it is where it was believed to be");
  known.models.front().speed = {0, 0};
  BOOST_TEST((choose(known) == Layer::reactive));
}

BOOST_AUTO_TEST_CASE(a_model_says_where_somebody_will_be) {
  const Command command = model(scene_with({16, 1}, 2));
  BOOST_TEST(command.models.size() == 1U);
  BOOST_TEST((command.models.front().at(9) == Cell{20, 1}));
  BOOST_TEST(command.why == "the cart goes along");
  BOOST_TEST(command.speed == 1);
}

BOOST_AUTO_TEST_CASE(a_plan_goes_around_what_stands_there_and_behind_what_it_cannot_pass) {
  Scene scene = scene_with({11, 1}, 0);
  scene.models = {{"cart", {11, 1}, 5, {0, 0}}};
  BOOST_TEST(plan(focus(scene)).turn != 0);
  scene.map[0] = scene.map[2] = std::string(40, '#');
  BOOST_TEST(plan(focus(scene)).speed == 0);
  scene.models.front().speed = {1, 0};
  scene.models.front().where = {12, 1};
  BOOST_TEST(plan(focus(scene)).speed == 1);
}

BOOST_AUTO_TEST_CASE(errands_are_done_one_after_the_other_then_it_leaves) {
  Scene scene = scene_with({30, 0}, 0);
  scene.seen.clear();
  scene.errands = {{"baker", {10, 1}}, {"school", {20, 1}}};
  BOOST_TEST(focus(scene).errand.where == "baker");
  BOOST_TEST(plan(focus(scene)).speed == 0);
  Road road(scene.map, {{"baker", {0, 1}}}, {});
  BOOST_TEST(road.drive(plan(focus(road.scene()))).empty());
  BOOST_TEST(road.scene().errands.empty());
  BOOST_TEST(focus(road.scene()).errand.where == "bridge");
}

BOOST_AUTO_TEST_CASE(it_gets_through_a_thousand_towns_and_runs_into_nobody) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned limit) { return static_cast<int>(random() % limit); };
    std::vector<std::string> map(3, open_lane);
    for (std::size_t begin = 6; begin < 36; begin += 6) {
      if (begin == 12 || begin == 24) continue;  // there are shops
      map[static_cast<std::size_t>(below(3))].replace(begin, 3, "###");
    }
    const std::vector<Errand> errands = {{"baker", {14, 2 * below(2)}},
                                         {"school", {26, 2 * below(2)}}};
    Road road(map, errands, {{"cart", {4 + below(4), 1}, {{0, {1, 0}}, {2 + below(20), {0, 0}}}}});
    std::string hit;
    while (hit.empty() && !road.is_done() && road.scene().cycle < 120) {
      hit = road.drive(command_in(road.scene()));
    }
    BOOST_TEST(hit == "", "seed " << seed << ": it ran into the " << hit);
    BOOST_TEST(road.is_done(), "seed " << seed << ": it is still on its way");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace touring
