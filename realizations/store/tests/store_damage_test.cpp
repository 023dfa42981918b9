// Data that was on the disk and is not there any more is named, kept, and never taken for other
// data.
#include "realizations/net/src/seeded_random.hpp"
#include "realizations/net/tests/support/files.hpp"
#include "support/script.hpp"
#include "support/store_player.hpp"
#include "tests/support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::store::test {
namespace {

using net::SeededRandom;
using net::SimDisk;
using net::test::errc;

// When each restart takes longer, not every byte is tried, but every bit of the bytes that are.
constexpr std::size_t step = coracle::test::fewer == 1 ? 1 : 11;

// The files of a store that has ended in order, and its content.
struct Ended {
  Ended() {
    SeededRandom random(3);
    SimDisk sim(random);
    const auto store = DurableStore::open(sim.disk(), small_options(), random, Time()).value();
    play_script(*store, model, 12);
    store->close(Time()).value();
    files = files_of(sim.disk());
    held = picture_of(*store, Time());
    for (const auto& [name, bytes] : files)
      if (segment_number(name)) last = name;
  }
  Files files;
  Picture held;
  StoreModel model;
  std::string last;
};

const Ended& ended() {
  static const Ended once;
  return once;
}

// The content of a message, without the number of times that it was handed out.
std::string content_of(const std::string& value) {
  return value.substr(std::min(value.find(' '), value.size()));
}

// A restart on changed files.
struct Restart {
  explicit Restart(const Files& files) : random(1), sim(random) {
    put_files(sim.disk(), files);
    auto opened = DurableStore::open(sim.disk(), small_options(), random, Time());
    if (!opened) throw opened.error();
    store = std::move(*opened);
    found = picture_of(*store, Time());
  }
  const std::vector<Damage>& damages() const { return store->report().damages; }

