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

BOOST_AUTO_TEST_CASE(agents_with_open_requests_and_those_on_a_screen_are_inspected_first) {
  People people;
  for (const char* name : {"a", "b", "c", "d", "coracle/view-1"})
    people.arrive(Name(name), 3, {}, {}, test::at(1));
  Seen request = said("d", "b", "?");
  request.kind = formats::Kind::request;
  people.count(request);
  const Choice screen{.names = {"c"}};
  const auto next = [&](std::size_t most) {
    std::string all;
    for (const Name& each : people.to_look_at({&screen}, most)) all += each.str();
    return all;
  };
  BOOST_TEST(next(3) == "dca");
  BOOST_TEST(next(100) == "dcab");
  people.look(Name("a"), {}, test::at(2));
  BOOST_TEST(next(3) == "dcb");
  Seen reply = said("b", "d", "!");
  reply.kind = formats::Kind::reply;
  people.count(reply);
  BOOST_TEST(next(1) == "b");
  BOOST_TEST(next(100) == "cbda");
}

BOOST_AUTO_TEST_CASE(the_beginning_of_a_wait_stays_while_the_wait_does) {
  People people;
  people.arrive(Name("ann"), 3, {}, {}, test::at(1));
  const auto look = [&](double since, double now) {
    people.look(Name("ann"), {.waits_for = {Name("bob")}, .waits_since = test::at(since)},
                test::at(now));
  };
  look(10, 20);
  const std::uint64_t before = people.changes();
  look(10.5, 21);
  BOOST_TEST((people.find(Name("ann"))->waits_since == test::at(10)));
  BOOST_TEST(people.changes() == before);
  look(29, 30);
  BOOST_TEST((people.find(Name("ann"))->waits_since == test::at(29)));
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
  people.arrive(Name("ann"), 1, {}, {}, test::at(1));
  BOOST_TEST(people.find(Name("ann"))->groups.size() == 1U);
  survey.groups.clear();
  people.survey(survey);
  BOOST_TEST(people.find(Name("ann"))->groups.empty());
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

BOOST_AUTO_TEST_CASE(the_limit_of_a_mailbox_is_news_too) {
  People people;
  people.arrive(Name("ann"), 1, {}, {}, test::at(1));
  people.look(Name("ann"), {.queue = 3, .room = 64}, test::at(2));
  BOOST_TEST(people.find(Name("ann"))->queue == 3u);
  BOOST_TEST(people.find(Name("ann"))->room == 64u);
  const std::uint64_t before = people.changes();
  people.look(Name("ann"), {.queue = 3, .room = 64}, test::at(3));
  BOOST_TEST(people.changes() == before);
  people.look(Name("ann"), {.queue = 3, .room = 4}, test::at(4));
  BOOST_TEST(people.changes() > before);
}

BOOST_AUTO_TEST_CASE(the_share_of_a_processor_is_that_between_two_looks) {
  using namespace std::chrono_literals;
  People people;
  people.arrive(Name("ann"), 1, {}, {}, test::at(1));
  const auto look = [&](RunTime running, double at) {
    people.look(Name("ann"), {.running = running}, test::at(at));
    return people.find(Name("ann"))->cpu;
  };
  BOOST_TEST(!look({0s, 0s}, 1).has_value());
  BOOST_TEST(look({1s, 4s}, 5).value() == 0.25);
  const std::uint64_t before = people.changes();
  BOOST_TEST(look({2001us + 1s, 8ms + 4s}, 5.008).value() == 0.25);  // in tenths of a percent
  BOOST_TEST(people.changes() == before);
  BOOST_TEST(look({5s, 8s}, 9).value() > 0.9);
  BOOST_TEST(people.changes() > before);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::view
