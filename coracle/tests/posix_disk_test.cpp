// The machine's disk when system calls fail.
#include "disk/posix_calls.hpp"
#include "tests/support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

namespace coracle {
namespace {

using test::TemporaryFolder;

// System calls that fail on demand. They are plain functions, so their settings are global.
int syncs = 0, failing_syncs = 0, interruptions = 0;
long room = 0;

ssize_t short_write(int file, const void* bytes, size_t count) {
  if (interruptions > 0) {
    --interruptions;
    errno = EINTR;
    return -1;
  }
  if (room <= 0) {
    errno = ENOSPC;
    return -1;
  }
  const ssize_t written = ::write(file, bytes, std::min<size_t>({count, 3, size_t(room)}));
  room -= written;
  return written;
}

ssize_t broken_write(int, const void*, size_t) {
  errno = EIO;
  return -1;
}

int failing_sync(int file) {
  ++syncs;
  if (failing_syncs-- <= 0) return ::fsync(file);
  errno = EIO;
  return -1;
}

detail::PosixCalls failing_calls() {
  syncs = failing_syncs = interruptions = 0;
  room = 1'000'000;
  detail::PosixCalls calls = detail::posix_calls();
  calls.write = short_write;
  calls.fdatasync = calls.fsync = failing_sync;
  return calls;
}

std::span<const std::byte> bytes(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

template <class T>
Errc errc(const Result<T>& result) {
  return result ? Errc{} : result.error().errc();
}

constexpr auto any = Disk::Open::existing_or_new;

BOOST_AUTO_TEST_SUITE(posix_disk)

BOOST_AUTO_TEST_CASE(short_and_interrupted_writes_are_continued) {
  const TemporaryFolder folder;
  const auto disk = detail::posix_disk_with(folder.path(), failing_calls()).value();
  const auto file = disk->open("a", any).value();
  interruptions = 2;
  BOOST_TEST(file->append(bytes("more than three bytes")).has_value());
  std::string text(21, ' ');
  BOOST_TEST(file->read_at(0, std::as_writable_bytes(std::span(text.data(), 21))).value() == 21u);
  BOOST_TEST(text == "more than three bytes");
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_said_and_may_be_tried_again) {
  const TemporaryFolder folder;
  const auto disk = detail::posix_disk_with(folder.path(), failing_calls()).value();
  const auto file = disk->open("a", any).value();
  room = 4;
  const auto full = file->append(bytes("0123456789"));
  BOOST_TEST((errc(full) == Errc::disk_full));
  BOOST_TEST(full.error().sentence().find("/a\"") != std::string::npos, full.error().sentence());
  BOOST_TEST(file->size().value() == 4u);
  BOOST_TEST(file->truncate(0).has_value());
  room = 100;
  BOOST_TEST(file->append(bytes("0123456789")).has_value());
  BOOST_TEST(file->sync().has_value());
}

BOOST_AUTO_TEST_CASE(a_failed_sync_is_never_tried_again) {
  const TemporaryFolder folder;
  auto disk = detail::posix_disk_with(folder.path(), failing_calls()).value();
  auto file = disk->open("a", any).value(), other = disk->open("b", any).value();
  BOOST_TEST(file->append(bytes("text")).has_value());
  failing_syncs = 1;  // the next would succeed, as on Linux
  BOOST_TEST((errc(file->sync()) == Errc::disk_failed));
  for (int i = 0; i < 3; ++i) BOOST_TEST((errc(file->sync()) == Errc::disk_failed));
  BOOST_TEST(syncs == 1);
  BOOST_TEST((errc(other->sync()) == Errc::disk_failed));
  BOOST_TEST((errc(other->append(bytes("x"))) == Errc::disk_failed));
  BOOST_TEST((errc(other->truncate(0)) == Errc::disk_failed));
  BOOST_TEST((errc(disk->rename("a", "c")) == Errc::disk_failed));
  BOOST_TEST((errc(disk->remove("a")) == Errc::disk_failed));
  BOOST_TEST((errc(disk->make_folder("f")) == Errc::disk_failed));
  BOOST_TEST((errc(disk->sync_folder("")) == Errc::disk_failed));
  BOOST_TEST((errc(disk->open("new", any)) == Errc::disk_failed));
  BOOST_TEST(disk->open("a", Disk::Open::existing).has_value(), "reading goes on");
  BOOST_TEST(syncs == 1);
}

BOOST_AUTO_TEST_CASE(a_failed_sync_of_a_folder_and_a_broken_write_are_final_too) {
  const TemporaryFolder folder;
  {
    const auto disk = detail::posix_disk_with(folder.path(), failing_calls()).value();
    failing_syncs = 1;
    BOOST_TEST((errc(disk->sync_folder("")) == Errc::disk_failed));
    BOOST_TEST((errc(disk->sync_folder("")) == Errc::disk_failed));
  }
  detail::PosixCalls calls = detail::posix_calls();
  calls.write = broken_write;
  const auto disk = detail::posix_disk_with(folder.path(), calls).value();
  const auto file = disk->open("a", any).value();
  BOOST_TEST((errc(file->append(bytes("x"))) == Errc::disk_failed));
  BOOST_TEST((errc(file->sync()) == Errc::disk_failed));
}

BOOST_AUTO_TEST_CASE(links_are_not_followed) {
  const TemporaryFolder outside, folder;
  std::ofstream(outside / "secret") << "secret";
  BOOST_REQUIRE(::symlink((outside / "secret").c_str(), (folder / "file").c_str()) == 0);
  BOOST_REQUIRE(::symlink(outside.path().c_str(), (folder / "folder").c_str()) == 0);
  const auto disk = coracle::posix_disk(folder.path()).value();
  BOOST_TEST((errc(disk->open("file", Disk::Open::existing)) == Errc::bad_path));
  BOOST_TEST(!disk->open("folder/secret", Disk::Open::existing));
  BOOST_TEST(!disk->open("folder/new", any));
  BOOST_TEST(!disk->list("folder"));
  BOOST_TEST(!disk->remove("folder/secret"));
  BOOST_TEST(::access((outside / "secret").c_str(), F_OK) == 0);
  BOOST_TEST(::access((outside / "new").c_str(), F_OK) != 0);
}

BOOST_AUTO_TEST_CASE(a_folder_is_used_by_one_at_a_time_and_is_private) {
  const TemporaryFolder folder;
  const std::string path = folder / "data";
  auto disk = coracle::posix_disk(path).value();
  BOOST_TEST((errc(coracle::posix_disk(path)) == Errc::not_permitted));
  BOOST_TEST(disk->open("a", any).has_value());
  struct stat status {};
  BOOST_REQUIRE(::stat(path.c_str(), &status) == 0);
  BOOST_TEST((status.st_mode & 0777) == 0700u);
  BOOST_REQUIRE(::stat((path + "/a").c_str(), &status) == 0);
  BOOST_TEST((status.st_mode & 0777) == 0600u);
  disk.reset();
  BOOST_TEST(coracle::posix_disk(path).has_value());
}

BOOST_AUTO_TEST_CASE(a_folder_that_cannot_be_used_is_named) {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "text";
  BOOST_TEST((errc(coracle::posix_disk(folder / "no/data")) == Errc::no_such_file));
  const auto refused = coracle::posix_disk(folder / "file");
  BOOST_TEST((errc(refused) == Errc::file_exists));
  BOOST_TEST(refused.error().sentence().find("/file\"") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle
