// The envelopes that were read lately, by their texts without date and length.
#include "coracle/acl/envelope_codec.hpp"

#include "ascii.hpp"
#include "codecs/envelopes/envelope_values.hpp"

#include "coracle/support/secret_hash.hpp"

#include <algorithm>
#include <list>
#include <optional>
#include <unordered_map>
#include <utility>

namespace coracle::acl {

namespace {

// Longer texts are not remembered, with longer dates and lengths neither.
constexpr std::size_t longest_text = 16 * 1024;
constexpr std::size_t longest_value = 64;

constexpr std::string_view date_element = "date>";
constexpr std::string_view length_element = "payload-length>";

bool begins_with(std::string_view text, std::string_view word) noexcept {
  return text.size() >= word.size() && same_text(text.substr(0, word.size()), word);
}

// The date and the length of an envelope, and the rest of its text. Two texts with the same rest
// differ in these two values only: each is the content of the only element of its name, and the
// text has no comments and the like that could hide an element.
struct Parts {
  std::string rest;
  std::string_view date, length;
};

// The content of an element that begins here with this word, if it is plain text.
std::optional<std::string_view> content_of(std::string_view text, std::string_view element) {
  if (!text.starts_with(element)) return std::nullopt;
  text.remove_prefix(element.size());
  const std::string_view value = text.substr(0, std::min(text.find('<'), text.size()));
  const bool is_plain = std::ranges::all_of(
      value, [](char each) { return is_letter(each) || is_digit(each) || each == '-'; });
  const std::string_view end = text.substr(value.size());
  if (!is_plain || value.size() > longest_value || !end.starts_with("</")) return std::nullopt;
  return end.substr(2).starts_with(element) ? std::optional(value) : std::nullopt;
}

std::optional<Parts> parts_of(std::string_view text) {
  if (text.size() > longest_text) return std::nullopt;
  Parts parts;
  for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at + 1)) {
    const std::string_view behind = text.substr(at + 1);
    if (behind.starts_with('!') || (behind.starts_with('?') && at != 0)) return std::nullopt;
    for (const auto& [element, value] :
         {std::pair(date_element, &parts.date), {length_element, &parts.length}}) {
      if (!begins_with(behind, element.substr(0, element.size() - 1))) continue;
      const auto content = content_of(behind, element);
      if (!content || value->data() != nullptr) return std::nullopt;
      *value = *content;
    }
  }
  if (parts.date.data() == nullptr || parts.length.data() == nullptr) return std::nullopt;
  const auto [first, second] = std::minmax(
      parts.date, parts.length, [](auto a, auto b) { return std::less<>()(a.data(), b.data()); });
  const char* const begin = text.data();
  const char* const behind_first = first.data() + first.size();
  const char* const behind_second = second.data() + second.size();
  parts.rest.reserve(text.size());
  parts.rest.append(begin, first.data());
  parts.rest.append(behind_first, second.data());
  parts.rest.append(behind_second, begin + text.size());
  return parts;
}

}  // namespace

struct EnvelopeXmlReader::Memory {
  struct Known {
    Envelope envelope;
    std::list<const std::string*>::iterator use;
  };

  std::unordered_map<std::string, Known, coracle::detail::SecretHash> envelopes;
  std::list<const std::string*> uses;  // the latest first
};

EnvelopeXmlReader::EnvelopeXmlReader(const Limits& limits, std::size_t most)
    : limits_(limits), most_(most), memory_(std::make_unique<Memory>()) {}

EnvelopeXmlReader::~EnvelopeXmlReader() = default;

Envelope EnvelopeXmlReader::read(std::string_view text) {
  auto parts = text.size() <= limits_.bytes ? parts_of(text) : std::nullopt;
  if (!parts) return read_envelope_xml(text, limits_);
  const auto date = envelope_date(parts->date);
  const auto length = envelope_length(parts->length);
  if (!date || !length) return read_envelope_xml(text, limits_);
  auto& [envelopes, uses] = *memory_;
  if (const auto known = envelopes.find(parts->rest); known != envelopes.end()) {
    uses.splice(uses.begin(), uses, known->second.use);
    Envelope envelope = known->second.envelope;
    envelope.date = *date;
    envelope.payload_length = length->value;
    return envelope;
  }
  Envelope envelope = read_envelope_xml(text, limits_);
  if (most_ == 0) return envelope;
  if (envelopes.size() >= most_) {
    envelopes.erase(envelopes.find(*uses.back()));
    uses.pop_back();
  }
  const auto made =
      envelopes.emplace(std::move(parts->rest), Memory::Known{envelope, uses.end()}).first;
  uses.push_front(&made->first);
  made->second.use = uses.begin();
  return envelope;
}

}  // namespace coracle::acl
