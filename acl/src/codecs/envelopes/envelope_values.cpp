#include "codecs/envelopes/envelope_values.hpp"

#include "ascii.hpp"

#include <charconv>
#include <cstddef>
#include <string>

namespace coracle::acl {

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

std::optional<EnvelopeLength> envelope_length(std::string_view text) {
  const std::string_view digits = trimmed(text);
  const bool is_negative = digits.starts_with('-');
  const char* const begin = digits.data() + is_negative;
  const char* const last = digits.data() + digits.size();
  std::uint64_t length = 0;
  const auto [end, error] = std::from_chars(begin, last, length);
  if (error != std::errc() || end != last) return std::nullopt;
  if (is_negative) return EnvelopeLength{};
  return EnvelopeLength{length};
}

std::optional<DateTime> envelope_date(std::string_view text) {
  std::string form(trimmed(text));
  const std::size_t middle = form.starts_with('+') || form.starts_with('-') ? 9 : 8;
  if (form.size() > middle && is_letter(form[middle])) form[middle] = 'T';
  return date_time_from(form);
}

}  // namespace coracle::acl
