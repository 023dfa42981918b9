// Copies, gaps and notices: what eavesdroppers receive.
#pragma once

#include "message.hpp"

namespace coracle::py {

// The enumerations, and how the type of notices is set.
void define_overheard_values(nb::module_& module);
void define_overheard(nb::class_<Message>& message);

}  // namespace coracle::py
