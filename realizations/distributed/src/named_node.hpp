// A node of a Distributed society that is known by a name of its own.
#pragma once

#include "coracle/realizations/distributed.hpp"

#include <string>

namespace coracle::distributed {

// Like realization(), where each has another name.
Realization realization_named(Options options, const std::string& node);

}  // namespace coracle::distributed
