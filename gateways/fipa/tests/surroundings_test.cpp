// The names of agents as a gateway gives them.
#include "coracle/fipa/settings.hpp"

#include "coracle/acl/date_time.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

namespace coracle::fipa {

BOOST_AUTO_TEST_SUITE(surroundings)

BOOST_AUTO_TEST_CASE(agents_of_all_platforms_have_names) {
  const acl::Naming names = naming("oslo");
  const auto name_of = [&](const char* id) { return names.name_of({.name = id}).value().str(); };
  BOOST_TEST(name_of("lab/ann@oslo") == "lab/ann");
  BOOST_TEST(name_of("lab/ann@OSLO") == "lab/ann");
  BOOST_TEST(name_of("Zed@p2") == "fipa/zed@p2");
  BOOST_TEST(name_of("a/b@p2:7") == "fipa/a%2fb@p2:7");
  BOOST_TEST(name_of("ams@oslo") == "fipa");
  BOOST_TEST(name_of("DF@oslo") == "fipa");
  BOOST_TEST(name_of("ams@p2") == "fipa/ams@p2");
  BOOST_TEST(!names.name_of({.name = ""}));
  BOOST_TEST(!names.name_of({.name = "a//b@oslo"}));
  BOOST_TEST(names.agent_of("lab/ann").name == "lab/ann@oslo");
  BOOST_TEST(names.agent_of("fipa/a%2fb@p2:7").name == "a/b@p2:7");
}

BOOST_AUTO_TEST_CASE(dates_have_a_meaning) {
  const acl::Calendar calendar = fipa::settings("oslo").calendar;
  const Time now = steady_clock().now();
  BOOST_TEST_REQUIRE(calendar.zero.has_value());
  const acl::CalendarTime in_a_day = *calendar.zero + std::chrono::hours(24);
  const auto time = calendar.time_of(acl::date_time_of(in_a_day), now);
  BOOST_TEST((time.value() == Time(std::chrono::hours(24))));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::fipa
