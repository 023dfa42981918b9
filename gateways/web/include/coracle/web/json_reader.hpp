// Reads values of JSON that strangers have sent, and says exactly what is wrong with them.
// Tests: gateways/web/tests/json_reader_test.cpp
#pragma once

#include "coracle/errors.hpp"
#include "coracle/web/json.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::web {

// A value is missing, or is not what it has to be. The code is Errc::bad_encoding.
class JsonError final : public Error {
 public:
  // `problem` continues the sentence that begins with the place: "has to be a text, not a number".
  JsonError(std::string place, std::string problem);

  // The place of the value: "params.message.parts[0].text"; empty for the whole value.
  const std::string& place() const noexcept { return place_; }
  // The fault of the value.
  const std::string& problem() const noexcept { return problem_; }

 private:
  std::string place_, problem_;
};

// A value at its place. It outlives neither the value nor what the value is in. Everything here
// fails with JsonError if the value is of another kind.
class JsonReader {
 public:
  explicit JsonReader(const Json& value, std::string place = {})
      : value_(&value), place_(std::move(place)) {}

  const Json& value() const noexcept { return *value_; }
  const std::string& place() const noexcept { return place_; }

  // A member of the object; nothing if it is missing, or null.
  std::optional<JsonReader> find(std::string_view name) const;
  // The same, but fails if it is missing.
  JsonReader at(std::string_view name) const;
  // The items of the array. Fails if there are more than `most`.
  std::vector<JsonReader> items(std::size_t most = 10'000) const;

  const std::string& text() const;
  bool truth() const;
  // A whole number within these bounds; a number such as 3.0 is one, too.
  std::int64_t whole(std::int64_t least, std::int64_t most) const;
  // The value itself, which has to be an object.
  const Json& object() const;

  // The value of a member; nothing, empty or false if it is missing.
  std::string text_or_empty(std::string_view name) const;
  bool truth_or_false(std::string_view name) const;
  std::vector<std::string> texts_or_none(std::string_view name, std::size_t most = 1000) const;

  // Fails with a fault of another kind.
  [[noreturn]] void fail(std::string problem) const;

 private:
  [[noreturn]] void fail_kind(const char* wanted) const;

  const Json* value_;
  std::string place_;
};

}  // namespace coracle::web
