// The fields of a pattern in a frame.
#pragma once

#include "coracle/pattern.hpp"
#include "coracle/support/bytes.hpp"

namespace coracle::detail {

void write_pattern(FrameWriter& out, const Pattern& pattern);
// Throws the errors of the pattern's own functions.
Pattern read_pattern(FrameReader& in);

}  // namespace coracle::detail
