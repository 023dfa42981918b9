#include "coracle/jose/signer.hpp"

#include "coracle/errors.hpp"
#include "coracle/jose/key_set.hpp"
#include "support/vectors.hpp"
#include "tests/support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace coracle::jose {
namespace {

namespace fs = std::filesystem;

// A copy of a file that only its owner may read.
std::string private_copy(const coracle::test::TemporaryFolder& folder, const std::string& text) {
  const std::string path = folder / "key.pem";
  std::ofstream(path) << text;
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  return path;
}

BOOST_AUTO_TEST_SUITE(signer)

BOOST_AUTO_TEST_CASE(a_signature_is_valid_for_its_text_and_its_key_only) {
  const coracle::test::TemporaryFolder folder;
  const web::Signer sign = signer_from_file(private_copy(folder, test::text_of("card.key.pem")));
  const KeySet own = KeySet::from_file(test::path_of("card.pub.pem"));
  const KeySet others = KeySet::from_file(test::path_of("keys.json"));
  const web::Signature signature = sign("a text");
  BOOST_TEST(own.check(signature, "a text"));
  BOOST_TEST(!own.check(signature, "a texT"));
  BOOST_TEST(!own.check(signature, ""));
  BOOST_TEST(!others.check(signature, "a text"));
  BOOST_TEST(!own.check(signature, "a text", {"RS256"}));
  BOOST_TEST(!own.check({signature.protected_header, ""}, "a text"));
  BOOST_TEST(!own.check({"", signature.signature}, "a text"));
  BOOST_TEST(!own.check({signature.protected_header, signature.signature + "."}, "a text"));
  BOOST_TEST(!own.check({signature.protected_header, std::string(3000, 'A')}, "a text"));
  BOOST_TEST(own.check(sign(""), ""));
}

BOOST_AUTO_TEST_CASE(a_file_without_a_private_key_is_refused) {
  const coracle::test::TemporaryFolder folder;
  const auto errc_of = [](const std::string& path) {
    try {
      (void)signer_from_file(path);
      return Errc::bad_name;
    } catch (const Error& error) {
      return error.errc();
    }
  };
  BOOST_TEST((errc_of(folder / "none") == Errc::no_such_file));
  BOOST_TEST((errc_of(private_copy(folder, "")) == Errc::bad_options));
  BOOST_TEST((errc_of(private_copy(folder, test::text_of("card.pub.pem"))) == Errc::bad_options));
  const std::string path = private_copy(folder, test::text_of("card.key.pem"));
  fs::permissions(path, fs::perms::group_read, fs::perm_options::add);
  BOOST_TEST((errc_of(path) == Errc::not_permitted));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::jose
