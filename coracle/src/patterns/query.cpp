#include "coracle/query.hpp"

#include "coracle/support/quote.hpp"
#include "directory/property_index.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <cmath>
#include <compare>

namespace coracle {

namespace {

enum class Test : std::uint8_t { equal, unequal, less, at_most, greater, at_least, regex, exists };

enum class Kind : std::uint8_t { test, both, either, neither };

// Deeper combinations would make holds() and the destructor use too much of the stack.
constexpr int max_depth = 1'000;

constexpr std::size_t max_regex_bytes = 1'024;
constexpr std::int64_t max_regex_memory = 1 << 20;

// 2^63: no std::int64_t is so large.
constexpr double beyond = 9223372036854775808.0;

// Compares without rounding the integer: 2^53 + 1 is greater than 2^53.
std::partial_ordering compare(std::int64_t a, double b) {
  if (std::isnan(b)) return std::partial_ordering::unordered;
  if (b >= beyond) return std::partial_ordering::less;
  if (b < -beyond) return std::partial_ordering::greater;
  const auto whole = static_cast<std::int64_t>(b);
  if (a != whole) return a <=> whole;
  return 0.0 <=> b - static_cast<double>(whole);
}

std::partial_ordering reversed(std::partial_ordering order) {
  if (order < 0) return std::partial_ordering::greater;
  if (order > 0) return std::partial_ordering::less;
  return order;
}

std::partial_ordering compare(const Value& a, const Value& b) {
  const auto* a_int = std::get_if<std::int64_t>(&a);
  const auto* b_int = std::get_if<std::int64_t>(&b);
  const auto* a_double = std::get_if<double>(&a);
  const auto* b_double = std::get_if<double>(&b);
  if (a_int != nullptr && b_double != nullptr) return compare(*a_int, *b_double);
  if (a_double != nullptr && b_int != nullptr) return reversed(compare(*b_int, *a_double));
  if (a.index() != b.index()) return std::partial_ordering::unordered;
  if (a_int != nullptr) return *a_int <=> *b_int;
  if (a_double != nullptr) return *a_double <=> *b_double;
  if (const auto* truth = std::get_if<bool>(&a)) return *truth <=> std::get<bool>(b);
  return std::get<std::string>(a) <=> std::get<std::string>(b);
}

bool passes(Test test, std::partial_ordering order) {
  switch (test) {
    case Test::equal: return order == 0;
    case Test::unequal: return order != 0;
    case Test::less: return order < 0;
    case Test::at_most: return order <= 0;
    case Test::greater: return order > 0;
    case Test::at_least: return order >= 0;
    case Test::regex:
    case Test::exists: break;
  }
  return false;
}

std::unique_ptr<const RE2> compile(std::string_view regex) {
  if (regex.size() > max_regex_bytes)
    throw Error(Errc::bad_pattern, "the regular expression " + detail::quoted(regex) + " has " +
                                       std::to_string(regex.size()) +
                                       " bytes; use at most 1024, or several conditions");
  RE2::Options options;
  options.set_max_mem(max_regex_memory);
  options.set_log_errors(false);
  auto compiled =
      std::make_unique<const RE2>(re2::StringPiece(regex.data(), regex.size()), options);
  if (!compiled->ok())
    throw Error(Errc::bad_pattern, "the regular expression " + detail::quoted(regex) +
                                       " cannot be compiled (" + compiled->error() +
                                       "); correct it, see the syntax of RE2");
  return compiled;
}

}  // namespace

// One test of one property, or a combination of other conditions (a null one always holds).
struct Condition::Node {
  Kind kind = Kind::test;
  Test test = Test::exists;
  int depth = 1;
  std::string key;
  Value value;
  std::unique_ptr<const RE2> regex;
  std::shared_ptr<const Node> first;
  std::shared_ptr<const Node> second;

  bool holds(const Properties& properties) const {
    switch (kind) {
      case Kind::both: return holds(first, properties) && holds(second, properties);
      case Kind::either: return holds(first, properties) || holds(second, properties);
      case Kind::neither: return !holds(first, properties);
      case Kind::test: break;
    }
    const Value* found = properties.find(key);
    if (found == nullptr) return false;
    if (test == Test::exists) return true;
    if (test != Test::regex) return passes(test, compare(*found, value));
    const auto* text = std::get_if<std::string>(found);
    return text != nullptr && RE2::FullMatch(*text, *regex);
  }

