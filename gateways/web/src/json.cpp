#include "coracle/web/json.hpp"

#include "coracle/support/quote.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace coracle::web {

std::optional<bool> Json::if_truth() const noexcept {
  const bool* const truth = std::get_if<bool>(&value_);
  return truth == nullptr ? std::nullopt : std::optional(*truth);
}

std::optional<std::int64_t> Json::if_whole() const noexcept {
  const std::int64_t* const whole = std::get_if<std::int64_t>(&value_);
  return whole == nullptr ? std::nullopt : std::optional(*whole);
}

std::optional<double> Json::if_number() const noexcept {
  if (const double* const number = std::get_if<double>(&value_)) return *number;
  if (const auto whole = if_whole()) return static_cast<double>(*whole);
  return std::nullopt;
}

const char* Json::kind() const noexcept {
  constexpr std::array<const char*, 7> kinds = {"null",   "a truth value", "a number", "a number",
                                                "a text", "an array",      "an object"};
  return kinds[value_.index()];
}

const Json* Json::find(std::string_view name) const noexcept {
  const Object* const members = if_object();
  if (members == nullptr) return nullptr;
  for (const Member& each : *members)
    if (each.name == name) return &each.value;
  return nullptr;
}

Json& Json::set(std::string_view name, Json value) {
  if (is_null()) value_ = Object();
  auto& members = std::get<Object>(value_);
  for (Member& each : members) {
    if (each.name != name) continue;
    each.value = std::move(value);
    return *this;
  }
  members.push_back({std::string(name), std::move(value)});
  return *this;
}

Json& Json::push(Json value) {
  if (is_null()) value_ = Array();
  std::get<Array>(value_).push_back(std::move(value));
  return *this;
}

std::size_t Json::bytes() const noexcept {
  std::size_t sum = sizeof(Json);
  if (const std::string* const text = if_text()) return sum + text->size();
  if (const Array* const items = if_array()) {
    for (const Json& each : *items) sum += each.bytes();
  } else if (const Object* const members = if_object()) {
    for (const Member& each : *members)
      sum += sizeof(std::string) + each.name.size() + each.value.bytes();
  }
  return sum;
}

bool operator==(const Json& a, const Json& b) { return a.value_ == b.value_; }

namespace {

void append_number(std::string& out, double number) {
  if (!std::isfinite(number)) {
    out += "null";
    return;
  }
  std::array<char, 32> digits;
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  out.append(digits.data(), written.ptr);
}

void append_escaped(std::string& out, char each) {
  constexpr std::string_view hex = "0123456789abcdef";
  switch (each) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  const auto byte = static_cast<unsigned char>(each);
  out += "\\u00";
  out += hex[byte >> 4U];
  out += hex[byte & 15U];
}

bool is_ordinary(char each) noexcept {
  return each >= ' ' && each <= '~' && each != '"' && each != '\\';
}

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_ordinary(text[end])) ++end;
    out += text.substr(at, end - at);
    at = end;
    if (at == text.size()) break;
    const detail::Utf8Character next = detail::utf8_at(text, at);
    if (next.bytes > 1) {
      out += text.substr(at, next.bytes);
    } else if (next.bytes == 1) {
      append_escaped(out, text[at]);
    } else {
      out += "\xef\xbf\xbd";
    }
    at += next.bytes == 0 ? 1 : next.bytes;
  }
  out += '"';
}

void append_text(std::string& out, const Json& value) {
  if (const std::string* const text = value.if_text()) {
    append_quoted(out, *text);
  } else if (const Json::Array* const items = value.if_array()) {
    out += '[';
    for (const Json& each : *items) {
      if (&each != items->data()) out += ',';
      append_text(out, each);
    }
    out += ']';
  } else if (const Json::Object* const members = value.if_object()) {
    out += '{';
    for (const Json::Member& each : *members) {
      if (&each != members->data()) out += ',';
      append_quoted(out, each.name);
      out += ':';
      append_text(out, each.value);
    }
    out += '}';
  } else if (const auto whole = value.if_whole()) {
    out += std::to_string(*whole);
  } else if (const auto number = value.if_number()) {
    append_number(out, *number);
  } else if (const auto truth = value.if_truth()) {
    out += *truth ? "true" : "false";
  } else {
    out += "null";
  }
}

std::string to_text(const Json& value) {
  std::string out;
  append_text(out, value);
  return out;
}

}  // namespace coracle::web
