#include "coracle/jose/key_set.hpp"

#include "coracle/errors.hpp"
#include "support/vectors.hpp"
#include "tests/support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <string>

namespace coracle::jose {
namespace {

BOOST_AUTO_TEST_SUITE(key_set)

BOOST_AUTO_TEST_CASE(keys_that_cannot_be_used_are_left_out) {
  // Of ten keys: a small one, one that is not on its curve, one for encryption, one that only
  // signs, a secret, and one of another kind.
  BOOST_TEST(KeySet::parse(test::text_of("keys.json")).value().size() == 4);
  BOOST_TEST(KeySet::parse(R"({"keys": []})").value().size() == 0);
}

BOOST_AUTO_TEST_CASE(texts_that_are_no_sets_are_refused) {
  for (const char* text : {"", "{}", "[]", R"({"keys": {}})", R"({"keys": [], "keys": []})",
                           R"({"keys": [{"kty": "oct", "kid": "a", "kid": "b"}]})"})
    BOOST_TEST(!KeySet::parse(text).has_value(), text);
  const std::string deep(100'000, '[');
  BOOST_TEST(!KeySet::parse(R"({"keys": )" + deep).has_value());
  std::string many = R"({"keys": [)";
  for (std::size_t i = 0; i <= KeySet::max_keys; ++i) many += R"({"kty": "oct"},)";
  many.back() = ']';
  BOOST_TEST(!KeySet::parse(many + "}").has_value());
  for (const std::size_t size : {KeySet::max_text + 1, std::size_t{1} << 20})
    BOOST_TEST((KeySet::parse(std::string(size, ' ')).error().errc() == Errc::too_large));
}

BOOST_AUTO_TEST_CASE(a_malformed_key_is_left_out_and_the_others_are_used) {
  const std::string good = test::text_of("keys.json");
  const std::size_t begin = good.find('[') + 1;
  for (const char* key :
       {"5", "{}", R"({"kty": "RSA", "n": "AQAB"})", R"({"kty": 5, "n": "AQAB", "e": "AQAB"})",
        R"({"kty": "EC", "crv": "P-256", "x": "*", "y": "AA"})",
        R"({"kty": "RSA", "use": 1, "n": "AQAB", "e": "AQAB"})",
        R"({"kty": "RSA", "key_ops": "verify", "n": "AQAB", "e": "AQAB"})"}) {
    const std::string with = good.substr(0, begin) + key + ',' + good.substr(begin);
    BOOST_TEST(KeySet::parse(with).value().size() == 4, key);
    BOOST_TEST(KeySet::parse(std::string(R"({"keys": [)") + key + "]}").value().size() == 0);
  }
}

BOOST_AUTO_TEST_CASE(keys_of_odd_sizes_are_left_out) {
  const std::string n(400, 'A'), big(1400, '_');
  for (const std::string& key :
       {R"("kty": "RSA", "n": ")" + n + R"(", "e": "AQAB")",
        R"("kty": "RSA", "n": ")" + big + R"(", "e": "AQAB")",
        R"("kty": "RSA", "n": ")" + big.substr(0, 400) + R"(", "e": "AQ")",
        R"("kty": "RSA", "n": ")" + big.substr(0, 400) + R"(", "e": "AA")",
        R"("kty": "RSA", "n": ")" + big.substr(0, 400) + R"(", "e": "")",
        R"("kty": "RSA", "n": ")" + big.substr(0, 400) + R"(", "e": "____________")",
        std::string(R"("kty": "RSA", "n": "", "e": "AQAB")"),
        std::string(R"("kty": "EC", "crv": "P-256", "x": "AA", "y": "AA")"),
        std::string(R"("kty": "EC", "crv": "secp256k1", "x": "AA", "y": "AA")")}) {
    const auto set = KeySet::parse(R"({"keys": [{)" + key + "}]}");
    BOOST_TEST(set.value().size() == 0, key);
  }
}

BOOST_AUTO_TEST_CASE(a_file_has_a_set_or_one_key) {
  BOOST_TEST(KeySet::from_file(test::path_of("keys.json")).size() == 4);
  BOOST_TEST(KeySet::from_file(test::path_of("card.pub.pem")).size() == 1);
  const coracle::test::TemporaryFolder folder;
  const std::string path = folder / "keys";
  BOOST_CHECK_THROW(KeySet::from_file(path), Error);
  for (const std::string& text :
       {std::string(), std::string(R"({"keys": []})"), std::string("-----BEGIN"),
        std::string(KeySet::max_text + 1, ' '), test::text_of("card.key.pem")}) {
    std::ofstream(path) << text;
    BOOST_CHECK_THROW(KeySet::from_file(path), Error);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::jose
