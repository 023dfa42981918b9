#include "model/people.hpp"
#include "model/series.hpp"
#include "support/samples.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::view {

using test::said;

BOOST_AUTO_TEST_SUITE(people)

BOOST_AUTO_TEST_CASE(agents_are_counted_and_their_rates_measured) {
  People people;
  people.arrive(Name("ann"), 3, {"source"}, {}, test::at(1));
  people.measure(test::at(1));
  for (int i = 0; i < 10; ++i) people.count(said("ann", "bob", "hi"));
  people.measure(test::at(3));
  BOOST_TEST(people.find(Name("ann"))->sent == 10U);
  BOOST_TEST(people.find(Name("ann"))->rate == 5.0);
  BOOST_TEST(people.find(Name("bob"))->received == 10U);
  BOOST_TEST(!people.find(Name("bob"))->is_known);
}

BOOST_AUTO_TEST_CASE(a_browser_learns_who_went_since_its_last_change) {
  People people;
  people.arrive(Name("ann"), 3, {}, {}, test::at(1));
  people.arrive(Name("bob"), 3, {}, {}, test::at(1));
  const std::uint64_t before = people.changes();
  people.leave(Name("ann"));
  BOOST_TEST(people.is_complete_since(before));
  BOOST_TEST(people.gone_since(before).size() == 1U);
  BOOST_TEST(people.gone_since(people.changes()).empty());
  people.arrive(Name("ann"), 4, {}, {}, test::at(2));
  BOOST_TEST(people.gone_since(before).empty());
}

BOOST_AUTO_TEST_CASE(names_that_only_messages_have_are_limited) {
  People people(100, 10);
  for (int i = 0; i < 1000; ++i) people.count(said("x" + std::to_string(i), "bob", "hi"));
  BOOST_TEST(people.agents().size() == 10U);
  for (int i = 0; i < 1000; ++i)
    people.arrive(Name("y" + std::to_string(i)), 1, {}, {}, test::at(1));
  BOOST_TEST(people.agents().size() == 100U);
}

BOOST_AUTO_TEST_CASE(a_survey_is_a_change_only_if_it_is_another_one) {
  People people;
  Survey survey;
  survey.nodes.push_back({.lease = 1, .node = "oslo/1"});
  BOOST_TEST(people.survey(survey));
  BOOST_TEST(!people.survey(survey));
  survey.groups.push_back({"team", {"ann"}});
  BOOST_TEST(people.survey(survey));
  BOOST_TEST(people.surveyed() == people.changes());
}

BOOST_AUTO_TEST_CASE(series_keep_the_last_points_with_a_limited_number_of_values) {
  Series series(3, 2);
  const std::size_t load = series.metric("load", "1", "The load.", "node");
  BOOST_TEST(series.metric("load", "1", "The load.", "node") == load);
  for (int i = 0; i < 5; ++i)
    series.add({test::at(i), {{load, "a", 1}, {99, "none", 2}, {load, "b", 3}, {load, "c", 4}}});
  BOOST_TEST(series.points().size() == 3U);
  BOOST_TEST(series.points().back().values.size() == 2U);
  BOOST_TEST(series.points().back().values[1].label == "b");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::view
