// The past of one value, in a few hundred bytes, for averages over any span.
// Tests: coracle/tests/metrics/history_test.cpp
#pragma once

#include "coracle/clock.hpp"

#include <cstddef>
#include <vector>

namespace coracle::detail {

// A value holds until the next one comes. The past is kept in pieces, the older the longer: of each
// length, which is a power of two times the shortest, there are one or two. So an average is off by
// less than half of the value's change within the piece at the far end of its span.
class History {
 public:
  // The length of the shortest pieces.
  static constexpr Duration shortest = std::chrono::milliseconds(62);

  // The value is `value` from `at` on. A time before the last one counts as the last one.
  void add(Time at, double value);
  // The average until `now`. A moment that lies back by `span` counts e times less than the
  // present; the time before the first value does not count. For a span of zero: the present value.
  double average(Time now, Duration span) const noexcept;
  // Returns whether a value was added.
  bool has_value() const noexcept { return has_value_; }
  // The last value.
  double last() const noexcept { return value_; }
  // The number of bytes of memory behind the object.
  std::size_t bytes() const noexcept { return pieces_.capacity() * sizeof(Piece); }

 private:
  // Its end is the beginning of the next one, or of `open_` for the last one.
  struct Piece {
    double mean;
    Duration length;
  };

  void close_open();

  std::vector<Piece> pieces_;  // the oldest first
  Piece open_{0, {}};          // until the last value
  Time last_{};                // when the last value came
  double value_ = 0;
  bool has_value_ = false;
};

}  // namespace coracle::detail
