#include "coracle/web/json_reader.hpp"

#include "coracle/support/quote.hpp"

#include <cmath>
#include <utility>

namespace coracle::web {

namespace {

std::string sentence_of(const std::string& place, const std::string& problem) {
  return (place.empty() ? "the value" : detail::quoted(place, 200)) + " " + problem;
}

}  // namespace

JsonError::JsonError(std::string place, std::string problem)
    : Error(Errc::bad_encoding, sentence_of(place, problem)),
      place_(std::move(place)),
      problem_(std::move(problem)) {}

void JsonReader::fail(std::string problem) const { throw JsonError(place_, std::move(problem)); }

void JsonReader::fail_kind(const char* wanted) const {
  fail(std::string("has to be ") + wanted + ", not " + value_->kind());
}

const Json& JsonReader::object() const {
  if (value_->if_object() == nullptr) fail_kind("an object");
  return *value_;
}

std::optional<JsonReader> JsonReader::find(std::string_view name) const {
  const Json* const found = object().find(name);
  if (found == nullptr || found->is_null()) return std::nullopt;
  std::string place = place_;
  if (!place.empty()) place += '.';
  return JsonReader(*found, place.append(name));
}

JsonReader JsonReader::at(std::string_view name) const {
  if (auto found = find(name)) return *std::move(found);
  std::string place = place_;
  if (!place.empty()) place += '.';
  throw JsonError(place.append(name), "is missing");
}

std::vector<JsonReader> JsonReader::items(std::size_t most) const {
  const Json::Array* const items = value_->if_array();
  if (items == nullptr) fail_kind("an array");
  if (items->size() > most) fail("has more than " + std::to_string(most) + " items");
  std::vector<JsonReader> all;
  all.reserve(items->size());
  for (std::size_t i = 0; i < items->size(); ++i)
    all.emplace_back((*items)[i], place_ + "[" + std::to_string(i) + "]");
  return all;
}

const std::string& JsonReader::text() const {
  const std::string* const text = value_->if_text();
  if (text == nullptr) fail_kind("a text");
  return *text;
}

bool JsonReader::truth() const {
  const auto truth = value_->if_truth();
  if (!truth) fail_kind("true or false");
  return *truth;
}

std::int64_t JsonReader::whole(std::int64_t least, std::int64_t most) const {
  auto whole = value_->if_whole();
  const auto number = value_->if_number();
  constexpr double exact = 9007199254740992.0;  // 2^53
  if (!whole && number && std::trunc(*number) == *number && std::abs(*number) <= exact)
    whole = static_cast<std::int64_t>(*number);
  if (!whole) fail_kind("a whole number");
  if (*whole < least || *whole > most)
    fail("has to be from " + std::to_string(least) + " to " + std::to_string(most));
  return *whole;
}

std::string JsonReader::text_or_empty(std::string_view name) const {
  const auto found = find(name);
  return found ? found->text() : std::string();
}

bool JsonReader::truth_or_false(std::string_view name) const {
  const auto found = find(name);
  return found && found->truth();
}

std::vector<std::string> JsonReader::texts_or_none(std::string_view name, std::size_t most) const {
  std::vector<std::string> texts;
  if (const auto found = find(name))
    for (const JsonReader& each : found->items(most)) texts.push_back(each.text());
  return texts;
}

}  // namespace coracle::web
