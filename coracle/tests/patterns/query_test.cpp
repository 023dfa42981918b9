#include "coracle/query.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace coracle {
namespace {

Properties sonar() {
  return Properties().set("kind", "sonar").set("range_m", 5.5).set("ports", 3).set("on", true);
}

BOOST_AUTO_TEST_SUITE(query)

BOOST_AUTO_TEST_CASE(properties_are_ordered_by_key_and_each_key_is_there_once) {
  Properties properties = sonar();
  properties.set("kind", "radar");
  BOOST_REQUIRE(properties.all().size() == 4u);
  BOOST_TEST(properties.all()[0].first == "kind");
  BOOST_TEST(properties.all()[3].first == "range_m");
  BOOST_TEST(std::get<std::string>(*properties.find("kind")) == "radar");
  BOOST_TEST(properties.find("color") == nullptr);
  BOOST_TEST(Properties().empty());
}

BOOST_AUTO_TEST_CASE(a_condition_tests_a_property) {
  BOOST_TEST((where("kind") == "sonar").holds(sonar()));
  BOOST_TEST(!(where("kind") == "radar").holds(sonar()));
  BOOST_TEST((where("kind") != std::string("radar")).holds(sonar()));
  BOOST_TEST((where("kind") < "tonar").holds(sonar()));
  BOOST_TEST((where("ports") >= 3).holds(sonar()));
  BOOST_TEST((where("ports") <= 3).holds(sonar()));
  BOOST_TEST(!(where("ports") > 3).holds(sonar()));
  BOOST_TEST((where("on") == true).holds(sonar()));
  BOOST_TEST(where("on").exists().holds(sonar()));
  BOOST_TEST(!where("off").exists().holds(sonar()));
}

BOOST_AUTO_TEST_CASE(numbers_compare_as_numbers_whatever_their_representation) {
  BOOST_TEST((where("range_m") > 5).holds(sonar()));
  BOOST_TEST((where("range_m") > 5.4).holds(sonar()));
  BOOST_TEST(!(where("range_m") > 5.6).holds(sonar()));
  BOOST_TEST((where("ports") == 3.0).holds(sonar()));
  BOOST_TEST((where("ports") < 3.5f).holds(sonar()));
  BOOST_TEST((where("ports") == 3ull).holds(sonar()));
  const std::int64_t big = (std::int64_t{1} << 53) + 1;
  BOOST_TEST((where("n") > 9007199254740992.0).holds(Properties().set("n", big)));
  BOOST_TEST((where("n") < 1e19).holds(Properties().set("n", big)));
  BOOST_TEST((where("n") > -1e19).holds(Properties().set("n", big)));
  BOOST_TEST((where("n") < -2.5).holds(Properties().set("n", -3)));
  BOOST_TEST((where("n") > -3.5).holds(Properties().set("n", -3)));
  BOOST_TEST((where("n") > big).holds(
      Properties().set("n", std::numeric_limits<std::uint64_t>::max())));
}

BOOST_AUTO_TEST_CASE(values_of_different_kinds_are_unequal_and_have_no_order) {
  BOOST_TEST((where("on") != 1).holds(sonar()));
  BOOST_TEST((where("ports") != "3").holds(sonar()));
  BOOST_TEST(!(where("ports") < "4").holds(sonar()));
  BOOST_TEST(!(where("ports") > "2").holds(sonar()));
  const double nan = std::nan("");
  BOOST_TEST(!(where("ports") == nan).holds(sonar()));
  BOOST_TEST((where("ports") != nan).holds(sonar()));
}

BOOST_AUTO_TEST_CASE(an_absent_property_fits_no_comparison) {
  BOOST_TEST(!(where("color") == "red").holds(sonar()));
  BOOST_TEST(!(where("color") != "red").holds(sonar()));
  BOOST_TEST((!(where("color") == "red")).holds(sonar()));
}

BOOST_AUTO_TEST_CASE(conditions_combine) {
  const Condition kind = where("kind") == "sonar";
  const Condition range = where("range_m") > 100;
  BOOST_TEST(!(kind && range).holds(sonar()));
  BOOST_TEST((kind || range).holds(sonar()));
  BOOST_TEST((kind && !range).holds(sonar()));
  BOOST_TEST(Condition().holds(sonar()));
  BOOST_TEST(!(!Condition()).holds(sonar()));
  BOOST_TEST((Condition() && kind).holds(sonar()));
}

BOOST_AUTO_TEST_CASE(a_regular_expression_matches_the_whole_text) {
  BOOST_TEST(where("kind").matches("so[mn]ar").holds(sonar()));
  BOOST_TEST(!where("kind").matches("so").holds(sonar()));
  BOOST_TEST(!where("ports").matches(".*").holds(sonar()));
  BOOST_TEST(!where("color").matches(".*").holds(sonar()));
}

BOOST_AUTO_TEST_CASE(a_regular_expression_that_cannot_be_compiled_is_refused_with_the_reason) {
  const auto refused = [](const Error& e) { return e.errc() == Errc::bad_pattern; };
  BOOST_CHECK_EXCEPTION(where("kind").matches("so("), Error, refused);
  BOOST_CHECK_EXCEPTION(where("kind").matches("((a{100}){100}){100}"), Error, refused);
  BOOST_CHECK_EXCEPTION(where("kind").matches(std::string(1025, 'a')), Error, refused);
  BOOST_CHECK_NO_THROW(where("kind").matches(std::string(1024, 'a')));
}

BOOST_AUTO_TEST_CASE(a_condition_that_is_nested_too_deep_is_refused) {
  Condition deep = where("kind").exists();
  for (int i = 1; i < 1'000; ++i) deep = !deep;
  BOOST_TEST(!deep.holds(sonar()));
  BOOST_CHECK_THROW(!deep, Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle
