// The networks of behaviours that can be built, and those that are refused with both ends named.
#include "coracle/dispel/subsumption.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <string>

namespace coracle::dispel {

namespace {

using namespace std::chrono_literals;

struct Drive : Behaviour {
  In<double> turn{*this, "turn"};
  Out<double> motor{*this, "motor"};
  Out<std::string> said{*this, "said"};
};

Subsumption three() {
  Subsumption network("robot");
  network.add<Drive>(0, "low").add<Drive>(1, "middle").add<Drive>(2, "high");
  return network;
}

std::string why_not(const std::function<void(Subsumption&)>& mistake) {
  Subsumption network = three();
  try {
    mistake(network);
  } catch (const Error& error) {
    return error.sentence().substr(error.sentence().find(": ") + 2);
  }
  return "nothing was refused";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(subsumption_plan)

BOOST_AUTO_TEST_CASE(mistakes_are_refused_with_both_ends_named) {
  BOOST_TEST(why_not([](Subsumption& n) { n.wire("low.motor", "top.turn"); }) ==
             "there is no behaviour 'top', which 'top.turn' names; add it first");
  BOOST_TEST(why_not([](Subsumption& n) { n.wire("low.motor", "high.brake"); }) ==
             "behaviour 'high' has no port 'brake'; it has turn, motor, said");
  BOOST_TEST(why_not([](Subsumption& n) { n.wire("low.said", "high.turn"); }) ==
             "no wire can lead from 'low.said' to 'high.turn': one gives text/plain, the other "
             "takes floating; give both the same type");
  BOOST_TEST(why_not([](Subsumption& n) {
               n.wire("low.motor", "high.turn").wire("middle.motor", "high.turn");
             }) ==
             "no wire can lead from 'middle.motor' to 'high.turn': one from 'low.motor' "
             "does, and an input has one wire; suppress it instead");
  BOOST_TEST(why_not([](Subsumption& n) { n.suppress("low.motor", "high.turn", 1s); }) ==
             "'low.motor' cannot suppress 'high.turn': it belongs to layer 0, which is not above "
             "layer 2; only a higher layer may");
  BOOST_TEST(why_not([](Subsumption& n) { n.suppress("high.motor", "low.motor", 1s); }) ==
             "'high.motor' cannot suppress 'low.motor', which is an output; inhibit it instead");
  BOOST_TEST(why_not([](Subsumption& n) { n.inhibit("high.motor", "low.turn", 1s); }) ==
             "'high.motor' cannot inhibit 'low.turn', which is an input; suppress it instead");
  BOOST_TEST(why_not([](Subsumption& n) { n.inhibit("high.motor", "low.motor", 0s); }) ==
             "'high.motor' cannot inhibit 'low.motor': its time constant is not above zero; give "
             "one that is");
}

BOOST_AUTO_TEST_CASE(the_higher_layer_has_the_higher_rank_whatever_was_connected_first) {
  Subsumption network = three();
  network.suppress("high.motor", "low.turn", 1s).suppress("middle.motor", "low.turn", 2s);
  const auto plan = network.plan();
  const std::vector<Duration> constants = {2s, 1s};
  BOOST_TEST((plan[0].wiring[0].constants == constants));
  BOOST_TEST((plan[2].wiring[1].targets.front().wire & 0xffff) == 2U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::dispel
