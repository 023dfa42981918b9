// The subset of FIPA-SL that an expression needs. Tests: acl/tests/sl/level_test.cpp.
#pragma once

#include "coracle/acl/sl/term.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace coracle::acl::sl {

// The subsets, each a part of the next.
enum class Level : std::uint8_t {
  sl0,  // actions, done, result, =, predicates
  sl1,  // and, or, not, implies, equiv
  sl2,  // variables, iota, any, all, forall, exists, B, U, PG, I, feasible, | and ;
};

// The least level whose constructs suffice for the expression.
Level level_of(const Term& term) noexcept;
// The same for the content of a message.
Level level_of(const std::vector<Term>& content) noexcept;

// The name of the language: "fipa-sl0", "fipa-sl1", "fipa-sl2".
std::string_view language_of(Level level) noexcept;
// The greatest level that a language permits: sl0 for "fipa-sl0", sl2 for "fipa-sl2" and "fipa-sl".
// The case of letters does not matter. Empty for the name of another language.
std::optional<Level> level_of_language(std::string_view language) noexcept;

}  // namespace coracle::acl::sl
