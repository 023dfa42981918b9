// The operations of a viewer that has an agent in the society: inspections, and an operator's acts.
#pragma once

#include "server/json.hpp"

#include "coracle/view/viewer.hpp"

#include <memory>

namespace coracle::view {

// Inspects agents, and acts on them, by the node of the viewer's agent. `times` is that of the
// feed, and outlives the result.
std::shared_ptr<Operations> inspections(const Times& times);

}  // namespace coracle::view
