// Finds the records in the bytes of a segment, and tells a torn end from damage.
//
// Records are written in groups, and a group only after the one before it is on the disk. Each
// record names the beginning of its group. So what stands before the beginning of some good
// record's group had been synced: if it is bad, it is damaged. What is bad behind all that was
// never promised to anybody: the end was torn.
#pragma once

#include "store/format.hpp"

namespace coracle::store {

// A part of a segment that holds no good records.
struct BadRange {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

class SegmentScan {
 public:
  // `bytes` is the whole file, as far as it counts; `header` is its own. Of a segment that is
  // `closed`, another one follows, so everything in it had been synced.
  SegmentScan(ByteSpan bytes, const SegmentHeader& header, bool closed);

  // What next() has come to: `record` or `damage`, or the end.
  enum class Step : std::uint8_t { record, damage, end };
  Step next();

  // The record, valid as long as the bytes are; it begins behind everything seen before.
  const Record& record() const { return record_; }
  // The beginning of the record's group.
  std::uint32_t group() const { return group_; }
  // What is damaged.
  BadRange damage() const { return damage_; }
  // At the end: the first byte that does not count. Something torn may follow.
  std::uint32_t end() const { return at_; }
  // At the end: whether there are good records in what is torn.
  bool torn_has_records() const { return torn_has_records_; }
  // At the end: how many bytes are torn.
  std::uint32_t torn() const { return static_cast<std::uint32_t>(bytes_.size()) - at_; }

 private:
  struct Good {
    std::uint32_t at = 0;
    RecordHeader header;
  };
  bool read_at(std::uint32_t at, Good& good) const;
  std::optional<Good> good_from(std::uint32_t at) const;
  bool was_synced(std::uint32_t at, const Good& next);
  void take(const Good& good);

  ByteSpan bytes_;
  std::uint32_t number_;
  std::uint64_t nonce_;
  bool closed_;
  std::uint32_t at_ = header_bytes;
  std::uint32_t synced_ = 0;  // what is before it had been synced
  Sequence last_ = 0;
  std::optional<Good> ahead_;  // behind what was damaged
  Record record_;
  std::uint32_t group_ = 0;
  bool torn_has_records_ = false;
  BadRange damage_;
};

}  // namespace coracle::store
