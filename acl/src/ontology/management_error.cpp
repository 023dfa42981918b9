#include "coracle/acl/ontology/management_error.hpp"

#include "coracle/acl/sl/text.hpp"

#include <algorithm>
#include <array>

namespace coracle::acl::management {

namespace {

constexpr std::array not_understood = {unsupported_act, unexpected_act, unsupported_value,
                                       unrecognised_value};
constexpr std::array refused = {
    unauthorised,         unsupported_function,        missing_argument,
    unexpected_argument,  unexpected_argument_count,   missing_parameter,
    unexpected_parameter, unrecognised_parameter_value};

template <std::size_t N>
bool has(const std::array<std::string_view, N>& names, std::string_view name) noexcept {
  return std::ranges::any_of(names,
                             [&](std::string_view each) { return sl::is_same_symbol(each, name); });
}

}  // namespace

Performative performative_for(std::string_view predicate) noexcept {
  if (has(not_understood, predicate)) return Performative::not_understood;
  return has(refused, predicate) ? Performative::refuse : Performative::failure;
}

Reason reason_for(const Mismatch& mismatch) {
  switch (mismatch.kind) {
    case Mismatch::Kind::missing_slot:
      return reason(missing_parameter, mismatch.frame, mismatch.slot);
    case Mismatch::Kind::unknown_slot:
      return reason(unexpected_parameter, mismatch.frame, mismatch.slot);
    case Mismatch::Kind::too_many:
      return reason(unexpected_argument_count);
    case Mismatch::Kind::wrong_value:
    case Mismatch::Kind::wrong_frame:
      break;
  }
  if (mismatch.slot.empty()) return reason(unrecognised_value, "content");
  return reason(unrecognised_parameter_value, mismatch.slot, mismatch.reason);
}

}  // namespace coracle::acl::management

namespace coracle::acl {

using management::Reason;

sl::Term TermOf<Reason>::write(const Reason& value) {
  if (value.arguments.empty()) return value.predicate;
  std::vector<sl::Term> arguments(value.arguments.begin(), value.arguments.end());
  return sl::compound(value.predicate, std::move(arguments));
}

bool TermOf<Reason>::read(const sl::Term& term, Reason& value, TermReader& reader) {
  value = {};
  if (const auto* word = term.as<std::string>()) {
    value.predicate = *word;
    return true;
  }
  const auto* compound = term.as<sl::Compound>();
  if (compound == nullptr) return reader.refuse_value("is neither a word nor a predicate");
  value.predicate = compound->symbol;
  for (const sl::Argument& each : compound->arguments) {
    const auto* text = each.value.as<std::string>();
    value.arguments.push_back(text != nullptr ? *text : sl::to_text(each.value));
  }
  return true;
}

}  // namespace coracle::acl
