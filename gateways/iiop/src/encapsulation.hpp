// Encapsulations of CORBA: bytes whose first states their order, and in which numbers are aligned.
// An object reference consists of them. Pure; nothing is copied while reading.
// Tests: gateways/iiop/tests/address_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace coracle::fipa {

// Reads one. Behind its end, or after fail(), every value is zero or empty, and is_right() is
// false.
class EncapsulationReader {
 public:
  explicit EncapsulationReader(std::string_view bytes) noexcept : bytes_(bytes) {
    is_little_ = octet() != 0;
  }

  bool is_right() const noexcept { return is_right_; }
  void fail() noexcept { is_right_ = false; }

  std::uint8_t octet() noexcept { return static_cast<std::uint8_t>(value(1)); }
  std::uint16_t half() noexcept { return static_cast<std::uint16_t>(value(2)); }
  std::uint32_t number() noexcept { return static_cast<std::uint32_t>(value(4)); }
  // A sequence of octets.
  std::string_view bytes() noexcept { return some(number()); }
  // A string, without the zero at its end.
  std::string_view text() noexcept {
    std::string_view found = bytes();
    if (found.empty() || found.back() != '\0') fail();
    else found.remove_suffix(1);
    if (found.find('\0') != std::string_view::npos) fail();
    return is_right_ ? found : std::string_view();
  }

 private:
  std::string_view some(std::size_t count) noexcept {
    if (!is_right_ || count > bytes_.size() - at_) {
      fail();
      return {};
    }
    return bytes_.substr(std::exchange(at_, at_ + count), count);
  }
  std::uint64_t value(std::size_t size) noexcept {
    const std::size_t gap = (size - at_ % size) % size;
    (void)some(gap);
    const std::string_view found = some(size);
    std::uint64_t result = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto byte = static_cast<unsigned char>(found[is_little_ ? size - 1 - i : i]);
      result = result << 8 | byte;
    }
    return result;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  bool is_little_ = false;
  bool is_right_ = true;
};

// Writes one, in big-endian order.
class EncapsulationWriter {
 public:
  void octet(std::uint8_t value) { put(value, 1); }
  void half(std::uint16_t value) { put(value, 2); }
  void number(std::uint32_t value) { put(value, 4); }
  void bytes(std::string_view value) {
    number(static_cast<std::uint32_t>(value.size()));
    bytes_ += value;
  }
  void text(std::string_view value) {
    number(static_cast<std::uint32_t>(value.size() + 1));
    bytes_ += value;
    bytes_ += '\0';
  }
  const std::string& taken() const noexcept { return bytes_; }

 private:
  void put(std::uint32_t value, std::size_t size) {
    while (bytes_.size() % size != 0) bytes_ += '\0';
    for (std::size_t i = size; i-- > 0;) bytes_ += static_cast<char>(value >> (8 * i));
  }

  std::string bytes_ = std::string(1, '\0');  // the order
};

}  // namespace coracle::fipa
