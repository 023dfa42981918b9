#include "coracle/web/base64.hpp"

#include <rapidcheck.h>
#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::web {
namespace {

BOOST_AUTO_TEST_SUITE(base64)

BOOST_AUTO_TEST_CASE(bytes_are_read_as_they_were_written) {
  BOOST_TEST(rc::check([](const std::string& bytes) {
    RC_ASSERT(from_base64(to_base64(bytes)) == bytes);
    RC_ASSERT(from_base64(to_base64url(bytes)) == bytes);
  }));
  const std::string large((4 << 20) + 5, '\xfe');
  BOOST_TEST((from_base64(to_base64(large)) == large));
}

BOOST_AUTO_TEST_CASE(the_vectors_of_the_rfc_hold) {
  BOOST_TEST(to_base64("foobar") == "Zm9vYmFy");
  BOOST_TEST(to_base64("fooba") == "Zm9vYmE=");
  BOOST_TEST(to_base64("foob") == "Zm9vYg==");
  BOOST_TEST(to_base64url("\xff\xfe") == "__4");
  BOOST_TEST(from_base64("Zm9vYg").value() == "foob");
}

BOOST_AUTO_TEST_CASE(other_texts_are_refused) {
  for (const char* text :
       {"Z", "Zm9v=", "Zm9vYg=", "Zm9vYg===", "Zm 9v", "Zm9v\n", "=", "====", "Zm9vY=m9"})
    BOOST_TEST(!from_base64(text).has_value(), text);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::web
