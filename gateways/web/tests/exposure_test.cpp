#include "coracle/web/exposure.hpp"

#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::web {
namespace {

BOOST_AUTO_TEST_SUITE(exposure)

BOOST_AUTO_TEST_CASE(only_agents_that_fit_a_pattern_are_shown) {
  const Exposure lab({"lab/*", "desk/**"}, "a2a");
  BOOST_TEST(lab.shows("lab/ann"));
  BOOST_TEST(!lab.shows("lab/ann/arm"));
  BOOST_TEST(lab.shows("desk/a/b"));
  BOOST_TEST(!lab.shows("other"));
  BOOST_TEST(!Exposure({}, "a2a").shows("lab/ann"));
}

BOOST_AUTO_TEST_CASE(the_gateways_own_agents_are_never_shown) {
  const Exposure all({"**"}, "a2a");
  BOOST_TEST(all.shows("a2ab"));
  BOOST_TEST(!all.shows("a2a"));
  BOOST_TEST(!all.shows("a2a/zed"));
}

BOOST_AUTO_TEST_CASE(a_pattern_has_1_to_255_bytes) {
  BOOST_CHECK_THROW(Exposure({""}, "a2a"), Error);
  BOOST_CHECK_THROW(Exposure({std::string(256, 'x')}, "a2a"), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::web
