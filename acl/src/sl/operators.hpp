// The operators of FIPA-SL: the level that each needs, and the arguments that it takes.
#pragma once

#include "coracle/acl/sl/level.hpp"
#include "coracle/acl/sl/term.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace coracle::acl::sl {

// The level of an operator; empty for any other symbol.
std::optional<Level> level_of_operator(std::string_view symbol) noexcept;

// The reason why such a compound is not well formed; empty if it is. The nesting is not checked.
std::string fault_of(const Compound& compound);

// The reason why `term` cannot be an expression of a message's content; empty if it can.
std::string fault_of_expression(const Term& term);

}  // namespace coracle::acl::sl
