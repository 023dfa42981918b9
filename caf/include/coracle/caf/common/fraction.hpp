// An exact number: weights, scores and tallies are compared exactly, never rounded. Tests:
// caf/tests/common/fraction_test.cpp.
#pragma once

#include "coracle/codec.hpp"
#include "coracle/result.hpp"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace coracle::caf {

// A fraction in lowest terms with a positive denominator, both of 63 bits. A result that needs more
// bits fails with Errc::limit_reached; it is never rounded.
class Fraction {
 public:
  Fraction() noexcept = default;
  // A whole number.
  Fraction(std::int64_t whole) noexcept : numerator_(whole) {}
  // Fails with Errc::bad_options when the denominator is zero.
  Fraction(std::int64_t numerator, std::int64_t denominator);

  // Reads "3", "-1/3", "0.25" or "1e-3". Fails with Errc::bad_options, Errc::limit_reached.
  static Result<Fraction> parse(std::string_view text);

  // The two parts.
  std::int64_t numerator() const noexcept { return numerator_; }
  std::int64_t denominator() const noexcept { return denominator_; }
  // "3" or "1/3".
  std::string str() const;

  friend bool operator==(const Fraction&, const Fraction&) noexcept = default;
  friend std::strong_ordering operator<=>(const Fraction& a, const Fraction& b) noexcept;
  // Each operator fails with Errc::limit_reached.
  friend Fraction operator+(const Fraction& a, const Fraction& b);
  friend Fraction operator-(const Fraction& a, const Fraction& b);
  friend Fraction operator*(const Fraction& a, const Fraction& b);

 private:
  std::int64_t numerator_ = 0;
  std::int64_t denominator_ = 1;
};

// The content is an array of the two parts. Decoding fails with Errc::bad_encoding.
void encode(Encoder& encoder, const Fraction& value);
void decode(Decoder& decoder, Fraction& value);

}  // namespace coracle::caf
