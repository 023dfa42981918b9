// Reads messages of Protocol Buffers for the tests, strictly: a mistake throws.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace coracle::test {

// One field: a number, or bytes.
struct Field {
  std::uint64_t number = 0;
  std::uint64_t value = 0;
  std::string_view bytes;
};

inline std::uint64_t take_varint(std::string_view& from) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (from.empty()) break;
    const auto byte = static_cast<unsigned char>(from.front());
    from.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  throw std::runtime_error("a number does not end");
}

inline std::string_view take_bytes(std::string_view& from, std::uint64_t count) {
  if (count > from.size()) throw std::runtime_error("a field is longer than its message");
  const std::string_view taken = from.substr(0, count);
  from.remove_prefix(count);
  return taken;
}

inline std::vector<Field> fields_of(std::string_view message) {
  std::vector<Field> fields;
  while (!message.empty()) {
    const std::uint64_t key = take_varint(message);
    Field field{key >> 3, 0, {}};
    switch (key & 7) {
      case 0:
        field.value = take_varint(message);
        break;
      case 1:
        field.bytes = take_bytes(message, 8);
        break;
      case 2:
        field.bytes = take_bytes(message, take_varint(message));
        break;
      case 5:
        field.bytes = take_bytes(message, 4);
        break;
      default:
        throw std::runtime_error("a field has an unknown kind");
    }
    if (field.bytes.size() == 8 && (key & 7) == 1) {
      for (std::size_t i = 0; i < 8; ++i)
        field.value |= static_cast<std::uint64_t>(static_cast<unsigned char>(field.bytes[i]))
                       << 8 * i;
    }
    fields.push_back(field);
  }
  return fields;
}

// The fields of that number.
inline std::vector<Field> fields_of(std::string_view message, std::uint64_t number) {
  std::vector<Field> found;
  for (const Field& each : fields_of(message))
    if (each.number == number) found.push_back(each);
  return found;
}

}  // namespace coracle::test