  SeededRandom random;
  SimDisk sim;
  std::unique_ptr<DurableStore> store;
  Picture found;
};

// Returns a message that has changed, or that is back without a mark; empty if there is none.
std::string strange_in(const Picture& found) {
  for (const auto& [key, value] : found) {
    const auto was = ended().held.find(key);
    if (was != ended().held.end() && content_of(was->second) != content_of(value)) return key;
    if (was == ended().held.end() && key.starts_with("message") && value.starts_with("0 times"))
      return key + " is back and not marked";
  }
  return {};
}

bool all_is_there(const Picture& found) {
  for (const auto& [key, value] : ended().held) {
    const auto is = found.find(key);
    if (is == found.end() || content_of(is->second) != content_of(value)) return false;
  }
  return true;
}

BOOST_AUTO_TEST_SUITE(store_damage)

BOOST_AUTO_TEST_CASE(any_bit_that_turns_is_noticed_or_does_not_matter) {
  std::size_t named = 0;
  for (const auto& [name, bytes] : ended().files) {
    if (!segment_number(name)) continue;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      Files files = ended().files;
      files[name][at] ^= std::byte{1} << (at % 8);
      const Restart restart(files);
      const std::string strange = strange_in(restart.found);
      BOOST_REQUIRE_MESSAGE(strange.empty(), name << " byte " << at << ": " << strange);
      if (restart.damages().empty()) {
        BOOST_REQUIRE_MESSAGE(all_is_there(restart.found), name << " byte " << at << ": silent");
        continue;
      }
      ++named;
      const Damage& damage = restart.damages().front();
      BOOST_REQUIRE_MESSAGE(damage.file == name, name << " byte " << at << ": " << damage.what);
      BOOST_REQUIRE(damage.from <= at);
      BOOST_REQUIRE(at < damage.to);
      BOOST_REQUIRE(damage.what.find(name) != damage.what.npos);
      const Files now = files_of(const_cast<SimDisk&>(restart.sim).disk());
      BOOST_REQUIRE_MESSAGE(now.contains(damage.kept_in), damage.what);
      const Bytes& kept = now.at(damage.kept_in);
      BOOST_REQUIRE(kept == Bytes(files[name].begin() + static_cast<std::ptrdiff_t>(damage.from),
                                  files[name].begin() + static_cast<std::ptrdiff_t>(damage.to)));
      if (now.contains(name)) BOOST_REQUIRE(now.at(name) == files[name]);  // else unneeded
    }
  }
  BOOST_TEST(named > 2000u / step);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_cut_anywhere_is_noticed_unless_it_is_the_last) {
  for (const auto& [name, bytes] : ended().files) {
    if (!segment_number(name)) continue;
    for (std::size_t size = 0; size < bytes.size(); size += step) {
      Files files = ended().files;
      files[name].resize(size);
      const Restart restart(files);
      if (name == ended().last && size >= header_bytes) {
        // As after a power cut; unless the mark is gone that names the segments before.
        for (const Damage& each : restart.damages())
          BOOST_REQUIRE_MESSAGE(!ended().files.contains(each.file), each.what);
        continue;
      }
      BOOST_REQUIRE_MESSAGE(!restart.damages().empty(), name << " cut at " << size);
      const std::string strange = strange_in(restart.found);
      BOOST_REQUIRE_MESSAGE(strange.empty(), name << " cut at " << size << ": " << strange);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_file_that_is_gone_is_noticed_unless_it_is_the_last) {
  for (const auto& [name, bytes] : ended().files) {
    if (!segment_number(name) || name == ended().last) continue;
    Files files = ended().files;
    files.erase(name);
    const Restart restart(files);
    BOOST_REQUIRE_MESSAGE(!restart.damages().empty(), name);
    BOOST_TEST(restart.damages().front().file == name);
    BOOST_TEST(restart.damages().front().kept_in == "");
    BOOST_TEST(strange_in(restart.found) == "");
  }
}

BOOST_AUTO_TEST_CASE(damage_is_named_at_every_restart_until_its_segment_goes) {
  SeededRandom random(1);
  SimDisk sim(random);
  Files files = ended().files;
  files.at(ended().last)[header_bytes + 40] ^= std::byte{4};
  put_files(sim.disk(), files);
  std::string what;
  for (int i = 0; i < 3; ++i) {
    const auto store = DurableStore::open(sim.disk(), small_options(), random, Time()).value();
    BOOST_REQUIRE_EQUAL(store->report().damages.size(), 1u);
    if (i > 0) BOOST_TEST(store->report().damages.front().what == what);
    what = store->report().damages.front().what;
    sim.crash(net::CrashDisk::lose);
  }
}

BOOST_AUTO_TEST_CASE(a_later_version_is_refused_and_nothing_is_touched) {
  SegmentHeader header;
  header.version = format_version + 1;
  header.number = 2;
  Files files = ended().files;
  files[segment_name(99)] = segment_header(header);
  files[segment_name(99) + ".new"] = Bytes(10);
  SeededRandom random(1);
  SimDisk sim(random);
  put_files(sim.disk(), files);
  const auto opened = DurableStore::open(sim.disk(), small_options(), random, Time());
  BOOST_TEST((errc(opened) == Errc::unsupported));
  BOOST_TEST(opened.error().sentence().find(segment_name(99)) != std::string::npos);
  BOOST_TEST((files_of(sim.disk()) == files));
}

BOOST_AUTO_TEST_CASE(other_files_are_left_alone) {
  Files files = ended().files;
  files["notes.txt"] = Bytes(3);
  files["0000000000.journal"] = Bytes(3);
  files["123.journal"] = Bytes(3);
  Restart restart(files);
  BOOST_TEST(restart.damages().empty());
  BOOST_TEST((restart.found == ended().held));
  for (const char* name : {"notes.txt", "0000000000.journal", "123.journal"})
    BOOST_TEST(files_of(restart.sim.disk()).contains(name));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::store::test
