// The bytes of a segment of the journal: its header and its records. See docs/journal.md.
#pragma once

#include "coracle/result.hpp"
#include "store/fields.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace coracle::store {

// The number of a record, which grows and is never used twice. Its upper bits count the runs of the
// program, so that no number is used again after a power cut.
using Sequence = std::uint64_t;
constexpr unsigned run_shift = 40;

constexpr std::uint32_t format_version = 1;
constexpr std::size_t header_bytes = 1024;       // of a segment: two copies, in two sectors
constexpr std::size_t record_header_bytes = 28;  // of a record

// The position of a record.
struct Place {
  std::uint32_t segment = 0;
  std::uint32_t offset = 0;
  auto operator<=>(const Place&) const = default;
};

// The data in a segment's header about the segment and the one before it.
struct SegmentHeader {
  std::uint32_t version = format_version;
  std::uint32_t number = 0;
  std::uint64_t nonce = 0;           // part of every checksum, so that no old bytes look valid
  Sequence previous_last = 0;        // the last valid record in the segment before
  std::uint32_t previous_bytes = 0;  // the valid length of the segment before; zero: there was none
  std::uint32_t oldest = 0;          // the first segment that was still needed
  std::uint32_t run = 0;
  bool operator==(const SegmentHeader&) const = default;
};

// A record in memory.
struct Record {
  Place place;
  Sequence sequence = 0;
  std::uint8_t kind = 0;
  ByteSpan body;
};

// The journal's own kind of record; all other kinds belong to its user. Body: see Mark.
constexpr std::uint8_t mark_kind = 0;
// A record that proves that everything before it has been synced.
struct Mark {
  std::uint32_t oldest = 0;  // segments before it are not needed any more
  bool closed = false;       // the program has ended in order
};
Bytes mark_body(Mark mark);
std::optional<Mark> read_mark(ByteSpan body);

// The header bytes of a segment.
Bytes segment_header(const SegmentHeader& header);
// Fails with Errc::bad_encoding (both copies are damaged) or unsupported (a later version).
Result<SegmentHeader> read_segment_header(ByteSpan bytes);

// The size of a record in bytes.
constexpr std::size_t record_bytes(std::size_t body) noexcept {
  return record_header_bytes + ((body + 3) & ~std::size_t{3});
}
// Appends a record to `to`; `parts` are its body. seal_records() completes the record.
void put_record(Bytes& to, Sequence sequence, std::uint8_t kind, std::span<const ByteSpan> parts);
// Completes records that will be in the segment with `nonce`. Everything before the offset `group`
// is on the disk when the records are written.
void seal_records(std::span<std::byte> records, std::uint64_t nonce, std::uint32_t group);

// The header of a record in a segment.
struct RecordHeader {
  std::uint32_t length = 0;
  Sequence sequence = 0;
  std::uint32_t group = 0;
  std::uint32_t body_checksum = 0;
  std::uint8_t kind = 0;
};
// Returns nothing when the checksum is wrong, or when the record is not of this segment.
std::optional<RecordHeader> read_record_header(ByteSpan bytes, std::uint64_t nonce);

// Returns the name of a segment's file, or the number in such a name.
std::string segment_name(std::uint32_t number);
std::optional<std::uint32_t> segment_number(std::string_view name);

}  // namespace coracle::store
