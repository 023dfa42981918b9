// The header fields of a message, and the values in them.
// Tests: gateways/http/tests/headers_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::http {

// Header fields in their order. Names are compared without regard to case. All texts are in one
// string, so that a message costs few allocations.
class Headers {
 public:
  // One field. The texts are valid until the headers change.
  struct Field {
    std::string_view name;
    std::string_view value;
  };

  Headers() = default;
  Headers(std::initializer_list<Field> fields) {
    for (const Field& each : fields) add(each.name, each.value);
  }

  // Adds a field behind the others. Fails with Errc::bad_options if the name is no word of HTTP or
  // the value has an end of line, so that no field can hide another one.
  void add(std::string_view name, std::string_view value);
  // The same, instead of all fields of that name.
  void set(std::string_view name, std::string_view value);
  // Removes all fields of that name.
  void erase(std::string_view name);
  // Removes all fields.
  void clear() noexcept { text_.clear(), places_.clear(); }

  // The number of fields.
  std::size_t size() const noexcept { return places_.size(); }
  // The field at `index`, which is below size().
  Field operator[](std::size_t index) const noexcept;
  // The value of the first field of that name; nothing if there is none.
  std::optional<std::string_view> find(std::string_view name) const noexcept;
  // The number of fields of that name.
  std::size_t count(std::string_view name) const noexcept;
  // Returns whether a field of that name has `token` in its list, as Connection: keep-alive,
  // Upgrade has two. The case does not matter.
  bool has_token(std::string_view name, std::string_view token) const noexcept;
  // The number of bytes that all fields have as text.
  std::size_t bytes() const noexcept { return text_.size() + 4 * places_.size(); }

  friend bool operator==(const Headers& a, const Headers& b) noexcept;

 private:
  friend class MessageReader;
  struct Place {
    std::size_t at;
    std::uint32_t name, value;
  };

  // Adds a field that is known to be one.
  void append(std::string_view name, std::string_view value);

  std::string text_;
  std::vector<Place> places_;
};

// The type in the value of Content-Type or Accept, in lower case and without parameters:
// multipart/mixed
std::string media_type(std::string_view value);
// The parameter of that name in such a value: "abc" is the boundary in
// multipart/mixed ; boundary="abc"
std::optional<std::string> media_parameter(std::string_view value, std::string_view name);

}  // namespace coracle::http
