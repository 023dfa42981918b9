#include "sl/operators.hpp"

#include "coracle/support/quote.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace coracle::acl::sl {

namespace {

// The part that an argument of an operator must be.
enum class Part : std::uint8_t { term, formula, action, variable };

// The category of an operator's result.
enum class Makes : std::uint8_t { formula, action, term };

struct Operator {
  std::string_view symbol;
  Level level;
  Makes makes;
  std::array<Part, 2> parts;
  std::uint8_t least = 2;
  std::uint8_t most = 2;
};

using enum Level;
using enum Part;

constexpr std::array operators = {
    Operator{"action", sl0, Makes::action, {term, term}},
    Operator{"done", sl0, Makes::formula, {action, formula}, 1},
    Operator{"not", sl1, Makes::formula, {formula}, 1, 1},
    Operator{"and", sl1, Makes::formula, {formula, formula}},
    Operator{"or", sl1, Makes::formula, {formula, formula}},
    Operator{"implies", sl1, Makes::formula, {formula, formula}},
    Operator{"equiv", sl1, Makes::formula, {formula, formula}},
    Operator{"iota", sl2, Makes::term, {term, formula}},
    Operator{"any", sl2, Makes::term, {term, formula}},
    Operator{"all", sl2, Makes::term, {term, formula}},
    Operator{"forall", sl2, Makes::formula, {variable, formula}},
    Operator{"exists", sl2, Makes::formula, {variable, formula}},
    Operator{"B", sl2, Makes::formula, {term, formula}},
    Operator{"U", sl2, Makes::formula, {term, formula}},
    Operator{"PG", sl2, Makes::formula, {term, formula}},
    Operator{"I", sl2, Makes::formula, {term, formula}},
    Operator{"feasible", sl2, Makes::formula, {action, formula}, 1},
    Operator{"|", sl2, Makes::action, {action, action}},
    Operator{";", sl2, Makes::action, {action, action}},
};

const Operator* find_operator(std::string_view symbol) noexcept {
  if (symbol.size() > 8) return nullptr;  // the longest one is "feasible"
  const auto found = std::ranges::find_if(
      operators, [&](const Operator& each) { return is_same_symbol(each.symbol, symbol); });
  return found == operators.end() ? nullptr : &*found;
}

bool is_aggregate(const Compound& compound) noexcept {
  return compound.is("set") || compound.is("sequence");
}

// Returns whether `term` can be that part. A compound whose symbol is no operator can be a term as
// well as a formula: a predicate looks like a function.
bool can_be(const Term& term, Part part) noexcept {
  using Kind = Term::Kind;
  const auto* compound = term.as<Compound>();
  const Operator* made_by = compound == nullptr ? nullptr : find_operator(compound->symbol);
  switch (part) {
    case Part::variable:
      return term.kind() == Kind::variable;
    case Part::action:
      return made_by != nullptr && made_by->makes == Makes::action;
    case Part::term:
      return made_by == nullptr || made_by->makes != Makes::formula;
    case Part::formula:
      if (made_by != nullptr) return made_by->makes == Makes::formula;
      if (compound != nullptr) return !is_aggregate(*compound);
      return term.kind() == Kind::text || term.kind() == Kind::boolean;
  }
  return false;
}

std::string_view name_of(Part part) noexcept {
  constexpr std::array names = {"a term", "a formula", "an action", "a variable"};
  return names[static_cast<std::size_t>(part)];
}

std::string fault_of_operator(const Operator& op, std::span<const Argument> arguments) {
  const bool has_slots = !arguments.empty() && !arguments.front().slot.empty();
  const std::size_t count = arguments.size();
  bool fits = count >= op.least && count <= op.most && !has_slots;
  for (std::size_t i = 0; fits && i < count; ++i) fits = can_be(arguments[i].value, op.parts[i]);
  if (fits) return {};
  std::string fault = "the operator '" + std::string(op.symbol) + "' needs ";
  fault += name_of(op.parts[0]);
  if (op.most == 2) fault.append(op.least == 2 ? " and " : " and possibly ");
  if (op.most == 2) fault += name_of(op.parts[1]);
  return fault;
}

}  // namespace

std::optional<Level> level_of_operator(std::string_view symbol) noexcept {
  const Operator* found = find_operator(symbol);
  if (found == nullptr) return std::nullopt;
  return found->level;
}

std::string fault_of(const Compound& compound) {
  const auto& arguments = compound.arguments;
  if (const Operator* op = find_operator(compound.symbol)) return fault_of_operator(*op, arguments);
  const bool has_slots = !arguments.empty() && !arguments.front().slot.empty();
  if (has_slots && is_aggregate(compound)) {
    return "the elements of a " + compound.symbol + " have no slot names";
  }
  for (const Argument& each : arguments) {
    if (each.slot.empty() == has_slots) {
      return "either all arguments of " + coracle::detail::quoted(compound.symbol) +
             " have slot names, or none has";
    }
    if (!can_be(each.value, Part::term)) {
      return "a formula cannot be an argument of " + coracle::detail::quoted(compound.symbol);
    }
  }
  return {};
}

std::string fault_of_expression(const Term& term) {
  using Kind = Term::Kind;
  const bool can_be_one =
      term.kind() == Kind::text || term.kind() == Kind::boolean || term.kind() == Kind::compound;
  return can_be_one ? std::string() : "content consists of formulas, actions and identifications";
}

}  // namespace coracle::acl::sl
