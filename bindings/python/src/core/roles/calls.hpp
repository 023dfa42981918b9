// The functions of a port that call other agents, and ask councils.
#pragma once

#include "errors.hpp"

namespace coracle::py {

class Port;

void define_calls(nb::class_<Port>& port);
void define_decisions(nb::class_<Port>& port);

}  // namespace coracle::py