  static bool holds(const std::shared_ptr<const Node>& node, const Properties& properties) {
    return node == nullptr || node->holds(properties);
  }
};

namespace {

using NodePointer = std::shared_ptr<const Condition::Node>;

Condition combined(Kind kind, NodePointer first, NodePointer second) {
  auto node = std::make_shared<Condition::Node>();
  node->kind = kind;
  node->depth = 1 + std::max(first ? first->depth : 0, second ? second->depth : 0);
  node->first = std::move(first);
  node->second = std::move(second);
  if (node->depth > max_depth)
    throw Error(Errc::bad_pattern,
                "a condition is nested more than 1000 deep; combine its parts in pairs, or use one "
                "regular expression");
  return Condition(std::move(node));
}

Condition tested(const std::string& key, Test test, Operand value) {
  auto node = std::make_shared<Condition::Node>();
  node->test = test;
  node->key = key;
  node->value = std::move(value).take();
  return Condition(std::move(node));
}

auto position(auto& values, std::string_view key) {
  return std::lower_bound(values.begin(), values.end(), key,
                          [](const auto& value, std::string_view k) { return value.first < k; });
}

}  // namespace

Properties& Properties::set(std::string_view key, Operand value) {
  const auto at = position(values_, key);
  if (at != values_.end() && at->first == key) at->second = std::move(value).take();
  else values_.emplace(at, std::string(key), std::move(value).take());
  return *this;
}

const Value* Properties::find(std::string_view key) const noexcept {
  const auto at = position(values_, key);
  return at != values_.end() && at->first == key ? &at->second : nullptr;
}

bool Condition::holds(const Properties& properties) const { return Node::holds(node_, properties); }

Condition operator&&(const Condition& a, const Condition& b) {
  return combined(Kind::both, a.node_, b.node_);
}

Condition operator||(const Condition& a, const Condition& b) {
  return combined(Kind::either, a.node_, b.node_);
}

Condition operator!(const Condition& a) { return combined(Kind::neither, a.node_, nullptr); }

Condition Property::operator==(Operand value) const {
  return tested(key_, Test::equal, std::move(value));
}

Condition Property::operator!=(Operand value) const {
  return tested(key_, Test::unequal, std::move(value));
}

Condition Property::operator<(Operand value) const {
  return tested(key_, Test::less, std::move(value));
}

Condition Property::operator<=(Operand value) const {
  return tested(key_, Test::at_most, std::move(value));
}

Condition Property::operator>(Operand value) const {
  return tested(key_, Test::greater, std::move(value));
}

Condition Property::operator>=(Operand value) const {
  return tested(key_, Test::at_least, std::move(value));
}

Condition Property::matches(std::string_view regex) const {
  auto node = std::make_shared<Condition::Node>();
  node->test = Test::regex;
  node->key = key_;
  node->regex = compile(regex);
  return Condition(std::move(node));
}

Condition Property::exists() const { return tested(key_, Test::exists, false); }

namespace detail {

namespace {

void add_keys(const Condition::Node* node, std::vector<std::string>& keys) {
  if (node == nullptr) return;
  if (node->kind == Kind::both) {
    add_keys(node->first.get(), keys);
    add_keys(node->second.get(), keys);
  } else if (node->kind == Kind::test && node->test == Test::equal) {
    keys.push_back(index_key(node->key, node->value));
  }
}

// Numbers that compare equal become the same value: a double without a fraction becomes an integer.
Value plain(const Value& value) {
  const auto* number = std::get_if<double>(&value);
  const bool is_whole =
      number != nullptr && *number >= -beyond && *number < beyond && std::trunc(*number) == *number;
  return is_whole ? Value(static_cast<std::int64_t>(*number)) : value;
}

}  // namespace

std::string index_key(std::string_view property, const Value& value) {
  const Value known = plain(value);
  std::string key(property);
  key += '\0';
  key += static_cast<char>('0' + known.index());
  const auto append = [&key](const auto& number) {
    key.append(reinterpret_cast<const char*>(&number), sizeof(number));
  };
  if (const auto* text = std::get_if<std::string>(&known)) key += *text;
  else if (const auto* whole = std::get_if<std::int64_t>(&known)) append(*whole);
  else if (const auto* number = std::get_if<double>(&known)) append(*number);
  else key += std::get<bool>(known) ? '1' : '0';
  return key;
}

std::vector<std::string> index_keys(const Condition& condition) {
  std::vector<std::string> keys;
  add_keys(condition.node(), keys);
  return keys;
}

}  // namespace detail

}  // namespace coracle
