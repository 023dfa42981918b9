// The bytes of a frame between two nodes: numbers in groups of seven bits, the lowest first, and
// texts behind their length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace coracle::detail {

// Appends to a buffer.
class FrameWriter {
 public:
  explicit FrameWriter(std::vector<std::byte>& out) noexcept : out_(out) {}

  void byte(std::uint8_t value) { out_.push_back(static_cast<std::byte>(value)); }
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) byte(static_cast<std::uint8_t>(value | 0x80));
    byte(static_cast<std::uint8_t>(value));
  }
  void text(std::string_view value) {
    number(value.size());
    const auto bytes = std::as_bytes(std::span(value));
    out_.insert(out_.end(), bytes.begin(), bytes.end());
  }

 private:
  std::vector<std::byte>& out_;
};

// Reads what a FrameWriter wrote. What goes beyond the end reads as nothing, and ok() says so.
class FrameReader {
 public:
  explicit FrameReader(std::span<const std::byte> in) noexcept : in_(in) {}

  std::uint8_t byte() noexcept {
    if (in_.empty()) return ok_ = false, std::uint8_t{0};
    const auto value = static_cast<std::uint8_t>(in_.front());
    in_ = in_.subspan(1);
    return value;
  }
  std::uint64_t number() noexcept {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t next = byte();
      value |= std::uint64_t{next & 0x7fU} << shift;
      if ((next & 0x80) == 0) return value;
    }
    ok_ = false;
    return 0;
  }
  // At most `most`, else it is not ok.
  std::uint64_t number_up_to(std::uint64_t most) noexcept {
    const std::uint64_t value = number();
    if (value <= most) return value;
    ok_ = false;
    return 0;
  }
  std::string_view text() noexcept {
    const std::uint64_t size = number();
    if (size > in_.size()) return ok_ = false, std::string_view();
    const auto taken = in_.first(static_cast<std::size_t>(size));
    in_ = in_.subspan(static_cast<std::size_t>(size));
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }
  void fail() noexcept { ok_ = false; }
  bool ok() const noexcept { return ok_; }
  bool at_end() const noexcept { return in_.empty(); }
  std::size_t left() const noexcept { return in_.size(); }
  std::span<const std::byte> rest() const noexcept { return in_; }

 private:
  std::span<const std::byte> in_;
  bool ok_ = true;
};

}  // namespace coracle::detail
