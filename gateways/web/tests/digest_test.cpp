#include "coracle/web/digest.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::web {
namespace {

BOOST_AUTO_TEST_SUITE(digest)

BOOST_AUTO_TEST_CASE(digests_are_those_of_the_standard) {
  BOOST_TEST(sha256_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  BOOST_TEST(sha256_of("abc") ==
             "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::web
