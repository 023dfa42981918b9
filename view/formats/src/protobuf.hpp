// Writes messages of Protocol Buffers, field by field. Nothing here reads them.
// Specification: https://protobuf.dev/programming-guides/encoding/
#pragma once

#include "coracle/support/bytes.hpp"
#include "coracle/support/quote.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace coracle::formats {

// One message under way.
class Protobuf {
 public:
  // uint64, uint32, bool, enum; an int64 or int32 that is not negative.
  Protobuf& number(unsigned field, std::uint64_t value) {
    begin(field, 0);
    varint(value);
    return *this;
  }
  Protobuf& fixed64(unsigned field, std::uint64_t value) {
    begin(field, 1);
    return fixed(value, 8);
  }
  Protobuf& fixed32(unsigned field, std::uint32_t value) {
    begin(field, 5);
    return fixed(value, 4);
  }
  Protobuf& bytes(unsigned field, std::string_view value) {
    begin(field, 2);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  // A string, which is UTF-8: other bytes, and characters that could deceive, are escaped.
  Protobuf& text(unsigned field, std::string_view value) {
    return detail::is_plain(value) ? bytes(field, value) : bytes(field, detail::shown(value));
  }
  Protobuf& message(unsigned field, const Protobuf& value) { return bytes(field, value.bytes_); }

  // The bytes of the message.
  const std::string& str() const noexcept { return bytes_; }

 private:
  void begin(unsigned field, unsigned wire_type) { varint(field << 3 | wire_type); }
  void varint(std::uint64_t value) {
    std::byte room[detail::most_of_number];
    const std::byte* const end = detail::write_number(room, value);
    bytes_.append(reinterpret_cast<const char*>(room), static_cast<std::size_t>(end - room));
  }
  Protobuf& fixed(std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i) bytes_ += static_cast<char>(value >> 8 * i & 0xff);
    return *this;
  }

  std::string bytes_;
};

}  // namespace coracle::formats
