// Files as a seam: what has to survive a power cut goes through here, so that a simulator can own
// it. Realizations: posix_disk() (the machine's), the simulator's (realizations/net/src/sim).
// Contract: realizations/net/tests/disk_contract.hpp
//
// What survives a power cut is what was synced, and nothing else can be relied upon: bytes of a
// file by File::sync(), its name (a creation, a rename, a removal) by Disk::sync_folder().
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

// An open file, to be read anywhere and written at its end. Its calls block; they are made by one
// thread at a time.
class File {
 public:
  // Closes it, without syncing.
  virtual ~File() = default;

  // Writes `bytes` behind the end. Fails with Errc::disk_full or disk_failed; a part of `bytes` may
  // be there then, which size() tells and truncate() removes.
  virtual Result<void> append(std::span<const std::byte> bytes) = 0;
  // Reads from `offset` on; brings less than `into` holds only at the end of the file. Fails with
  // Errc::disk_failed.
  virtual Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) = 0;
  // Returns when everything appended and truncated so far would survive a power cut. Fails with
  // Errc::disk_failed; see Disk.
  virtual Result<void> sync() = 0;
  // Its length in bytes.
  virtual Result<std::uint64_t> size() = 0;
  // Removes what is behind the first `size` bytes, of which there are at least as many. Fails with
  // Errc::bad_options (it is shorter) or disk_failed.
  virtual Result<void> truncate(std::uint64_t size) = 0;
};

// A folder of the machine and what is in it. Paths are relative to it: segments separated by `/`,
// none of them `.` or `..`, no control characters, and no link leads out. Every function that takes
// one fails with Errc::bad_path otherwise, with Errc::not_permitted when the system forbids it.
//
// After a failed sync nobody knows what is on the disk, and trying again would succeed without
// having written anything. Therefore that failure is final: from then on everything that writes or
// syncs fails with Errc::disk_failed until the folder is opened anew, and what is there has been
// checked. Reading goes on.
class Disk {
 public:
  // The longest path, and the longest of its segments, in bytes.
  static constexpr std::size_t max_path = 1024;
  static constexpr std::size_t max_segment = 255;
  // The most entries that list() gives.
  static constexpr std::size_t max_entries = 100'000;

  // Whether a file is to be there already.
  enum class Open : std::uint8_t { existing, existing_or_new, new_one };

  virtual ~Disk() = default;

  // Opens a file. Fails with Errc::no_such_file, file_exists (also for a folder of that name),
  // disk_full, limit_reached (too many open files) or disk_failed.
  virtual Result<std::unique_ptr<File>> open(std::string_view path, Open how) = 0;
  // Gives a file another name within its folder; what had that name is gone. It has either name
  // after a power cut, never both and never none. Fails with Errc::no_such_file, file_exists (one
  // of them is a folder) or disk_failed.
  virtual Result<void> rename(std::string_view from, std::string_view to) = 0;
  // Removes a file. Who has it open goes on. Fails with Errc::no_such_file, file_exists (it is a
  // folder) or disk_failed.
  virtual Result<void> remove(std::string_view path) = 0;
  // Makes a folder. Fails with Errc::file_exists, no_such_file (the folder it is to be in) or
  // disk_failed.
  virtual Result<void> make_folder(std::string_view path) = 0;
  // The names in a folder, sorted; those of folders end with `/`. The empty path is the whole.
  // Fails with Errc::no_such_file, limit_reached or disk_failed.
  virtual Result<std::vector<std::string>> list(std::string_view folder) = 0;
  // Returns when every creation, rename and removal in a folder would survive a power cut. The
  // empty path is the whole. Fails with Errc::no_such_file or disk_failed.
  virtual Result<void> sync_folder(std::string_view folder) = 0;

  // Whether `path` keeps the rules above; what is wrong with it otherwise. For realizations.
  static Result<void> check_path(std::string_view path);
};

// The machine's disk below `folder`, which is made (for this user alone) if there is none and its
// parent is there. One process at a time uses it. Fails with Errc::not_permitted (also when another
// process uses it), no_such_file, file_exists or disk_failed.
Result<std::unique_ptr<Disk>> posix_disk(const std::string& folder);

}  // namespace coracle
