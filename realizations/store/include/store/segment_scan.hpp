// Finds the records in the bytes of a segment, and distinguishes a torn end from damage.
//
// Records are written in groups, and a group is written only after the group before it is on the
// disk. Each record names the beginning of its group. So everything before the beginning of a good
// record's group had been synced: if it is bad, it is damaged. Bad bytes behind all such groups
// were never reported as stored: there the end was torn.
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
  // `bytes` is the whole file, up to its valid length; `header` is its own. A segment that is
  // `closed` is followed by another one, so everything in it had been synced.
  SegmentScan(ByteSpan bytes, const SegmentHeader& header, bool closed);

  // The position that next() has reached: `record` or `damage`, or the end.
  enum class Step : std::uint8_t { record, damage, end };
  Step next();

  // The record, valid as long as the bytes are; the record begins behind everything seen before.
  const Record& record() const { return record_; }
  // The beginning of the record's group.
  std::uint32_t group() const { return group_; }
  // The damaged range.
  BadRange damage() const { return damage_; }
  // At the end: the first invalid byte. A torn part may follow.
  std::uint32_t end() const { return at_; }
  // At the end: returns whether there are good records in the torn part.
  bool torn_has_records() const { return torn_has_records_; }
  // At the end: the number of torn bytes.
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
  std::uint32_t synced_ = 0;  // everything before it had been synced
  Sequence last_ = 0;
  std::optional<Good> ahead_;  // the first good record behind the damage
  Record record_;
  std::uint32_t group_ = 0;
  bool torn_has_records_ = false;
  BadRange damage_;
};

}  // namespace coracle::store
