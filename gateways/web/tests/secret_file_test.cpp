#include "coracle/web/secret_file.hpp"

#include "coracle/errors.hpp"

#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace coracle::web {
namespace {

namespace fs = std::filesystem;

// A file of its own for a test.
struct SecretFile {
  SecretFile() {
    std::ofstream(path) << "secret";
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  }
  ~SecretFile() { fs::remove(path); }

  const fs::path path =
      fs::temp_directory_path() / ("coracle-secret-" + std::to_string(::getpid()));
};

BOOST_AUTO_TEST_SUITE(secret_file)

BOOST_AUTO_TEST_CASE(a_file_of_secrets_is_for_its_owner_only) {
  const SecretFile file;
  BOOST_TEST(read_secret_file(file.path, "file of keys") == "secret");
  for (const fs::perms more : {fs::perms::group_read, fs::perms::others_write}) {
    fs::permissions(file.path, fs::perms::owner_read | more);
    BOOST_CHECK_EXCEPTION(read_secret_file(file.path, "file of keys"), Error,
                          [](const Error& error) {
                            return error.errc() == Errc::not_permitted &&
                                   error.sentence().find("file of keys") != std::string::npos;
                          });
  }
}

BOOST_AUTO_TEST_CASE(only_a_file_of_a_sensible_size_is_read) {
  const SecretFile file;
  fs::resize_file(file.path, (std::uintmax_t{16} << 20) + 1);
  const auto has = [](Errc errc) {
    return [=](const Error& error) { return error.errc() == errc; };
  };
  BOOST_CHECK_EXCEPTION(read_secret_file(file.path, "file"), Error, has(Errc::too_large));
  BOOST_CHECK_EXCEPTION(read_secret_file(fs::temp_directory_path(), "file"), Error,
                        has(Errc::no_such_file));
  BOOST_CHECK_EXCEPTION(read_secret_file(file.path.string() + "x", "file"), Error,
                        has(Errc::no_such_file));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::web
