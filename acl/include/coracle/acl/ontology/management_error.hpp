// The reasons of FIPA-Agent-Management why an agent does not do what was requested.
// Tests: acl/tests/ontology/management_test.cpp.
#pragma once

#include "coracle/acl/ontology/frame.hpp"
#include "coracle/acl/performative.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace coracle::acl::management {

// A reason: a predicate such as already-registered, or (missing-parameter service-description
// name).
struct Reason {
  std::string predicate;
  std::vector<std::string> arguments;

  bool operator==(const Reason&) const = default;
};

// The names of the predicates, with the meaning of their arguments.
inline constexpr std::string_view unsupported_act = "unsupported-act";        // act
inline constexpr std::string_view unexpected_act = "unexpected-act";          // act
inline constexpr std::string_view unsupported_value = "unsupported-value";    // value
inline constexpr std::string_view unrecognised_value = "unrecognised-value";  // value
inline constexpr std::string_view unauthorised = "unauthorised";
inline constexpr std::string_view unsupported_function = "unsupported-function";  // function
inline constexpr std::string_view missing_argument = "missing-argument";          // argument
inline constexpr std::string_view unexpected_argument = "unexpected-argument";    // argument
inline constexpr std::string_view unexpected_argument_count = "unexpected-argument-count";
inline constexpr std::string_view missing_parameter = "missing-parameter";        // object, name
inline constexpr std::string_view unexpected_parameter = "unexpected-parameter";  // object, name
inline constexpr std::string_view unrecognised_parameter_value =
    "unrecognised-parameter-value";  // name, value
inline constexpr std::string_view already_registered = "already-registered";
inline constexpr std::string_view not_registered = "not-registered";
inline constexpr std::string_view internal_error = "internal-error";  // message

// Makes a reason: reason(missing_parameter, "service-description", "name").
template <class... Arguments>
Reason reason(std::string_view predicate, Arguments... arguments) {
  return {std::string(predicate), {std::string(arguments)...}};
}

// The performative of the answer with that reason: not_understood, refuse or failure. A predicate
// that FIPA does not have goes with failure.
Performative performative_for(std::string_view predicate) noexcept;

// The reason why a request with such content is not done: a missing slot is a missing-parameter.
Reason reason_for(const Mismatch& mismatch);

}  // namespace coracle::acl::management

// A reason without arguments is a word, another one is a predicate. Any predicate is read; an
// argument that is not a text is given as it is written.
template <>
struct coracle::acl::TermOf<coracle::acl::management::Reason> {
  static sl::Term write(const management::Reason& value);
  static bool read(const sl::Term& term, management::Reason& value, TermReader& reader);
};
