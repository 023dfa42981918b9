#include "coracle/caf/common/fraction.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::caf {

BOOST_AUTO_TEST_SUITE(fraction)

BOOST_AUTO_TEST_CASE(what_is_read_is_exact) {
  BOOST_TEST((Fraction::parse("0.1").value() == Fraction(1, 10)));
  BOOST_TEST((Fraction::parse("-6/4").value() == Fraction(-3, 2)));
  BOOST_TEST((Fraction::parse("1.5e2").value() == Fraction(150)));
  BOOST_TEST((Fraction::parse("1e-3").value() == Fraction(1, 1000)));
  BOOST_TEST(Fraction(6, -4).str() == "-3/2");
}

BOOST_AUTO_TEST_CASE(what_is_no_number_is_refused) {
  for (const char* text : {"", "x", "1/0", "1/-2", "1.", ".5", "1e", "1e99", "0x1", "1/2/3", "--1",
                           "9999999999999999999", "1 ", "nan"}) {
    BOOST_TEST(!Fraction::parse(text), text);
  }
}

BOOST_AUTO_TEST_CASE(sums_and_products_are_exact_or_refused) {
  BOOST_TEST((Fraction(1, 3) + Fraction(1, 6) == Fraction(1, 2)));
  BOOST_TEST((Fraction(1, 3) - Fraction(1, 3) == Fraction(0)));
  BOOST_TEST((Fraction(2, 3) * Fraction(3, 4) == Fraction(1, 2)));
  BOOST_TEST((Fraction(1, 3) < Fraction(34, 100)));
  const Fraction large(INT64_MAX);
  BOOST_CHECK_THROW(large + Fraction(1), Error);
  BOOST_CHECK_THROW(large * Fraction(2), Error);
  BOOST_CHECK_THROW(Fraction(1, INT64_MAX) * Fraction(1, 2), Error);
  BOOST_CHECK_THROW(Fraction(1, 0), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf
