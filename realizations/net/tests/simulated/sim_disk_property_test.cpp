// After any power cut, everything that was synced is there, and nothing else can be relied upon.
#include "realizations/net/src/simulated/disk.hpp"
#include "realizations/net/src/seeded_random.hpp"
#include "support/files.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>

namespace coracle::net::test {
namespace {

// The known facts about a file: its content, and the length of the beginning that no cut can take.
struct Known {
  std::string content;
  std::size_t safe = 0;     // bytes that were synced and not truncated since
  std::size_t longest = 0;  // the largest size since the last sync
  std::string name;         // as of the last sync of the folder; empty: none
  std::unique_ptr<File> file;
};

// Does random things to one folder, and knows the content that may be relied upon.
class Player {
 public:
  explicit Player(std::uint64_t seed) : random_(seed), sim_(random_) {}

  void play() {
    for (int step = 0; step < 120; ++step) act(between(random_, 0, 99));
  }

  // Cuts the power, checks, and continues with the content that is there.
  void crash(CrashDisk how) {
    for (Known& each : files_) each.file.reset();
    sim_.crash(how);
    const auto names = sim_.disk().list("").value();
    check_names(names);
    for (const std::string& name : names) check_content(name);
    files_.clear();
    now_.clear();
    for (const std::string& name : names) {
      Known known;
      known.file = open(sim_.disk(), name);
      known.content = content(*known.file);
      // The content that is there now may not be on the disk: only syncing again makes it safe.
      BOOST_REQUIRE(known.file->sync().has_value());
      known.safe = known.longest = known.content.size();
      known.name = name;
      files_.push_back(std::move(known));
      now_[name] = files_.size() - 1;
    }
    BOOST_REQUIRE(sim_.disk().sync_folder("").has_value());
    synced_names_ = now_;
    dirty_folder_ = false;
  }

  std::size_t checked = 0;

 private:
  void act(std::uint64_t dice) {
    if (now_.empty() || dice < 8) return create();
    auto chosen =
        std::next(now_.begin(), static_cast<std::ptrdiff_t>(between(random_, 0, now_.size() - 1)));
    const std::string name = chosen->first;
    Known& file = files_[chosen->second];
    if (dice < 55) {
      append_to(file);
    } else if (dice < 70) {
      BOOST_REQUIRE(file.file->sync().has_value());
      file.safe = file.longest = file.content.size();
    } else if (dice < 78) {
      const std::size_t size = between(random_, 0, file.content.size());
      BOOST_REQUIRE(file.file->truncate(size).has_value());
      file.content.resize(size);
      file.safe = std::min(file.safe, size);
    } else if (dice < 86) {
      rename(name, "n" + std::to_string(between(random_, 0, 5)));
    } else if (dice < 90) {
      BOOST_REQUIRE(sim_.disk().remove(name).has_value());
      now_.erase(name);
      dirty_folder_ = true;
    } else {
      BOOST_REQUIRE(sim_.disk().sync_folder("").has_value());
      synced_names_ = now_;
      dirty_folder_ = false;
    }
  }

  void create() {
    const std::string name = "n" + std::to_string(between(random_, 0, 5));
    if (now_.contains(name)) return;
    Known known;
    known.file = open(sim_.disk(), name, Disk::Open::new_one);
    files_.push_back(std::move(known));
    now_[name] = files_.size() - 1;
    dirty_folder_ = true;
  }

  void append_to(Known& file) {
    std::string text(between(random_, 1, 2000), '\0');
    for (char& each : text) each = static_cast<char>('a' + random_.next() % 26);
    BOOST_REQUIRE(append(*file.file, text).has_value());
    file.content += text;
    file.longest = std::max(file.longest, file.content.size());
  }

  void rename(const std::string& from, const std::string& to) {
    BOOST_REQUIRE(sim_.disk().rename(from, to).has_value());
    if (from == to) return;
    now_[to] = now_.at(from);
    now_.erase(from);
    dirty_folder_ = true;
  }

  void check_names(const std::vector<std::string>& names) {
    if (dirty_folder_) return;
    BOOST_REQUIRE(names.size() == synced_names_.size());
    for (const std::string& name : names) BOOST_REQUIRE(synced_names_.contains(name));
  }

  // With the folder synced, the file of the name is known; else it is one of all files.
  void check_content(const std::string& name) {
    const std::string there = content(sim_.disk(), name);
    const auto fits = [&](const Known& each) {
      return there.size() >= each.safe && there.size() <= each.longest &&
             std::string_view(there).substr(0, each.safe) ==
                 std::string_view(each.content).substr(0, each.safe);
    };
    if (!dirty_folder_) {
      BOOST_REQUIRE(fits(files_[synced_names_.at(name)]));
      checked += files_[synced_names_.at(name)].safe;
    } else {
      BOOST_REQUIRE(std::any_of(files_.begin(), files_.end(), fits));
    }
  }

  SeededRandom random_;
  SimDisk sim_;
  std::vector<Known> files_;                // every file there has been since the last crash
  std::map<std::string, std::size_t> now_;  // the index of the file that has the name
  std::map<std::string, std::size_t> synced_names_;
  bool dirty_folder_ = false;
};

BOOST_AUTO_TEST_SUITE(sim_disk_property)

BOOST_AUTO_TEST_CASE(what_was_synced_is_there_after_any_power_cut) {
  std::size_t checked = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      Player player(seed);
      for (int life = 0; life < 4; ++life) {
        player.play();
        player.crash(seed % 2 == 0 ? CrashDisk::tear : CrashDisk::lose);
      }
      checked += player.checked;
    }
  }
  BOOST_TEST(checked > 1'000'000u);
}

BOOST_AUTO_TEST_CASE(a_torn_file_takes_every_form) {
  std::map<std::string, int> forms;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SeededRandom random(seed);
    SimDisk sim(random);
    const auto file = open(sim.disk(), "a");
    BOOST_TEST(sim.disk().sync_folder("").has_value());
    const std::string text(2000, 'x');
    BOOST_TEST(append(*file, text).has_value());
    sim.crash(CrashDisk::tear);
    const std::string left = content(sim.disk(), "a");
    const auto first_wrong = left.find_first_not_of('x');
    ++forms[left.empty()                               ? "nothing"
            : left == text                             ? "all"
            : first_wrong == left.npos                 ? "beginning"
            : left.find('x', first_wrong) != left.npos ? "hole"
                                                       : "torn end"];
  }
  for (const char* form : {"nothing", "all", "beginning", "hole", "torn end"})
    BOOST_TEST(forms[form] > 0, form);
}

BOOST_AUTO_TEST_CASE(the_same_seed_gives_the_same_damage) {
  const auto damaged = [](std::uint64_t seed) {
    SeededRandom random(seed);
    SimDisk sim(random);
    BOOST_TEST(append(*open(sim.disk(), "a"), std::string(5000, 'x')).has_value());
    sim.crash(CrashDisk::tear);
    return content(sim.disk(), "a");
  };
  for (std::uint64_t seed = 0; seed < 100; ++seed) BOOST_TEST((damaged(seed) == damaged(seed)));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
