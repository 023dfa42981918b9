// The fields of tuples and patterns, as C gives and reads them.
#pragma once

#include "coracle.h"
#include "coracle/tuple.hpp"

#include <cstddef>

namespace coracle::c {

// The pattern of those fields; fails with fewer than `least`, and with more than 16.
TupleFields fields_of(const coracle_field* fields, std::size_t count, std::size_t least = 1);
// The same for a tuple, in which no field is left open.
TupleFields values_of(const coracle_field* fields, std::size_t count, std::size_t least = 1);
// The fields as the program reads them; valid as long as the field.
coracle_field shown(const TupleField& field);

}  // namespace coracle::c
