#include "coracle/http/headers.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"
#include "message/text.hpp"

#include <algorithm>
#include <limits>

namespace coracle::http {

namespace {

// Most messages have fewer, so they allocate once.
constexpr std::size_t usual_bytes = 256;
constexpr std::size_t usual_fields = 8;

// Returns whether a value has nothing that could end it early.
bool is_value(std::string_view text) noexcept {
  return std::none_of(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == 0x7f;
  });
}

// Takes the next element of a list with commas from its front.
std::string_view next_element(std::string_view& list) noexcept {
  const std::string_view element = list.substr(0, list.find(','));
  list.remove_prefix(std::min(element.size() + 1, list.size()));
  return trimmed(element);
}

}  // namespace

void Headers::add(std::string_view name, std::string_view value) {
  value = trimmed(value);
  constexpr std::size_t longest = std::numeric_limits<std::uint32_t>::max();
  if (!is_token(name) || !is_value(value) || name.size() > longest || value.size() > longest)
    throw Error(Errc::bad_options, "the header " + detail::quoted(name) +
                                       " cannot have the value " + detail::quoted(value) +
                                       "; use a name without blanks, and a value of one line");
  append(name, value);
}

void Headers::append(std::string_view name, std::string_view value) {
  const std::size_t at = text_.size();
  if (at == 0) {
    text_.reserve(usual_bytes);
    places_.reserve(usual_fields);
  }
  text_.append(name).append(value);
  places_.push_back(
      {at, static_cast<std::uint32_t>(name.size()), static_cast<std::uint32_t>(value.size())});
}

void Headers::set(std::string_view name, std::string_view value) {
  // They may be parts of this object.
  const std::string own_name(name), own_value(value);
  erase(own_name);
  add(own_name, own_value);
}

void Headers::erase(std::string_view name) {
  if (count(name) == 0) return;
  Headers rest;
  for (std::size_t i = 0; i < size(); ++i) {
    const Field field = (*this)[i];
    if (!same_word(field.name, name)) rest.add(field.name, field.value);
  }
  *this = std::move(rest);
}

Headers::Field Headers::operator[](std::size_t index) const noexcept {
  const Place& place = places_[index];
  const std::string_view text = std::string_view(text_).substr(place.at);
  return {text.substr(0, place.name), text.substr(place.name, place.value)};
}

std::optional<std::string_view> Headers::find(std::string_view name) const noexcept {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].name != name.size()) continue;
    const Field field = (*this)[i];
    if (same_word(field.name, name)) return field.value;
  }
  return std::nullopt;
}

std::size_t Headers::count(std::string_view name) const noexcept {
  std::size_t found = 0;
  for (std::size_t i = 0; i < size(); ++i) found += same_word((*this)[i].name, name) ? 1 : 0;
  return found;
}

bool Headers::has_token(std::string_view name, std::string_view token) const noexcept {
  for (std::size_t i = 0; i < size(); ++i) {
    const Field field = (*this)[i];
    if (!same_word(field.name, name)) continue;
    for (std::string_view list = field.value; !list.empty();) {
      if (same_word(next_element(list), token)) return true;
    }
  }
  return false;
}

bool operator==(const Headers& a, const Headers& b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].name != b[i].name || a[i].value != b[i].value) return false;
  }
  return true;
}

std::string media_type(std::string_view value) {
  return lower_case(trimmed(value.substr(0, value.find(';'))));
}

std::optional<std::string> media_parameter(std::string_view value, std::string_view name) {
  std::size_t at = value.find(';');
  while (at < value.size()) {
    value = trimmed(value.substr(at + 1));
    const std::size_t end_of_name = value.find_first_of("=;");
    const bool is_wanted = same_word(trimmed(value.substr(0, end_of_name)), name);
    if (end_of_name == value.npos || value[end_of_name] == ';') {
      at = end_of_name;
      continue;
    }
    value = trimmed(value.substr(end_of_name + 1));
    std::string text;
    if (value.starts_with('"')) {
      for (at = 1; at < value.size() && value[at] != '"'; ++at) {
        if (value[at] == '\\' && at + 1 < value.size()) ++at;
        text += value[at];
      }
      if (at >= value.size()) return std::nullopt;  // the quote has no end
      at = value.find(';', at);
    } else {
      at = value.find(';');
      text = trimmed(value.substr(0, at));
    }
    if (is_wanted) return text;
  }
  return std::nullopt;
}

}  // namespace coracle::http
