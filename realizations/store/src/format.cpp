#include "store/format.hpp"

#include "store/checksum.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstring>

namespace coracle::store {

namespace {

constexpr std::string_view magic = "coraclej";
constexpr std::string_view suffix = ".journal";
constexpr std::size_t digits = 10;
constexpr std::size_t copy_at = header_bytes / 2;
constexpr std::size_t copy_bytes = 48;

std::uint32_t header_checksum(const std::byte* header, std::uint64_t nonce) {
  std::byte seed[8];
  put(seed, nonce);
  return crc32c({header + 4, record_header_bytes - 4}, crc32c(seed));
}

// Reads one of the two copies.
std::optional<SegmentHeader> read_copy(ByteSpan bytes) {
  if (bytes.size() < copy_bytes || text_of(bytes.first(magic.size())) != magic) return std::nullopt;
  const std::byte* at = bytes.data();
  if (get<std::uint32_t>(at + 44) != crc32c(bytes.first(44))) return std::nullopt;
  SegmentHeader header;
  header.version = get<std::uint32_t>(at + 8);
  header.number = get<std::uint32_t>(at + 12);
  header.nonce = get<std::uint64_t>(at + 16);
  header.previous_last = get<std::uint64_t>(at + 24);
  header.previous_bytes = get<std::uint32_t>(at + 32);
  header.oldest = get<std::uint32_t>(at + 36);
  header.run = get<std::uint32_t>(at + 40);
  return header;
}

}  // namespace

Bytes mark_body(Mark mark) {
  Bytes body(5);
  put(body.data(), mark.oldest);
  put(body.data() + 4, static_cast<std::uint8_t>(mark.closed));
  return body;
}

std::optional<Mark> read_mark(ByteSpan body) {
  FieldReader fields(body);
  Mark mark;
  mark.oldest = fields.number<std::uint32_t>();
  mark.closed = fields.number<std::uint8_t>() != 0;
  if (!fields.complete()) return std::nullopt;
  return mark;
}

Bytes segment_header(const SegmentHeader& header) {
  Bytes bytes(header_bytes);
  std::byte* at = bytes.data();
  std::memcpy(at, magic.data(), magic.size());
  put(at + 8, header.version);
  put(at + 12, header.number);
  put(at + 16, header.nonce);
  put(at + 24, header.previous_last);
  put(at + 32, header.previous_bytes);
  put(at + 36, header.oldest);
  put(at + 40, header.run);
  put(at + 44, crc32c({at, 44}));
  std::memcpy(at + copy_at, at, copy_bytes);
  return bytes;
}

Result<SegmentHeader> read_segment_header(ByteSpan bytes) {
  auto header = read_copy(bytes);
  if (!header && bytes.size() > copy_at) header = read_copy(bytes.subspan(copy_at));
  if (!header)
    return Error(
        Errc::bad_encoding,
        "both copies of the segment's header are damaged; restore the file from a copy, or "
        "go on without what it holds");
  if (header->version == 0 || header->version > format_version)
    return Error(Errc::unsupported,
                 fmt::format("the segment has format version {}, and this program knows versions 1 "
                             "to {}; open the folder with the program that wrote it",
                             header->version, format_version));
  return *header;
}

void put_record(Bytes& to, Sequence sequence, std::uint8_t kind, std::span<const ByteSpan> parts) {
  std::size_t length = 0;
  for (const ByteSpan part : parts) length += part.size();
  const std::size_t at = to.size();
  to.resize(at + record_bytes(length));
  std::byte* header = to.data() + at;
  put(header + 4, static_cast<std::uint32_t>(length));
  put(header + 8, sequence);
  put(header + 24, kind);
  std::byte* body = header + record_header_bytes;
  for (const ByteSpan part : parts) {
    if (!part.empty()) std::memcpy(body, part.data(), part.size());
    body += part.size();
  }
}

void seal_records(std::span<std::byte> records, std::uint64_t nonce, std::uint32_t group) {
  while (!records.empty()) {
    std::byte* header = records.data();
    const auto length = get<std::uint32_t>(header + 4);
    put(header + 16, group);
    put(header + 20, crc32c({header + record_header_bytes, length}));
    put(header, header_checksum(header, nonce));
    records = records.subspan(record_bytes(length));
  }
}

std::optional<RecordHeader> read_record_header(ByteSpan bytes, std::uint64_t nonce) {
  if (bytes.size() < record_header_bytes) return std::nullopt;
  const std::byte* at = bytes.data();
  if (get<std::uint32_t>(at) != header_checksum(at, nonce)) return std::nullopt;
  RecordHeader header;
  header.length = get<std::uint32_t>(at + 4);
  header.sequence = get<std::uint64_t>(at + 8);
  header.group = get<std::uint32_t>(at + 16);
  header.body_checksum = get<std::uint32_t>(at + 20);
  header.kind = get<std::uint8_t>(at + 24);
  return header;
}

std::string segment_name(std::uint32_t number) {
  return fmt::format("{:0{}}{}", number, digits, suffix);
}

std::optional<std::uint32_t> segment_number(std::string_view name) {
  if (name.size() != digits + suffix.size() || !name.ends_with(suffix)) return std::nullopt;
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + digits, number);
  if (error != std::errc() || end != name.data() + digits || number == 0) return std::nullopt;
  return number;
}

}  // namespace coracle::store
