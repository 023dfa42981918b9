#include "coracle/acl/sl/term.hpp"

#include "ascii.hpp"
#include "sl/making.hpp"
#include "sl/operators.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"

#include <algorithm>
#include <cmath>

namespace coracle::acl::sl {

bool is_same_symbol(std::string_view a, std::string_view b) noexcept { return same_text(a, b); }

Compound::Compound() noexcept = default;
Compound::Compound(std::string name, std::vector<Argument> list) noexcept
    : symbol(std::move(name)), arguments(std::move(list)) {}
Compound::Compound(const Compound&) = default;
Compound::Compound(Compound&&) noexcept = default;
Compound& Compound::operator=(const Compound&) = default;
Compound& Compound::operator=(Compound&&) noexcept = default;
Compound::~Compound() = default;

bool Compound::is(std::string_view name) const noexcept { return is_same_symbol(symbol, name); }

const Term* Compound::find(std::string_view name) const noexcept {
  if (name.empty()) return nullptr;
  const auto found = std::ranges::find_if(
      arguments, [&](const Argument& each) { return is_same_symbol(each.slot, name); });
  return found == arguments.end() ? nullptr : &found->value;
}

bool Compound::operator==(const Compound& other) const noexcept {
  return symbol == other.symbol && arguments == other.arguments;
}

Term::Term(const DateTime& date) : value_(date) {
  if (!is_writable(date)) {
    throw Error(Errc::bad_options,
                "the date '" + to_text(date) +
                    "' cannot be a term of SL: a field has more digits than its place, or the zone "
                    "is no letter; correct the date");
  }
}

Term::Term(Variable variable) {
  if (variable.name.empty()) {
    throw Error(Errc::bad_options, "a variable of SL has no name; give it one");
  }
  value_ = std::move(variable);
}

double Term::to_real(double number) {
  if (!std::isfinite(number)) fail_number();
  return number;
}

void Term::fail_number() {
  throw Error(Errc::bad_options,
              "a number cannot be a term of SL: it is infinite, or no number, or needs more than "
              "63 bits; give it as a text");
}

const Compound* Term::as_compound(std::string_view symbol) const noexcept {
  const auto* found = as<Compound>();
  return found != nullptr && found->is(symbol) ? found : nullptr;
}

Term make_checked(Compound&& compound) noexcept {
  std::size_t depth = 0;
  for (const Argument& each : compound.arguments) depth = std::max(depth, each.value.depth());
  Term term;
  term.value_ = std::move(compound);
  term.depth_ = static_cast<std::uint8_t>(depth + 1);
  return term;
}

namespace {

Term make_compound(Compound&& compound) {
  std::string fault = fault_of(compound);
  const bool is_too_deep = std::ranges::any_of(
      compound.arguments, [](const Argument& each) { return each.value.depth() >= max_depth; });
  if (is_too_deep) fault = "it is nested deeper than " + std::to_string(max_depth) + " levels";
  if (!fault.empty()) {
    throw Error(Errc::bad_options, "an expression of SL with the symbol " +
                                       coracle::detail::quoted(compound.symbol) +
                                       " cannot be made: " + fault + "; give other arguments");
  }
  return make_checked(std::move(compound));
}

}  // namespace

Term compound(std::string symbol, std::vector<Term> arguments) {
  Compound made(std::move(symbol), {});
  made.arguments.reserve(arguments.size());
  for (Term& each : arguments) made.arguments.push_back({{}, std::move(each)});
  return make_compound(std::move(made));
}

Term frame(std::string symbol, std::vector<Argument> slots) {
  const bool is_named =
      std::ranges::none_of(slots, [](const Argument& each) { return each.slot.empty(); });
  if (!is_named) {
    throw Error(Errc::bad_options, "the frame " + coracle::detail::quoted(symbol) +
                                       " has a slot without a name; give each slot a name");
  }
  return make_compound({std::move(symbol), std::move(slots)});
}

Term sequence(std::vector<Term> elements) { return compound("sequence", std::move(elements)); }

Term set(std::vector<Term> elements) { return compound("set", std::move(elements)); }

Term action(Term agent, Term act) {
  std::vector<Term> parts;
  parts.reserve(2);
  parts.push_back(std::move(agent));
  parts.push_back(std::move(act));
  return compound("action", std::move(parts));
}

const std::vector<Argument>* elements_of(const Term& term) noexcept {
  const auto* found = term.as<Compound>();
  if (found == nullptr || !(found->is("set") || found->is("sequence"))) return nullptr;
  return &found->arguments;
}

}  // namespace coracle::acl::sl
