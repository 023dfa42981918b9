#include "disk_contract.hpp"

#include "support/files.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::net::test {

namespace {

using Open = Disk::Open;
using Names = std::vector<std::string>;

void what_is_appended_is_read_from_anywhere(DiskBench& bench) {
  const auto file = open(bench.disk(), "journal");
  BOOST_TEST(append(*file, "one ").has_value());
  BOOST_TEST(append(*file, "").has_value());
  BOOST_TEST(append(*file, "two").has_value());
  BOOST_TEST(file->size().value() == 7u);
  BOOST_TEST(content(*file) == "one two");
  std::string two(10, '.');
  const auto into = std::as_writable_bytes(std::span(two.data(), two.size()));
  BOOST_TEST(file->read_at(4, into).value() == 3u);
  BOOST_TEST(two == "two.......");
  BOOST_TEST(file->read_at(7, into).value() == 0u);
  BOOST_TEST(file->read_at(1u << 30, into).value() == 0u);
}

void two_who_have_a_file_open_see_the_same(DiskBench& bench) {
  const auto one = open(bench.disk(), "shared"), other = open(bench.disk(), "shared");
  BOOST_TEST(append(*one, "a").has_value());
  BOOST_TEST(append(*other, "b").has_value());
  BOOST_TEST(content(*one) == "ab");
}

void a_file_is_there_after_the_program_has_ended(DiskBench& bench) {
  BOOST_TEST(append(*open(bench.disk(), "kept"), "text").has_value());
  bench.reopen();
  BOOST_TEST(content(bench.disk(), "kept") == "text");
}

void opening_tells_whether_a_file_is_there(DiskBench& bench) {
  Disk& disk = bench.disk();
  BOOST_TEST((errc(disk.open("a", Open::existing)) == Errc::no_such_file));
  BOOST_TEST(disk.open("a", Open::new_one).has_value());
  BOOST_TEST((errc(disk.open("a", Open::new_one)) == Errc::file_exists));
  BOOST_TEST(disk.open("a", Open::existing).has_value());
  BOOST_TEST((errc(disk.open("no/a", Open::existing_or_new)) == Errc::no_such_file));
  BOOST_TEST((errc(disk.open("a/b", Open::existing_or_new)) == Errc::no_such_file));
  BOOST_TEST(disk.make_folder("folder").has_value());
  BOOST_TEST((errc(disk.open("folder", Open::existing)) == Errc::file_exists));
}

void truncating_removes_the_end_and_appending_goes_on_there(DiskBench& bench) {
  const auto file = open(bench.disk(), "a");
  BOOST_TEST(append(*file, "0123456789").has_value());
  BOOST_TEST((errc(file->truncate(11)) == Errc::bad_options));
  BOOST_TEST(file->truncate(10).has_value());
  BOOST_TEST(file->truncate(4).has_value());
  BOOST_TEST(append(*file, "x").has_value());
  BOOST_TEST(content(*file) == "0123x");
}

void renaming_replaces_what_was_there(DiskBench& bench) {
  Disk& disk = bench.disk();
  const auto file = open(disk, "new");
  BOOST_TEST(append(*file, "fresh").has_value());
  BOOST_TEST(append(*open(disk, "old"), "stale").has_value());
  BOOST_TEST(disk.rename("new", "old").has_value());
  BOOST_TEST(content(disk, "old") == "fresh");
  BOOST_TEST((disk.list("").value() == Names{"old"}));
  BOOST_TEST(append(*file, "er").has_value());
  BOOST_TEST(content(disk, "old") == "fresher");
  BOOST_TEST((errc(disk.rename("new", "old")) == Errc::no_such_file));
  BOOST_TEST(disk.rename("old", "old").has_value());
  BOOST_TEST(disk.make_folder("folder").has_value());
  BOOST_TEST((errc(disk.rename("folder", "elsewhere")) == Errc::file_exists));
  BOOST_TEST((errc(disk.rename("old", "folder")) == Errc::file_exists));
  BOOST_TEST((errc(disk.rename("old", "folder/old")) == Errc::bad_path));
  BOOST_TEST(content(disk, "old") == "fresher");
}

void what_is_removed_is_gone_except_for_who_has_it_open(DiskBench& bench) {
  Disk& disk = bench.disk();
  const auto file = open(disk, "a");
  BOOST_TEST(append(*file, "text").has_value());
  BOOST_TEST(disk.remove("a").has_value());
  BOOST_TEST((errc(disk.remove("a")) == Errc::no_such_file));
  BOOST_TEST(content(disk, "a") == "(none)");
  BOOST_TEST(content(*file) == "text");
  BOOST_TEST(append(*file, "!").has_value());
  BOOST_TEST(disk.make_folder("folder").has_value());
  BOOST_TEST((errc(disk.remove("folder")) == Errc::file_exists));
}

void folders_hold_files_and_folders(DiskBench& bench) {
  Disk& disk = bench.disk();
  BOOST_TEST((disk.list("").value() == Names{}));
  BOOST_TEST(disk.make_folder("queues").has_value());
  BOOST_TEST((errc(disk.make_folder("queues")) == Errc::file_exists));
  BOOST_TEST((errc(disk.make_folder("no/queues")) == Errc::no_such_file));
  BOOST_TEST(disk.make_folder("queues/ann").has_value());
  BOOST_TEST(append(*open(disk, "queues/ann/1"), "first").has_value());
  open(disk, "queues/b");
  BOOST_TEST((disk.list("").value() == Names{"queues/"}));
  BOOST_TEST((disk.list("queues").value() == Names{"ann/", "b"}));
  BOOST_TEST((disk.list("queues/ann").value() == Names{"1"}));
  BOOST_TEST((errc(disk.list("no")) == Errc::no_such_file));
  BOOST_TEST((errc(disk.list("queues/b")) == Errc::no_such_file));
  bench.reopen();
  BOOST_TEST(content(bench.disk(), "queues/ann/1") == "first");
}

void everything_can_be_synced(DiskBench& bench) {
  Disk& disk = bench.disk();
  const auto file = open(disk, "a");
  BOOST_TEST(file->sync().has_value());
  BOOST_TEST(append(*file, "text").has_value());
  BOOST_TEST(file->sync().has_value());
  BOOST_TEST(disk.sync_folder("").has_value());
  BOOST_TEST(disk.make_folder("folder").has_value());
  BOOST_TEST(disk.sync_folder("folder").has_value());
  BOOST_TEST((errc(disk.sync_folder("no")) == Errc::no_such_file));
}

void a_path_that_leads_out_is_refused_by_every_function(DiskBench& bench) {
  Disk& disk = bench.disk();
  open(disk, "here");
  const std::string wrong[] = {"/etc/passwd",
                               "..",
                               "../x",
                               "a/../../x",
                               "./x",
                               "a//b",
                               "a/",
                               std::string("a\0b", 3),
                               "a\nb",
                               std::string(256, 'n'),
                               std::string(1100, 'p'),
                               "a/."};
  for (const std::string& path : wrong) {
    BOOST_TEST_CONTEXT(path) {
      BOOST_TEST((errc(disk.open(path, Open::existing_or_new)) == Errc::bad_path));
      BOOST_TEST((errc(disk.rename("here", path)) == Errc::bad_path));
      BOOST_TEST((errc(disk.rename(path, "here")) == Errc::bad_path));
      BOOST_TEST((errc(disk.remove(path)) == Errc::bad_path));
      BOOST_TEST((errc(disk.make_folder(path)) == Errc::bad_path));
      BOOST_TEST((errc(disk.list(path)) == Errc::bad_path));
      BOOST_TEST((errc(disk.sync_folder(path)) == Errc::bad_path));
      BOOST_TEST(disk.remove(path).error().sentence().find('\n') == std::string::npos);
    }
  }
  BOOST_TEST((errc(disk.remove("")) == Errc::bad_path));
  BOOST_TEST((disk.list("").value() == Names{"here"}));
}

void names_are_bytes(DiskBench& bench) {
  Disk& disk = bench.disk();
  const Names names = {"...", "a b", "Ä\xf0\x9f\x9a\x80", std::string(255, 'n'), "~$*?"};
  for (const std::string& name : names) BOOST_TEST(append(*open(disk, name), name).has_value());
  BOOST_TEST(disk.list("").value().size() == names.size());
  for (const std::string& name : names) BOOST_TEST(content(disk, name) == name);
}

struct DiskCase {
  const char* sentence;
  void (*prove)(DiskBench&);
};

#define CORACLE_DISK_CASE(sentence) \
  DiskCase { #sentence, &sentence }

constexpr DiskCase disk_cases[] = {
    CORACLE_DISK_CASE(what_is_appended_is_read_from_anywhere),
    CORACLE_DISK_CASE(two_who_have_a_file_open_see_the_same),
    CORACLE_DISK_CASE(a_file_is_there_after_the_program_has_ended),
    CORACLE_DISK_CASE(opening_tells_whether_a_file_is_there),
    CORACLE_DISK_CASE(truncating_removes_the_end_and_appending_goes_on_there),
    CORACLE_DISK_CASE(renaming_replaces_what_was_there),
    CORACLE_DISK_CASE(what_is_removed_is_gone_except_for_who_has_it_open),
    CORACLE_DISK_CASE(folders_hold_files_and_folders),
    CORACLE_DISK_CASE(everything_can_be_synced),
    CORACLE_DISK_CASE(a_path_that_leads_out_is_refused_by_every_function),
    CORACLE_DISK_CASE(names_are_bytes),
};

}  // namespace

void prove_disk(const std::function<std::unique_ptr<DiskBench>()>& make_bench) {
  for (const DiskCase& each : disk_cases) {
    BOOST_TEST_CONTEXT(each.sentence) {
      const auto bench = make_bench();
      each.prove(*bench);
    }
  }
}

}  // namespace coracle::net::test
