// The texts that are a society key, and those that are not.
#include "realizations/net/src/society_key.hpp"

#include "tests/support/keys.hpp"
#include "tests/support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/stat.h>

#include <fstream>
#include <set>

namespace coracle::net::test {
namespace {

using coracle::test::another_key;
using coracle::test::society_key;
using coracle::test::TemporaryFolder;

// Returns why these keys are refused; empty if they are not.
std::string refusal(const std::string& text) {
  const auto read = KeySource(text, "lab").read();
  return read ? std::string() : read.error().sentence();
}

bool says(const std::string& sentence, const std::string& words) {
  return sentence.find(words) != std::string::npos;
}

std::string file_of(const TemporaryFolder& folder, const std::string& text, mode_t mode = 0600) {
  const std::string path = folder / "key";
  std::ofstream(path) << text;
  BOOST_TEST_REQUIRE(::chmod(path.c_str(), mode) == 0);
  return path;
}

BOOST_AUTO_TEST_SUITE(society_keys)

BOOST_AUTO_TEST_CASE(a_fresh_key_is_a_line_of_its_own_and_reads_the_same) {
  std::set<std::string> all;
  for (int i = 0; i < 100; ++i) {
    const std::string text = SocietyKey::make().text();
    BOOST_TEST(text.size() == 52u);
    BOOST_TEST(text.starts_with(SocietyKey::prefix));
    BOOST_TEST(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz234567-") == text.npos);
    BOOST_TEST(SocietyKey::parse(text).value().text() == text);
    all.insert(text);
  }
  BOOST_TEST(all.size() == 100u);
}

BOOST_AUTO_TEST_CASE(a_passphrase_is_refused_with_the_command_that_makes_a_key) {
  for (const std::string text :
       {"x", "what we know", "s3cret", "correct horse battery staple", "coracle-key-",
        "0123456789abcdef0123456789abcdef", "Tr0ub4dor&3Tr0ub4dor&3Tr0ub4dor&3"}) {
    BOOST_TEST(says(refusal(text), "coracle keys --society-key"), text);
    if (text.size() > 1 && text != SocietyKey::prefix)
      BOOST_TEST(!says(refusal(text), text), refusal(text));
  }
  BOOST_TEST(says(refusal(""), "coracle keys --society-key"));
  BOOST_TEST(refusal(society_key).empty());
}

BOOST_AUTO_TEST_CASE(every_slip_of_a_finger_is_noticed) {
  const std::string right = society_key;
  for (std::size_t at = 0; at < right.size(); ++at) {
    std::string wrong = right;
    wrong[at] = wrong[at] == 'a' ? 'b' : 'a';
    BOOST_TEST(!SocietyKey::parse(wrong).has_value(), at);
    BOOST_TEST(!SocietyKey::parse(right.substr(0, at)).has_value(), at);
    if (at + 1 == right.size() || right[at] == right[at + 1]) continue;
    wrong = right;
    std::swap(wrong[at], wrong[at + 1]);
    BOOST_TEST(!SocietyKey::parse(wrong).has_value(), at);
  }
  BOOST_TEST(!SocietyKey::parse(right + "a").has_value());
}

BOOST_AUTO_TEST_CASE(several_keys_are_read_in_their_order) {
  const std::string both = std::string(society_key) + "," + another_key;
  const auto keys = KeySource(both, "lab").read().value();
  BOOST_TEST_REQUIRE(keys.size() == 2u);
  BOOST_TEST(keys[0].text() == society_key);
  BOOST_TEST(keys[1].text() == another_key);
  BOOST_TEST(says(refusal(both + ",guess"), "coracle keys --society-key"));
  std::string many = society_key;
  for (std::size_t i = 0; i < KeySource::most_keys; ++i) many += std::string(",") + another_key;
  BOOST_TEST(says(refusal(many), "more than 16"));
}

BOOST_AUTO_TEST_CASE(a_file_has_a_key_on_each_line) {
  const TemporaryFolder folder;
  const std::string file = file_of(
      folder, std::string("# since May\n") + another_key + "\n\n  " + society_key + "  # old\n");
  const KeySource source(file, "lab");
  BOOST_TEST(source.file() == file);
  const auto keys = source.read().value();
  BOOST_TEST_REQUIRE(keys.size() == 2u);
  BOOST_TEST(keys[0].text() == another_key);
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_used_is_refused_by_its_name) {
  const TemporaryFolder folder;
  BOOST_TEST(says(refusal(folder / "none"), folder / "none"));
  BOOST_TEST(says(refusal(file_of(folder, society_key, 0640)), "chmod 600"));
  BOOST_TEST(says(refusal(file_of(folder, "")), "there is none"));
  BOOST_TEST(says(refusal(file_of(folder, std::string(10'000, '#'))), "has more than 4096 bytes"));
  const std::string secret = "what we know";
  BOOST_TEST(!says(refusal(file_of(folder, secret)), secret));
}

BOOST_AUTO_TEST_CASE(each_use_and_each_society_goes_by_bytes_of_its_own) {
  const SocietyKey key = SocietyKey::parse(society_key).value();
  std::set<SocietyKey::Derived> all;
  for (const char* use : {"one", "two"}) {
    for (const char* society : {"lab", "attic"}) all.insert(key.derive(use, society));
  }
  all.insert(key.derive("onel", "ab"));
  BOOST_TEST(all.size() == 5u);
  BOOST_TEST((key.derive("one", "lab") == key.derive("one", "lab")));
  BOOST_TEST(
      (key.derive("one", "lab") != SocietyKey::parse(another_key).value().derive("one", "lab")));
}

// The expected bytes come from another implementation of HKDF.
BOOST_AUTO_TEST_CASE(what_is_derived_is_hkdf_with_sha_256) {
  const auto derived = SocietyKey::parse(society_key).value().derive("coracle tls", "lab");
  std::string hex;
  for (const std::byte each : derived) {
    char two[3];
    std::snprintf(two, sizeof two, "%02x", std::to_integer<unsigned>(each));
    hex += two;
  }
  BOOST_TEST(hex == "19b3c9eb788cbd82fc47a65470000ac67410b80950c45efa08e55b96efcefb81");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
