// Properties of directory entries, and conditions on them: `where("kind") == "sonar" &&
// where("range_m") > 5`, with `||`, `!`, comparison, presence and regular expressions.
#pragma once

#include "coracle/name.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace coracle {

// The value of a property. Numbers compare as numbers, whatever their representation; values of
// different kinds are unequal and have no order.
using Value = std::variant<bool, std::int64_t, double, std::string>;

// An argument that becomes a Value: any number, a truth value, or a text. Each becomes the kind
// that preserves it (an integer beyond 63 bits becomes the nearest double).
class Operand {
 public:
  Operand(Value value) : value_(std::move(value)) {}
  Operand(bool truth) noexcept : value_(truth) {}
  Operand(std::floating_point auto number) noexcept : value_(static_cast<double>(number)) {}
  Operand(std::integral auto number) noexcept {
    const auto whole = static_cast<std::int64_t>(number);
    if (number > 0 && whole < 0) value_ = static_cast<double>(number);
    else value_ = whole;
  }
  Operand(const char* text) : value_(std::string(text)) {}
  Operand(std::string_view text) : value_(std::string(text)) {}
  Operand(std::string text) : value_(std::move(text)) {}

  // The value, moved out.
  Value take() && { return std::move(value_); }

 private:
  Value value_;
};

// Named values, ordered by key, each key once.
class Properties {
 public:
  Properties() = default;

  // Sets `key`, and replaces an earlier value. Returns *this so that calls chain.
  Properties& set(std::string_view key, Operand value);

  // The value of `key`, or nullptr.
  const Value* find(std::string_view key) const noexcept;
  // Returns whether there are no properties.
  bool empty() const noexcept { return values_.empty(); }
  // All properties, ordered by key.
  const std::vector<std::pair<std::string, Value>>& all() const noexcept { return values_; }

  friend bool operator==(const Properties&, const Properties&) = default;

 private:
  std::vector<std::pair<std::string, Value>> values_;
};

// A test of properties; copies share their parts. By default every entry fits.
class Condition {
 public:
  Condition() = default;

  // Returns whether `properties` fit.
  bool holds(const Properties& properties) const;

  // Combinations. Fail with Errc::bad_pattern when they are nested more than 1,000 deep.
  friend Condition operator&&(const Condition& a, const Condition& b);
  friend Condition operator||(const Condition& a, const Condition& b);
  friend Condition operator!(const Condition& a);

  // The condition's parts; private to the library, like the constructor that takes them.
  struct Node;
  explicit Condition(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  const Node* node() const noexcept { return node_.get(); }

 private:
  std::shared_ptr<const Node> node_;
};

// The left side of a comparison.
class Property {
 public:
  explicit Property(std::string key) : key_(std::move(key)) {}

  // Comparisons; an absent property meets none of them, not even `!=`.
  Condition operator==(Operand value) const;
  Condition operator!=(Operand value) const;
  Condition operator<(Operand value) const;
  Condition operator<=(Operand value) const;
  Condition operator>(Operand value) const;
  Condition operator>=(Operand value) const;

  // Tests that the property is a string that `regex` (RE2 syntax, at most 1,024 bytes) matches as a
  // whole. Fails with Errc::bad_pattern.
  Condition matches(std::string_view regex) const;
  // Tests that the property is present.
  Condition exists() const;

 private:
  std::string key_;
};

// Names a property in a condition.
inline Property where(std::string_view key) { return Property(std::string(key)); }

// A search: the entries within `prefix` (empty: all) that fit `condition`, at most `limit` of them.
struct Query {
  Query() = default;
  Query(Condition fits) : condition(std::move(fits)) {}

  // The condition, the prefix, and the largest number of entries.
  Condition condition;
  Name prefix;
  std::size_t limit = 1000;
};

}  // namespace coracle
