// Values of JSON, and the texts of strangers, which are read within limits.
// Tests: gateways/web/tests/json_test.cpp, tests/fuzz/json_fuzz.cpp
#pragma once

#include "coracle/result.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace coracle::web {

// A value: null, a truth value, a number, a text, an array or an object. An object keeps the order
// of its members.
class Json {
 public:
  struct Member;
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;

  // Null.
  Json() noexcept = default;
  Json(bool truth) noexcept;
  Json(std::floating_point auto number) noexcept { set_number(static_cast<double>(number)); }
  // A number beyond 63 bits becomes the nearest double.
  Json(std::integral auto number) noexcept {
    const auto whole = static_cast<std::int64_t>(number);
    if (number > 0 && whole < 0) set_number(static_cast<double>(number));
    else set_whole(whole);
  }
  Json(const char* text);
  Json(std::string_view text);
  Json(std::string text) noexcept;
  Json(Array items) noexcept;
  Json(Object members) noexcept;

  bool is_null() const noexcept { return value_.index() == 0; }
  // The value, if it is of that kind; if_number() takes whole numbers, too.
  std::optional<bool> if_truth() const noexcept;
  std::optional<std::int64_t> if_whole() const noexcept;
  std::optional<double> if_number() const noexcept;
  const std::string* if_text() const noexcept { return std::get_if<std::string>(&value_); }
  const Array* if_array() const noexcept { return std::get_if<Array>(&value_); }
  const Object* if_object() const noexcept { return std::get_if<Object>(&value_); }
  // The kind for people: "a number", "an array".
  const char* kind() const noexcept;

  // The member of an object; nullptr if there is none, or if this is no object.
  const Json* find(std::string_view name) const noexcept;
  // Sets a member of an object, behind the others if it is new. Null becomes an object first.
  // Requires that this is an object or null. Returns *this.
  Json& set(std::string_view name, Json value);
  // Adds an item to an array. Null becomes an array first. Requires that this is an array or null.
  Json& push(Json value);

  // About the number of bytes of memory that the value takes.
  std::size_t bytes() const noexcept;

  friend bool operator==(const Json& a, const Json& b);

 private:
  void set_number(double number) noexcept;
  void set_whole(std::int64_t number) noexcept;

  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> value_;
};

// A member of an object.
struct Json::Member {
  std::string name;
  Json value;

  friend bool operator==(const Member&, const Member&) = default;
};

// Behind the member's definition, which clang needs here.
inline void Json::set_number(double number) noexcept { value_ = number; }
inline void Json::set_whole(std::int64_t number) noexcept { value_ = number; }
inline Json::Json(bool truth) noexcept : value_(truth) {}
inline Json::Json(const char* text) : value_(std::string(text)) {}
inline Json::Json(std::string_view text) : value_(std::string(text)) {}
inline Json::Json(std::string text) noexcept : value_(std::move(text)) {}
inline Json::Json(Array items) noexcept : value_(std::move(items)) {}
inline Json::Json(Object members) noexcept : value_(std::move(members)) {}

// The limits of a text.
struct JsonLimits {
  std::size_t bytes = std::size_t{4} << 20;
  // Arrays and objects within each other; at most 100.
  std::size_t depth = 32;
  // Values in all: an array of two numbers is three.
  std::size_t values = 100'000;
};

// Reads a text, which is one value and UTF-8. Fails with Errc::bad_encoding, also if an object has
// two members of one name, and with Errc::too_large beyond a limit.
Result<Json> parse_json(std::string_view text, const JsonLimits& limits = {});

// Writes a value on one line. Bytes that are not UTF-8 become U+FFFD; a number that JSON does not
// have becomes null.
std::string to_text(const Json& value);
// The same, behind `out`.
void append_text(std::string& out, const Json& value);
// Writes a text in quotes, as append_text() does.
void append_quoted(std::string& out, std::string_view text);

}  // namespace coracle::web
