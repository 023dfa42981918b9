// An expression of FIPA-SL as a tree: a constant, a variable, or a compound such as
// (book :title Emma :price 9). A term is a value; every term is well formed, because the functions
// below check what they make. Tests: acl/tests/sl/term_test.cpp.
#pragma once

#include "coracle/acl/date_time.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace coracle::acl::sl {

class Term;
struct Argument;

// A variable: ?x has the name "x".
struct Variable {
  std::string name;

  bool operator==(const Variable&) const = default;
};

// A symbol with arguments, in parentheses. Either all arguments have slots, as in (book :title
// Emma), or none has, as in (register X).
struct Compound {
  std::string symbol;
  std::vector<Argument> arguments;

  Compound() noexcept;
  Compound(std::string name, std::vector<Argument> list) noexcept;
  Compound(const Compound&);
  Compound(Compound&&) noexcept;
  Compound& operator=(const Compound&);
  Compound& operator=(Compound&&) noexcept;
  ~Compound();

  // Returns whether the symbol is `name`, in any case of ASCII letters, as everywhere in SL.
  bool is(std::string_view name) const noexcept;
  // The value of the slot `name`, in any case of its letters; nullptr if there is none.
  const Term* find(std::string_view name) const noexcept;

  bool operator==(const Compound& other) const noexcept;
};

// The deepest nesting of compounds.
inline constexpr std::size_t max_depth = 100;

// One expression. The default is the empty text.
class Term {
 public:
  // The kinds of expressions, in the order of the alternatives of Value.
  enum class Kind : std::uint8_t {
    text,  // a word or a string: abc and "abc" are the same
    boolean,
    integer,
    real,
    date,
    bytes,  // written as #n" with base64, as JADE does
    variable,
    compound,
  };
  using Value = std::variant<std::string, bool, std::int64_t, double, DateTime,
                             std::vector<std::byte>, Variable, Compound>;

  Term() = default;
  // Text.
  Term(std::string text) : value_(std::move(text)) {}
  Term(std::string_view text) : value_(std::string(text)) {}
  Term(const char* text) : value_(std::string(text)) {}
  // A truth value.
  Term(std::same_as<bool> auto truth) noexcept : value_(static_cast<bool>(truth)) {}
  // A number. Fails with Errc::bad_options for an integer that needs more than 63 bits, for an
  // infinite number, and for one that is no number.
  template <std::integral T>
  requires(!std::same_as<T, bool>) Term(T number) : value_(to_integer(number)) {}
  Term(std::floating_point auto number) : value_(to_real(number)) {}
  // A date. Fails with Errc::bad_options unless is_writable(date).
  Term(const DateTime& date);
  Term(std::vector<std::byte> bytes) noexcept : value_(std::move(bytes)) {}
  // A variable. Fails with Errc::bad_options for an empty name.
  Term(Variable variable);

  // The kind, and the value of that kind.
  Kind kind() const noexcept { return static_cast<Kind>(value_.index()); }
  const Value& value() const noexcept { return value_; }
  // The value if it is a T, one of the alternatives of Value; nullptr if not.
  template <class T>
  const T* as() const noexcept {
    return std::get_if<T>(&value_);
  }
  // The compound if this is one with that symbol, in any case of its letters; nullptr if not.
  const Compound* as_compound(std::string_view symbol) const noexcept;
  // The number of compounds that are nested here: 0 for a constant, 1 for (a b).
  std::size_t depth() const noexcept { return depth_; }

  bool operator==(const Term& other) const noexcept { return value_ == other.value_; }

 private:
  friend Term make_checked(Compound&& compound) noexcept;

  static std::int64_t to_integer(std::integral auto number) {
    const auto integer = static_cast<std::int64_t>(number);
    if (number > 0 && integer < 0) fail_number();
    return integer;
  }
  static double to_real(double number);
  [[noreturn]] static void fail_number();

  Value value_;
  std::uint8_t depth_ = 0;
};

// An argument of a compound. The slot of a positional argument is empty.
struct Argument {
  std::string slot;
  Term value;

  bool operator==(const Argument&) const = default;
};

// (symbol argument argument). All functions that make compounds fail with Errc::bad_options when
// the nesting is deeper than max_depth, or when `symbol` is an operator of SL and the arguments are
// not those that it needs: ("not" needs one formula).
Term compound(std::string symbol, std::vector<Term> arguments = {});
// (symbol :slot value :slot value). It fails for an empty slot name, too.
Term frame(std::string symbol, std::vector<Argument> slots);
// (sequence element element).
Term sequence(std::vector<Term> elements);
// (set element element).
Term set(std::vector<Term> elements);
// (action agent act): `agent` does `act`.
Term action(Term agent, Term act);

// The elements of a set or a sequence; nullptr if `term` is neither.
const std::vector<Argument>* elements_of(const Term& term) noexcept;

// Returns whether two symbols are equal apart from the case of ASCII letters.
bool is_same_symbol(std::string_view a, std::string_view b) noexcept;

}  // namespace coracle::acl::sl
