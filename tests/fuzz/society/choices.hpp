// Choices that the bytes of an input make. When the bytes are used up, the following choices are
// drawn from them, so every input makes any number of choices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace coracle::fuzzed {

class Choices {
 public:
  explicit Choices(std::span<const std::uint8_t> bytes, std::uint64_t seed = 0)
      : bytes_(bytes), state_(0xcbf29ce484222325 ^ seed * 0x9e3779b97f4a7c15) {
    for (const std::uint8_t each : bytes) state_ = (state_ ^ each) * 0x100000001b3;
  }

  // From now on, all choices are drawn.
  void skip_bytes() { at_ = bytes_.size(); }
  std::uint8_t byte() {
    if (at_ < bytes_.size()) return bytes_[at_++];
    state_ ^= state_ << 13, state_ ^= state_ >> 7, state_ ^= state_ << 17;
    return static_cast<std::uint8_t>(state_ >> 32);
  }
  // A number below `count`, which is at least 1.
  std::size_t below(std::size_t count) {
    std::size_t value = byte();
    if (count > 256) value = value << 8 | byte();
    return value % count;
  }
  // True in that many of 256 cases.
  bool in(unsigned cases) { return byte() < cases; }
  template <class List>
  auto& of(List&& list) {
    return list[below(std::size(list))];
  }
  // A number that is mostly small, and sometimes extremely large.
  std::uint64_t number() {
    static constexpr std::uint64_t odd[] = {~std::uint64_t{0},
                                            std::uint64_t{1} << 63,
                                            std::uint64_t{1} << 60,
                                            std::uint64_t{1} << 32,
                                            0xffff'0000'0000'0000,
                                            ~std::uint32_t{0},
                                            0xffff'0000,
                                            std::uint64_t{1} << 20};
    const std::uint8_t kind = byte();
    if (kind < 200) return kind % 8;
    if (kind < 232) return byte();
    return odd[kind % std::size(odd)];
  }

 private:
  const std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  std::uint64_t state_;
};

}  // namespace coracle::fuzzed
