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

// The number of a record; grows, and is never given twice. Its upper bits count the runs of the
// program, so that what a power cut takes leaves no number to be given again.
using Sequence = std::uint64_t;
constexpr unsigned run_shift = 40;

constexpr std::uint32_t format_version = 1;
constexpr std::size_t header_bytes = 1024;       // of a segment: the same twice, in two sectors
constexpr std::size_t record_header_bytes = 28;  // of a record

// Where a record is.
struct Place {
  std::uint32_t segment = 0;
  std::uint32_t offset = 0;
  auto operator<=>(const Place&) const = default;
};

// What a segment says of itself and of the one before it.
struct SegmentHeader {
  std::uint32_t version = format_version;
  std::uint32_t number = 0;
  std::uint64_t nonce = 0;     // enters every checksum, so that old bytes are not taken for new
  Sequence previous_last = 0;  // the last record that counts in the segment before
  std::uint32_t previous_bytes = 0;  // as far as the segment before counts; zero: there was none
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

// The journal's own record; every other kind belongs to its user. Body: see Mark.
constexpr std::uint8_t mark_kind = 0;
// Says that what comes before it has been synced.
struct Mark {
  std::uint32_t oldest = 0;  // segments before it are not needed any more
  bool closed = false;       // the program has ended in order
};
Bytes mark_body(Mark mark);
std::optional<Mark> read_mark(ByteSpan body);

// The bytes that begin a segment.
Bytes segment_header(const SegmentHeader& header);
// Fails with Errc::bad_encoding (both copies are damaged) or unsupported (a later version).
Result<SegmentHeader> read_segment_header(ByteSpan bytes);

// The bytes that a record takes.
constexpr std::size_t record_bytes(std::size_t body) noexcept {
  return record_header_bytes + ((body + 3) & ~std::size_t{3});
}
// Puts a record behind `to`; `parts` are its body. seal_records() completes it.
void put_record(Bytes& to, Sequence sequence, std::uint8_t kind, std::span<const ByteSpan> parts);
// Completes records that will stand in the segment with `nonce`. Everything before the offset
// `group` is on the disk when they are written.
void seal_records(std::span<std::byte> records, std::uint64_t nonce, std::uint32_t group);

// A record's header, as it stands in a segment.
struct RecordHeader {
  std::uint32_t length = 0;
  Sequence sequence = 0;
  std::uint32_t group = 0;
  std::uint32_t body_checksum = 0;
  std::uint8_t kind = 0;
};
// Nothing when its checksum is wrong, or when it is not of this segment.
std::optional<RecordHeader> read_record_header(ByteSpan bytes, std::uint64_t nonce);

// The name of a segment's file, and the number in such a name.
std::string segment_name(std::uint32_t number);
std::optional<std::uint32_t> segment_number(std::string_view name);

}  // namespace coracle::store
