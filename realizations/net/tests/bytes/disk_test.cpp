#include "realizations/net/src/simulated/disk.hpp"
#include "disk_contract.hpp"
#include "realizations/net/src/seeded_random.hpp"
#include "support/files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

namespace coracle::net::test {
namespace {

using namespace std::chrono_literals;

class PosixBench final : public DiskBench {
 public:
  PosixBench() { reopen(); }
  Disk& disk() override { return *disk_; }
  void reopen() override {
    disk_.reset();
    disk_ = posix_disk(folder_ / "data").value();
  }

 private:
  coracle::test::TemporaryFolder folder_;
  std::unique_ptr<Disk> disk_;
};

class SimDiskBench final : public DiskBench {
 public:
  Disk& disk() override { return disk_.disk(); }
  void reopen() override { disk_.crash(CrashDisk::keep); }

 private:
  SeededRandom random_{7};
  SimDisk disk_{random_};
};

BOOST_AUTO_TEST_SUITE(disk)

BOOST_AUTO_TEST_CASE(the_machines_disk_keeps_the_contract) {
  prove_disk([] { return std::make_unique<PosixBench>(); });
}

BOOST_AUTO_TEST_CASE(the_simulated_disk_keeps_the_contract) {
  prove_disk([] { return std::make_unique<SimDiskBench>(); });
}

BOOST_AUTO_TEST_CASE(what_was_opened_before_a_crash_is_dead) {
  SeededRandom random(1);
  SimDisk sim(random);
  Disk& before = sim.disk();
  const auto file = open(before, "a");
  sim.crash(CrashDisk::lose);
  BOOST_TEST((errc(append(*file, "x")) == Errc::stopped));
  BOOST_TEST((errc(file->sync()) == Errc::stopped));
  BOOST_TEST((errc(file->size()) == Errc::stopped));
  BOOST_TEST((errc(before.list("")) == Errc::stopped));
  BOOST_TEST((errc(before.remove("a")) == Errc::stopped));
  BOOST_TEST(sim.disk().list("").value().empty());
}

BOOST_AUTO_TEST_CASE(only_what_was_synced_survives_a_power_cut) {
  SeededRandom random(1);
  SimDisk sim(random);
  const auto kept = open(sim.disk(), "kept"), lost = open(sim.disk(), "lost");
  BOOST_TEST(append(*kept, "synced").has_value());
  BOOST_TEST(kept->sync().has_value());
  BOOST_TEST(append(*kept, " and not").has_value());
  BOOST_TEST(append(*lost, "text").has_value());
  BOOST_TEST(sim.disk().sync_folder("").has_value());
  BOOST_TEST(open(sim.disk(), "nameless")->sync().has_value());
  sim.crash(CrashDisk::lose);
  BOOST_TEST(content(sim.disk(), "kept") == "synced");
  BOOST_TEST(content(sim.disk(), "lost") == "");
  BOOST_TEST(content(sim.disk(), "nameless") == "(none)", "its folder was not synced");
  BOOST_TEST(sim.used() == 6u);
}

BOOST_AUTO_TEST_CASE(a_rename_survives_when_its_folder_is_synced) {
  SeededRandom random(1);
  SimDisk sim(random);
  BOOST_TEST(append(*open(sim.disk(), "old"), "one").has_value());
  BOOST_TEST(open(sim.disk(), "old")->sync().has_value());
  BOOST_TEST(sim.disk().sync_folder("").has_value());
  const auto replace = [&](bool sync) {
    const auto file = open(sim.disk(), "new");
    BOOST_TEST(append(*file, "two").has_value());
    BOOST_TEST(file->sync().has_value());
    BOOST_TEST(sim.disk().rename("new", "old").has_value());
    if (sync) BOOST_TEST(sim.disk().sync_folder("").has_value());
    sim.crash(CrashDisk::lose);
  };
  replace(false);
  BOOST_TEST(content(sim.disk(), "old") == "one");
  replace(true);
  BOOST_TEST(content(sim.disk(), "old") == "two");
}

BOOST_AUTO_TEST_CASE(a_failed_sync_is_final_and_trying_again_does_not_save_anything) {
  SeededRandom random(1);
  SimDisk sim(random);
  const auto file = open(sim.disk(), "a");
  BOOST_TEST(sim.disk().sync_folder("").has_value());
  BOOST_TEST(append(*file, std::string(10'000, 'x')).has_value());
  sim.fail_next_sync();
  BOOST_TEST((errc(file->sync()) == Errc::disk_failed));
  BOOST_TEST((errc(file->sync()) == Errc::disk_failed));
  BOOST_TEST((errc(append(*file, "more")) == Errc::disk_failed));
  BOOST_TEST((errc(sim.disk().rename("a", "b")) == Errc::disk_failed));
  BOOST_TEST((errc(sim.disk().sync_folder("")) == Errc::disk_failed));
  BOOST_TEST((errc(sim.disk().open("new", Disk::Open::existing_or_new)) == Errc::disk_failed));
  BOOST_TEST(content(*file).size() == 10'000u, "reading goes on");
  sim.crash(CrashDisk::keep);  // only the program begins anew, and syncs again
  BOOST_TEST(content(sim.disk(), "a") == std::string(10'000, 'x'));
  BOOST_TEST(open(sim.disk(), "a")->sync().has_value());
  sim.crash(CrashDisk::lose);
  BOOST_TEST(content(sim.disk(), "a") != std::string(10'000, 'x'));
}

BOOST_AUTO_TEST_CASE(a_full_disk_says_so_and_recovers) {
  SeededRandom random(1);
  SimDiskOptions options;
  options.capacity = 100;
  SimDisk sim(random, options);
  const auto file = open(sim.disk(), "a");
  BOOST_TEST(append(*file, std::string(80, 'a')).has_value());
  BOOST_TEST((errc(append(*file, std::string(80, 'b'))) == Errc::disk_full));
  BOOST_TEST(file->size().value() == 100u, "a part is there");
  BOOST_TEST(file->truncate(80).has_value());
  BOOST_TEST(append(*file, std::string(20, 'c')).has_value());
  BOOST_TEST((errc(append(*file, "d")) == Errc::disk_full));
  sim.set_capacity(200);
  BOOST_TEST(append(*file, "d").has_value());
  BOOST_TEST(sim.disk().remove("a").has_value());
  BOOST_TEST(sim.used() == 0u);
}

BOOST_AUTO_TEST_CASE(a_bit_is_turned_where_it_was_asked_for) {
  SeededRandom random(1);
  SimDisk sim(random);
  BOOST_TEST(sim.disk().make_folder("f").has_value());
  const auto file = open(sim.disk(), "f/a");
  BOOST_TEST(append(*file, "AAAA").has_value());
  BOOST_TEST(sim.flip_bit("f/a", 9));
  BOOST_TEST(content(*file) == "ACAA");
  BOOST_TEST(!sim.flip_bit("f/a", 32));
  BOOST_TEST(!sim.flip_bit("f/b", 0));
  BOOST_TEST(!sim.flip_bit("f", 0));
}

BOOST_AUTO_TEST_CASE(what_calls_would_take_is_counted) {
  SeededRandom random(1);
  SimDiskOptions options;
  options.call = 10us;
  options.sync_least = options.sync_most = 4ms;
  SimDisk sim(random, options);
  const auto file = open(sim.disk(), "a");
  sim.take_latency();
  BOOST_TEST(append(*file, "x").has_value());
  BOOST_TEST(file->sync().has_value());
  BOOST_TEST((sim.take_latency() == 4020us));
  BOOST_TEST((sim.take_latency() == 0us));
}

BOOST_AUTO_TEST_CASE(impossible_settings_are_refused) {
  SeededRandom random(1);
  const auto refuses = [&](auto change) {
    SimDiskOptions options;
    change(options);
    BOOST_CHECK_EXCEPTION(SimDisk(random, options), Error,
                          [](const Error& e) { return e.errc() == Errc::bad_options; });
  };
  refuses([](auto& options) { options.sector = 0; });
  refuses([](auto& options) { options.full = 101; });
  refuses([](auto& options) { options.sync_most = 0ms; });
  refuses([](auto& options) { options.call = -1ns; });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
