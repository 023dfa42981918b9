// The batches that wait at a stage, and those that it keeps for a consumer, when neighbours
// restart.
#include "pipeline/inlets.hpp"
#include "pipeline/outlet.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::dispel::detail {

namespace {

constexpr std::uint32_t ordered_group = 1;

// One unit, and the progress of its lane after it.
Head unit(Label label, Label next) {
  Head head;
  head.runs = {{0, 1, label, 1, 2}};
  head.next = {next};
  return head;
}

BOOST_AUTO_TEST_SUITE(inlets)

BOOST_AUTO_TEST_CASE(what_a_replica_gives_again_does_not_hold_up_the_others) {
  Wiring wiring;
  wiring.suppliers = {{Name("even"), 1, 0, ordered_group}, {Name("odd"), 1, 0, ordered_group}};
  Inlets inlets(wiring);
  BOOST_TEST(inlets.arrive(0, Content("a"), unit(0, 2), 1) == "");
  BOOST_TEST(inlets.arrive(1, Content("b"), unit(1, 2), 1) == "");
  for (const Label label : {0U, 1U}) {
    const auto work = inlets.next();
    BOOST_TEST_REQUIRE(work.has_value());
    BOOST_TEST(work->run.label == label);
    inlets.took(1);
  }
  // The second supplier has begun again: it sends a known unit, and then a mark that it has no
  // more.
  BOOST_TEST(inlets.arrive(0, Content("c"), unit(2, 3), 1) == "");
  BOOST_TEST(inlets.arrive(1, Content("b"), unit(1, 2), 1) == "");
  Head nothing;
  nothing.next = {4};
  BOOST_TEST(inlets.arrive(1, Content(), nothing, 0) == "");
  const auto work = inlets.next();
  BOOST_TEST_REQUIRE(work.has_value());
  BOOST_TEST(work->run.label == 2U);
}

BOOST_AUTO_TEST_CASE(replicas_that_were_cut_leave_off_where_they_said) {
  Wiring wiring;
  wiring.suppliers = {{Name("even"), 1, 0, ordered_group}, {Name("odd"), 1, 0, ordered_group}};
  Inlets inlets(wiring);
  Head nothing;
  nothing.next = {1};
  BOOST_TEST(inlets.arrive(0, Content("a"), unit(0, 1), 1) == "");
  BOOST_TEST(inlets.arrive(1, Content(), nothing, 0) == "");
  BOOST_TEST(inlets.next().has_value());
  inlets.took(1);
  // The stream ends before 4, and nothing came of 1 to 3. The stage has no room and requests no
  // work.
  Head end;
  end.next = {4};
  end.end = true;
  BOOST_TEST(inlets.arrive(0, Content(), end, 0) == "");
  BOOST_TEST(inlets.arrive(1, Content(), end, 0) == "");
  BOOST_TEST(inlets.has_ended());
  inlets.close();
  BOOST_TEST(inlets.taken().at(0) == 4U);
}

BOOST_AUTO_TEST_CASE(what_an_earlier_life_did_not_get_is_no_news_of_the_present_one) {
  Outlet outlet(1, 8, 1000);
  Attach attach;
  attach.life = 1;
  attach.done = {0};
  outlet.attach(attach);
  outlet.push(Content("a"), {{0, 1, 0, 1, 1}}, {0}, {1});
  BOOST_TEST(outlet.next_to_send().has_value());
  attach.life = 2;
  outlet.attach(attach);
  outlet.unsend(1, false);
  BOOST_TEST(outlet.is_attached());
  BOOST_TEST(outlet.next_to_send().has_value());
  BOOST_TEST(!outlet.next_to_send().has_value());
}

BOOST_AUTO_TEST_CASE(a_consumer_that_is_no_more_attaches_in_vain_when_its_successor_has) {
  Outlet outlet(1, 8, 1000);
  Attach first;
  first.life = 1;
  first.epoch = 7;
  first.counter = 1;
  first.done = {0};
  Attach second = first;
  second.life = 2;
  second.counter = 2;
  outlet.attach(second);
  outlet.push(Content("a"), {{0, 1, 0, 1, 1}}, {0}, {1});
  BOOST_TEST(outlet.next_to_send().has_value());
  outlet.attach(first);
  BOOST_TEST(outlet.life() == 2U);
  BOOST_TEST(!outlet.next_to_send().has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

}  // namespace coracle::dispel::detail
