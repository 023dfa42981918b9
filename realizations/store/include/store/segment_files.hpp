// The journal's half on the disk: writes batches, reads records, keeps the reserve. Its calls
// block; one thread at a time uses it. It begins with recovery (recovery.hpp).
#pragma once

#include "coracle/disk.hpp"
#include "store/journal.hpp"

#include <map>
#include <memory>

namespace coracle::store {

class SegmentFiles {
 public:
  // `disk` outlives the object, and nobody else uses the disk.
  SegmentFiles(Disk& disk, JournalOptions options);

  // Opens the reserve, with the size that it has. Fails as Disk::open does.
  Result<void> open_reserve();
  // Returns when the batch is on the disk. Fails with Errc::disk_full or limit_reached (nothing has
  // happened, and the same batch may be given again), or with another error, after which nothing
  // may be written any more.
  Result<void> write(Batch& batch);
  // Returns whether a part of the reserve is in use; reserve() returns what is left of the reserve.
  bool full() const { return reserve_bytes_ < options_.reserve_bytes; }
  std::uint64_t reserve() const { return reserve_bytes_; }
  // Tries to restore the whole reserve. Fails with any error except Errc::disk_full.
  Result<void> refill();

  // Reads the body of a record that is on the disk. Fails with Errc::bad_encoding (it is damaged),
  // no_such_file or disk_failed.
  Result<Bytes> read(Place place);
  // Reads a whole segment. Fails as read() does.
  Result<Bytes> read_segment(std::uint32_t number);
  // The header of a segment; nothing if it cannot be read.
  const SegmentHeader* header_of(std::uint32_t number) const;
  // Adds the header of a segment that was there before.
  void know(const SegmentHeader& header) { headers_[header.number] = header; }
  // Puts bytes into a file of their own and returns when they are on the disk; does nothing if the
  // file exists.
  Result<void> set_aside(const std::string& name, ByteSpan bytes);
  // Removes segments with lower numbers, the oldest first.
  Result<void> remove_before(std::uint32_t number);

 private:
  Result<void> write_once(Batch& batch);
  Result<void> write_first(const Batch& batch);
  Result<void> write_next(const Batch& batch);
  Result<void> create(const std::string& name, ByteSpan head, ByteSpan rest);
  Result<bool> shrink_reserve(std::uint64_t needed);

  Disk& disk_;
  JournalOptions options_;
  std::map<std::uint32_t, SegmentHeader> headers_;
  std::unique_ptr<File> current_;
  std::uint32_t current_number_ = 0;
  std::unique_ptr<File> reserve_;
  std::uint64_t reserve_bytes_ = 0;
};

}  // namespace coracle::store
