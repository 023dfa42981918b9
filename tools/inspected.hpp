// Inspections for the commands that print them.
#pragma once

#include "commands.hpp"

#include "coracle/inspection.hpp"
#include "coracle/node.hpp"

#include <string>

namespace coracle::command {

// Opens the society for inspections. Fails with Errc::unsupported when it has one process only.
Realization open_to_inspect(const Place& place);
// Inspects a name. Fails with Errc::not_permitted when the policy forbids it.
Inspection inspect_permitted(Node& node, const Name& name);

}  // namespace coracle::command
