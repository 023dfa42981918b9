// Compounds whose parts are already checked.
#pragma once

#include "coracle/acl/sl/term.hpp"

namespace coracle::acl::sl {

// The term. It requires that fault_of(compound) is empty, and that no argument is nested as deep as
// max_depth.
Term make_checked(Compound&& compound) noexcept;

}  // namespace coracle::acl::sl
