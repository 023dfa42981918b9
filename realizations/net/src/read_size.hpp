// The size of the buffer for a connection's reads. The size grows for connections that fill it, and
// returns to the first size after many reads that brought little.
#pragma once

#include <cstddef>

namespace coracle::net {

class ReadSize {
 public:
  static constexpr std::size_t first = 16u << 10;

  explicit ReadSize(std::size_t most) : most_(most) {}

  // Returns the size of the next read, after a read of `size` that brought `brought` bytes.
  std::size_t after(std::size_t brought, std::size_t size) {
    little_ = brought < first / 4 ? little_ + 1 : 0;
    if (little_ >= many) return first;
    return brought == size && size < most_ ? 2 * size : size;
  }

 private:
  static constexpr unsigned many = 16;

  std::size_t most_;
  unsigned little_ = 0;  // small reads in a row
};

}  // namespace coracle::net
