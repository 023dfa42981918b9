// The nodes that hear of a change.
#include "realizations/net/src/society/service/interests.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <vector>

namespace coracle::society {

namespace {

struct Follower final : Interests::Node {};

DirectoryEvent change_of(const char* name) {
  DirectoryEvent event;
  event.name = Name(name);
  return event;
}

DirectoryEvent joined(const char* group, const char* member) {
  DirectoryEvent event = change_of(member);
  event.kind = DirectoryEvent::Kind::joined;
  event.group = Name(group);
  return event;
}

bool hears(Interests& interests, const Follower& node, const DirectoryEvent& change) {
  const Interests::Nodes& nodes = interests.of(change);
  return std::count(nodes.begin(), nodes.end(), &node) == 1;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(interests)

BOOST_AUTO_TEST_CASE(a_node_hears_of_the_names_that_it_follows) {
  Interests interests;
  Follower ann, bob;
  BOOST_TEST(interests.add_name(ann, Name("lab/robot")));
  BOOST_TEST(!interests.add_name(ann, Name("lab/robot")));
  BOOST_TEST(hears(interests, ann, change_of("lab/robot")));
  BOOST_TEST(!hears(interests, bob, change_of("lab/robot")));
  BOOST_TEST(!hears(interests, ann, change_of("lab/robot/arm")));
  BOOST_TEST(!hears(interests, ann, joined("team", "lab/robot")));
}

BOOST_AUTO_TEST_CASE(a_node_hears_of_all_within_a_prefix_that_it_follows) {
  Interests interests;
  Follower ann, bob;
  interests.add_prefix(ann, Name("lab"));
  interests.add_prefix(bob, Name());
  for (const char* const name : {"lab", "lab/robot", "lab/robot/arm"}) {
    BOOST_TEST(hears(interests, ann, change_of(name)));
    BOOST_TEST(hears(interests, bob, change_of(name)));
  }
  BOOST_TEST(!hears(interests, ann, change_of("labour")));
  BOOST_TEST(hears(interests, bob, change_of("labour")));
  BOOST_TEST(hears(interests, ann, joined("lab/team", "eve")));
  BOOST_TEST(hears(interests, ann, joined("team", "lab/robot")));
  BOOST_TEST(!hears(interests, ann, joined("team", "eve")));
}

BOOST_AUTO_TEST_CASE(a_membership_concerns_those_who_follow_the_group) {
  Interests interests;
  Follower ann;
  BOOST_TEST(interests.add_group(ann, Name("team")));
  BOOST_TEST(hears(interests, ann, joined("team", "eve")));
  BOOST_TEST(!hears(interests, ann, joined("others", "eve")));
  BOOST_TEST(!hears(interests, ann, change_of("team")));
}

BOOST_AUTO_TEST_CASE(a_node_that_is_forgotten_hears_of_nothing) {
  Interests interests;
  Follower ann, bob;
  for (Follower* const node : {&ann, &bob}) {
    interests.add_name(*node, Name("a"));
    interests.add_group(*node, Name("a"));
    interests.add_prefix(*node, Name("a"));
  }
  BOOST_TEST(ann.count() == 3U);
  interests.forget(ann);
  BOOST_TEST(ann.count() == 0U);
  BOOST_TEST(!hears(interests, ann, change_of("a")));
  BOOST_TEST(!hears(interests, ann, joined("a", "a")));
  BOOST_TEST(hears(interests, bob, change_of("a")));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::society
