// The interface to files: all data that must survive a power cut is written through it, so that a
// simulator can replace it. Realizations: posix_disk() (the machine's), the simulator's
// (realizations/net/src/simulated).
// Tests: realizations/net/tests/bytes/disk_contract.hpp
//
// Only synced data is guaranteed to survive a power cut: File::sync() syncs the bytes of a file,
// Disk::sync_folder() its name (a creation, a rename, a removal).
#pragma once

#include "coracle/result.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coracle {

// An open file, which can be read anywhere and written at its end. Its calls block; one thread at a
// time makes them.
class File {
 public:
  // Closes the file without syncing it.
  virtual ~File() = default;

  // Writes `bytes` behind the end. Fails with Errc::disk_full or disk_failed; then the file may
  // hold a part of `bytes`, which size() shows and truncate() removes.
  virtual Result<void> append(std::span<const std::byte> bytes) = 0;
  // Reads from `offset` on; returns less than `into` holds only at the end of the file. Fails with
  // Errc::disk_failed.
  virtual Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) = 0;
  // Returns when everything appended and truncated so far would survive a power cut. Fails with
  // Errc::disk_failed; see Disk.
  virtual Result<void> sync() = 0;
  // The length of the file in bytes.
  virtual Result<std::uint64_t> size() = 0;
  // Keeps the first `size` bytes and removes the rest. Fails with Errc::bad_options (the file is
  // shorter) or disk_failed.
  virtual Result<void> truncate(std::uint64_t size) = 0;
};

// A folder of the machine with its contents. Paths are relative to it: segments separated by `/`,
// none of them `.` or `..`, without control characters; no link leads out of the folder. Every
// function that takes a path fails with Errc::bad_path otherwise, and with Errc::not_permitted when
// the system forbids the operation.
//
// After a failed sync the state of the disk is unknown, and a second attempt would succeed without
// having written anything. Therefore that failure is final: from then on every function that writes
// or syncs fails with Errc::disk_failed until the folder is opened anew and its contents have been
// checked. Reading goes on.
class Disk {
 public:
  // The longest path, and the longest of its segments, in bytes.
  static constexpr std::size_t max_path = 1024;
  static constexpr std::size_t max_segment = 255;
  // The largest number of entries that list() returns.
  static constexpr std::size_t max_entries = 100'000;

  // The expected state of the file: it exists already, it may exist, or it is new.
  enum class Open : std::uint8_t { existing, existing_or_new, new_one };

  virtual ~Disk() = default;

  // Opens a file. Fails with Errc::no_such_file, file_exists (also for a folder of that name),
  // disk_full, limit_reached (too many open files) or disk_failed.
  virtual Result<std::unique_ptr<File>> open(std::string_view path, Open how) = 0;
  // Gives a file another name within its folder, and removes a file that had that name. After a
  // power cut it has exactly one of the two names. Fails with Errc::no_such_file, file_exists (one
  // of the names is a folder) or disk_failed.
  virtual Result<void> rename(std::string_view from, std::string_view to) = 0;
  // Removes a file. A process that has it open can still use it. Fails with Errc::no_such_file,
  // file_exists (it is a folder) or disk_failed.
  virtual Result<void> remove(std::string_view path) = 0;
  // Makes a folder. Fails with Errc::file_exists, no_such_file (its parent folder is missing) or
  // disk_failed.
  virtual Result<void> make_folder(std::string_view path) = 0;
  // The names in a folder, sorted; the names of folders end with `/`. The empty path is the whole
  // disk.
  // Fails with Errc::no_such_file, limit_reached or disk_failed.
  virtual Result<std::vector<std::string>> list(std::string_view folder) = 0;
  // Returns when every creation, rename and removal in a folder would survive a power cut. The
  // empty path is the whole disk. Fails with Errc::no_such_file or disk_failed.
  virtual Result<void> sync_folder(std::string_view folder) = 0;

  // Checks that `path` keeps the rules above; fails with the rule that it breaks. For realizations.
  static Result<void> check_path(std::string_view path);
};

// The machine's disk below `folder`. The folder is made (for this user alone) if it is missing and
// its parent exists. One process at a time uses it. Fails with Errc::not_permitted (also when
// another process uses it), no_such_file, file_exists or disk_failed.
Result<std::unique_ptr<Disk>> posix_disk(const std::string& folder);

}  // namespace coracle
