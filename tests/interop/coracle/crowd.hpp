// Many agents at once. Each sends requests to its target, one after the other, and compares the
// replies. The command is answered when all have ended.
#pragma once

#include "json.hpp"

#include "coracle/node.hpp"

namespace coracle::player {

void begin_crowd(Node& node, const json::object& command);

}  // namespace coracle::player
