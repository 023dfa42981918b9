#include "coracle/caf/common/fraction.hpp"

#include "wide.hpp"

#include <charconv>
#include <numeric>
#include <string>

namespace coracle::caf {

namespace {

Wide greatest_divisor(Wide a, Wide b) {
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

Fraction reduced(Wide numerator, Wide denominator) {
  if (denominator < 0) numerator = -numerator, denominator = -denominator;
  const Wide divisor = numerator == 0 ? denominator : greatest_divisor(numerator, denominator);
  return Fraction(narrow(numerator / divisor), narrow(denominator / divisor));
}

Error not_a_number(std::string_view text) {
  return Error(Errc::bad_options, "'" + std::string(text.substr(0, 40)) +
                                      "' is not a number; write it as 3, 1/3 or 0.25");
}

// Reads the whole of `text` as a whole number.
Result<std::int64_t> whole(std::string_view text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, wrong] = std::from_chars(text.data(), end, value);
  if (wrong == std::errc::result_out_of_range || value == INT64_MIN) {
    return Error(Errc::limit_reached, "the number " + std::string(text.substr(0, 40)) +
                                          " is too large; use one of at most 18 digits");
  }
  if (wrong != std::errc() || at != end) return not_a_number(text);
  return value;
}

// Reads digits with a point and an exponent.
Result<Fraction> decimal(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  std::string digits(text.substr(0, e));
  std::int64_t exponent = 0;
  if (e != std::string_view::npos) {
    std::string_view power = text.substr(e + 1);
    if (!power.empty() && power.front() == '+') power.remove_prefix(1);
    const Result<std::int64_t> read = whole(power);
    if (!read) return not_a_number(text);
    exponent = *read;
  }
  const std::size_t point = digits.find('.');
  if (point != std::string::npos) {
    const std::size_t places = digits.size() - point - 1;
    if (places == 0 || point == 0 || digits[point - 1] == '-') return not_a_number(text);
    exponent -= static_cast<std::int64_t>(places);
    digits.erase(point, 1);
  }
  const Result<std::int64_t> value = whole(digits);
  if (!value) {
    if (value.error().errc() == Errc::limit_reached) return value.error();
    return not_a_number(text);
  }
  if (exponent < -18 || exponent > 18) {
    return Error(Errc::limit_reached, "the number " + std::string(text.substr(0, 40)) +
                                          " is too large or too fine; use at most 18 digits");
  }
  Wide scale = 1;
  for (std::int64_t i = 0; i < (exponent < 0 ? -exponent : exponent); ++i) scale *= 10;
  try {
    return exponent < 0 ? reduced(*value, scale) : reduced(Wide{*value} * scale, 1);
  } catch (const Error& error) {
    return error;
  }
}

}  // namespace

Fraction::Fraction(std::int64_t numerator, std::int64_t denominator) {
  if (denominator == 0) {
    throw Error(Errc::bad_options, "a fraction has the denominator zero; give another one");
  }
  if (denominator != 1 && (denominator < 0 || std::gcd(numerator, denominator) != 1)) {
    *this = reduced(numerator, denominator);
    return;
  }
  numerator_ = numerator;
  denominator_ = denominator;
}

Result<Fraction> Fraction::parse(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return decimal(text);
  const Result<std::int64_t> above = whole(text.substr(0, slash));
  const Result<std::int64_t> below = whole(text.substr(slash + 1));
  if (!above) return above.error();
  if (!below) return below.error();
  if (*below <= 0) return not_a_number(text);
  return Fraction(*above, *below);
}

std::string Fraction::str() const {
  if (denominator_ == 1) return std::to_string(numerator_);
  return std::to_string(numerator_) + '/' + std::to_string(denominator_);
}

std::strong_ordering operator<=>(const Fraction& a, const Fraction& b) noexcept {
  if (a.denominator_ == b.denominator_) return a.numerator_ <=> b.numerator_;
  const Wide left = Wide{a.numerator_} * b.denominator_;
  const Wide right = Wide{b.numerator_} * a.denominator_;
  if (left == right) return std::strong_ordering::equal;
  return left < right ? std::strong_ordering::less : std::strong_ordering::greater;
}

Fraction operator+(const Fraction& a, const Fraction& b) {
  if (a.denominator_ == 1 && b.denominator_ == 1) {
    return Fraction(narrow(Wide{a.numerator_} + b.numerator_));
  }
  // Each product is below 2^126, so that their sum fits.
  return reduced(Wide{a.numerator_} * b.denominator_ + Wide{b.numerator_} * a.denominator_,
                 Wide{a.denominator_} * b.denominator_);
}

Fraction operator-(const Fraction& a, const Fraction& b) { return a + b * Fraction(-1); }

Fraction operator*(const Fraction& a, const Fraction& b) {
  if (a.denominator_ == 1 && b.denominator_ == 1) {
    return Fraction(narrow(Wide{a.numerator_} * b.numerator_));
  }
  return reduced(Wide{a.numerator_} * b.numerator_, Wide{a.denominator_} * b.denominator_);
}

void encode(Encoder& encoder, const Fraction& value) {
  encoder.begin_array(2);
  encoder.integer(value.numerator());
  encoder.integer(value.denominator());
  encoder.end_array();
}

void decode(Decoder& decoder, Fraction& value) {
  if (decoder.begin_array() != 2) coracle::detail::fail_decoding("a fraction has two parts");
  const std::int64_t numerator = decoder.integer();
  const std::int64_t denominator = decoder.integer();
  decoder.end_array();
  if (denominator <= 0 || numerator == INT64_MIN) {
    coracle::detail::fail_decoding("a fraction has a positive denominator");
  }
  value = Fraction(numerator, denominator);
}

}  // namespace coracle::caf
