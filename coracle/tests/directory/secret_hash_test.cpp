#include "coracle/support/secret_hash.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

namespace coracle::detail {
namespace {

BOOST_AUTO_TEST_SUITE(secret_hash)

// The values of other implementations, for the bytes 00, 01 … under the key 00, 01 … 0f.
BOOST_AUTO_TEST_CASE(it_is_siphash_1_3) {
  const HashKey key{0x0706050403020100, 0x0f0e0d0c0b0a0908};
  std::string text;
  BOOST_TEST(hash_under(key, text) == 0xabac0158050fc4dcU);
  text.push_back('\0');
  BOOST_TEST(hash_under(key, text) == 0xc9f49bf37d57ca93U);
  while (text.size() < 15) text.push_back(static_cast<char>(text.size()));
  BOOST_TEST(hash_under(key, text) == 0xd320d86d2a519956U);
}

BOOST_AUTO_TEST_CASE(names_and_texts_have_the_same) {
  const SecretHash hash;
  const std::string text = "lab/robot1";
  BOOST_TEST(hash(Name(text)) == hash(std::string_view(text)));
  BOOST_TEST(hash(Name(text)) == hash(text));
  BOOST_TEST(hash(Name(text)) != hash(Name("lab/robot2")));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::detail
