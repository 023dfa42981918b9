// A folder of every released version of the format can be opened for ever. Version 1 wrote
// tests/golden/1; CORACLE_WRITE_GOLDEN=FOLDER writes such a folder anew, for the next version.
#include "realizations/net/src/seeded_random.hpp"
#include "realizations/net/tests/support/files.hpp"
#include "support/script.hpp"
#include "support/store_player.hpp"
#include "tests/support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace coracle::store::test {
namespace {

namespace fs = std::filesystem;
using net::SeededRandom;

const fs::path golden_folders = CORACLE_STORE_GOLDEN;

// A picture as the text of a file.
std::string text_of_picture(const Picture& picture) {
  std::string text;
  for (const auto& [key, value] : picture) text += key + ": " + value + "\n";
  return text;
}

std::string file_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_golden(const std::string& folder) {
  const auto disk = posix_disk(folder).value();
  SeededRandom random(1);
  DurableOptions options = small_options();
  options.journal.reserve_bytes = 0;
  options.journal.segment_bytes = 1u << 20;
  Picture held;
  for (int life = 0; life < 2; ++life) {
    const auto store = DurableStore::open(*disk, options, random, Time()).value();
    StoreModel model;
    play_script(*store, model, 8);
    Registration value;
    value.incarnation = 3;
    value.owner = "ann";
    MessageStore& messages = store->messages();
    messages.put_registration("lab/ann", value).value();
    messages.put_registration("lab/bob", value).value();
    messages.forget_registration("lab/bob").value();
    messages.leave("g", "n1").value();
    if (life == 1) store->close(Time()).value();
    store->pump(Time());
    held = picture_of(*store, Time());
  }
  std::ofstream(folder + "/expected.txt", std::ios::binary) << text_of_picture(held);
}

BOOST_AUTO_TEST_SUITE(golden)

BOOST_AUTO_TEST_CASE(every_released_version_can_be_opened) {
  if (const char* folder = std::getenv("CORACLE_WRITE_GOLDEN")) write_golden(folder);
  std::size_t versions = 0;
  for (const auto& version : fs::directory_iterator(golden_folders)) {
    const coracle::test::TemporaryFolder copy;
    fs::copy(version.path(), copy.path(), fs::copy_options::recursive);
    const auto disk = posix_disk(copy.path()).value();
    SeededRandom random(9);
    const auto store = DurableStore::open(*disk, small_options(), random, Time()).value();
    BOOST_TEST(store->report().damages.empty());
    BOOST_TEST(store->report().ended_in_order);
    BOOST_TEST(text_of_picture(picture_of(*store, Time())) ==
               file_text(version.path() / "expected.txt"));
    ++versions;
  }
  BOOST_TEST(versions >= 1u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::store::test
