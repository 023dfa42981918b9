// The names of foreign agents, and their addresses.
#include "gate/foreign_names.hpp"

#include "coracle/fipa/platform.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::fipa {

namespace {

using acl::Representation;
using Addresses = std::vector<std::string>;

acl::AgentId foreign_id(const std::string& name, Addresses addresses = {}) {
  return {.name = name, .addresses = std::move(addresses)};
}

struct NamedAgents {
  ForeignNames names{3, 2};
  void add(const acl::AgentId& agent, NamedBy by = NamedBy::letter) {
    names.add(agent, Representation::string, by, foreign_name(agent), agent.name + "-");
  }
  void letter_from(const acl::AgentId& agent) {
    names.name_again(agent, Representation::xml, NamedBy::letter);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(foreign_names, NamedAgents)

BOOST_AUTO_TEST_CASE(an_agent_is_found_by_its_identifier_and_by_its_name) {
  add(foreign_id("Zed@P2"));
  BOOST_TEST(names.find("zed@p2") == names.named("fipa/zed@p2"));
  BOOST_TEST(names.find("zed@p2") != nullptr);
  BOOST_TEST(names.find("zed@p3") == nullptr);
  BOOST_TEST(names.named("fipa/zed@p3") == nullptr);
}

BOOST_AUTO_TEST_CASE(a_letter_does_not_change_known_addresses_until_they_fail) {
  add(foreign_id("zed@p2", {"http://a"}));
  letter_from(foreign_id("zed@p2", {"http://b"}));
  BOOST_TEST((names.addresses_of(foreign_id("zed@p2")) == Addresses{"http://a", "http://b"}));
  names.on_reached("zed@p2", {}, "http://a");
  names.on_reached("zed@p2", {}, "http://b");  // an answer to that letter
  BOOST_TEST((names.addresses_of(foreign_id("zed@p2")) == Addresses{"http://a", "http://b"}));
  names.on_reached("zed@p2", {"http://a"}, "http://b");
  BOOST_TEST((names.addresses_of(foreign_id("zed@p2")) == Addresses{"http://b"}));
  names.name_again(foreign_id("zed@p2", {"http://c"}), Representation::string, NamedBy::program);
  BOOST_TEST((names.addresses_of(foreign_id("zed@p2")) == Addresses{"http://c", "http://b"}));
}

BOOST_AUTO_TEST_CASE(the_agent_that_was_idle_for_longest_gives_way_but_not_a_wanted_one) {
  add(foreign_id("a@p2"));
  add(foreign_id("b@p3"));
  names.want("a@p2");
  BOOST_TEST(!names.make_room_for(foreign_id("c@p4")).has_value());
  add(foreign_id("c@p4"));
  BOOST_TEST(names.make_room_for(foreign_id("d@p5"))->view() == "fipa/b@p3");
  BOOST_TEST(names.find("b@p3") == nullptr);
  add(foreign_id("d@p4"));
  letter_from(foreign_id("c@p4"));
  BOOST_TEST(names.make_room_for(foreign_id("e@p4"))->view() == "fipa/d@p4");
}

BOOST_AUTO_TEST_CASE(a_failure_belongs_to_the_agent_of_its_platform_that_was_asked) {
  add(foreign_id("zed@p2"));
  acl::Message failure;
  failure.performative = acl::Performative::failure;
  failure.sender = foreign_id("ams@p2");
  failure.in_reply_to = "zed@p2-17";
  BOOST_TEST(names.asked_by(failure) == names.find("zed@p2"));
  failure.sender = foreign_id("ams@p3");
  BOOST_TEST(names.asked_by(failure) == nullptr);
  failure.sender = foreign_id("ams@p2");
  failure.performative = acl::Performative::inform;
  BOOST_TEST(names.asked_by(failure) == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::fipa
