// The subset of SL that an expression needs.
#include "coracle/acl/sl/level.hpp"

#include "support/exchanges.hpp"

#include "coracle/acl/sl/text.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::acl::sl {

BOOST_AUTO_TEST_SUITE(sl_level)

BOOST_AUTO_TEST_CASE(an_expression_needs_the_level_of_its_highest_operator) {
  const auto level = [](std::string_view text) { return level_of(content_from(text)); };
  BOOST_TEST((level(test::register_done) == Level::sl0));
  BOOST_TEST((level(test::one_found) == Level::sl0));
  BOOST_TEST((level("(p (= 1 2) (action me go) (done (action me go)))") == Level::sl0));
  BOOST_TEST((level("((not p))") == Level::sl1));
  BOOST_TEST((level("(p (and p (or q (implies r (equiv s true)))))") == Level::sl1));
  BOOST_TEST((level(test::notification) == Level::sl2));
  for (const char* each : {"((p ?x))", "((any ?x (p ?x)))", "((not (forall ?x p)))", "((B me p))",
                           "((feasible (action me go)))", "((| (action a b) (action c d)))",
                           "((done (action me go) p))"}) {
    BOOST_TEST((level(each) == Level::sl2));
  }
}

BOOST_AUTO_TEST_CASE(each_level_has_the_name_of_a_language) {
  for (const Level each : {Level::sl0, Level::sl1, Level::sl2}) {
    BOOST_TEST((level_of_language(language_of(each)) == each));
  }
  BOOST_TEST((level_of_language("FIPA-SL0") == Level::sl0));
  BOOST_TEST((level_of_language("fipa-sl") == Level::sl2));
  BOOST_TEST(!level_of_language("fipa-sl3").has_value());
  BOOST_TEST(!level_of_language("").has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::acl::sl
