// How much memory a connection's reads get: more for those that are filled, and after many that
// brought little no more than in the beginning.
#pragma once

#include <cstddef>

namespace coracle::net {

class ReadSize {
 public:
  static constexpr std::size_t first = 16u << 10;

  explicit ReadSize(std::size_t most) : most_(most) {}

  // Of the next read, after one of `size` brought so much.
  std::size_t after(std::size_t brought, std::size_t size) {
    little_ = brought < first / 4 ? little_ + 1 : 0;
    if (little_ >= many) return first;
    return brought == size && size < most_ ? 2 * size : size;
  }

 private:
  static constexpr unsigned many = 16;

  std::size_t most_;
  unsigned little_ = 0;  // in a row
};

}  // namespace coracle::net
