// The node whose worker runs the calling code.
#pragma once

#include "coracle/node.hpp"

namespace coracle::detail {

// Returns whether a worker of some node runs the calling code.
bool is_on_worker() noexcept;

// Returns the options of that node. Requires is_on_worker().
const NodeOptions& options_here() noexcept;

}  // namespace coracle::detail
