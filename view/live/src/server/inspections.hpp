// The operations of a viewer that look into agents, and change nothing.
#pragma once

#include "server/json.hpp"

#include "coracle/view/viewer.hpp"

#include <memory>

namespace coracle::view {

// Inspects agents by the node of the viewer's agent; nullptr in a build that cannot. `times` is
// that of the feed, and outlives the result.
std::shared_ptr<Operations> inspections(const Times& times);

}  // namespace coracle::view
