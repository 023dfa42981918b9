#include "coracle/tuple.hpp"

#include "coracle/errors.hpp"

namespace coracle {

namespace {

bool fits(const OpenField& open, const TupleField& field) noexcept {
  if (field.index() != static_cast<std::size_t>(open.kind)) return false;
  const auto* number = std::get_if<std::int64_t>(&field);
  if (number == nullptr) return true;
  if (open.width >= 8) return open.is_signed || *number >= 0;
  const unsigned bits = open.width * 8U - (open.is_signed ? 1U : 0U);
  const std::int64_t high = std::int64_t{1} << bits;
  return *number < high && *number >= (open.is_signed ? -high : 0);
}

std::string shown(const TupleField& field) {
  static constexpr const char* kinds[] = {"truth value", "whole number", "number", "text", "bytes"};
  if (const auto* truth = std::get_if<bool>(&field)) return *truth ? "true" : "false";
  if (const auto* number = std::get_if<std::int64_t>(&field)) return std::to_string(*number);
  if (const auto* number = std::get_if<double>(&field)) return std::to_string(*number);
  if (const auto* text = std::get_if<std::string>(&field)) return '"' + *text + '"';
  if (const auto* bytes = std::get_if<std::vector<std::byte>>(&field)) {
    return std::to_string(bytes->size()) + " bytes";
  }
  const auto kind = static_cast<std::size_t>(std::get<OpenField>(field).kind);
  return std::string("any ") + (kind < std::size(kinds) ? kinds[kind] : "thing");
}

}  // namespace

bool matches(const TupleFields& pattern, const TupleFields& tuple) noexcept {
  if (pattern.size() != tuple.size()) return false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const auto* open = std::get_if<OpenField>(&pattern[i]);
    if (open != nullptr ? !fits(*open, tuple[i]) : pattern[i] != tuple[i]) return false;
  }
  return true;
}

std::string to_string(const TupleFields& fields) {
  std::string text = "(";
  for (const TupleField& field : fields) {
    if (text.size() > 1) text += ", ";
    text += shown(field);
  }
  return text + ')';
}

namespace detail {

void fail_too_large() {
  throw Error(Errc::too_large,
              "a whole number of a tuple is 2^63 or more; give it as text or as bytes");
}

}  // namespace detail

}  // namespace coracle
