// A node of a Distributed society with a fixed name of its own.
#pragma once

#include "coracle/realizations/distributed.hpp"

#include <string>

namespace coracle::distributed {

// Like realization(), which gives each node another name.
Realization realization_named(Options options, const std::string& node);

}  // namespace coracle::distributed
