// The fields of a pattern, and of the options of its tap, in a frame.
#pragma once

#include "coracle/overhearing.hpp"
#include "coracle/pattern.hpp"
#include "coracle/support/bytes.hpp"

namespace coracle::detail {

void write_pattern(FrameWriter& out, const Pattern& pattern);
// Throws the errors of the pattern's own functions.
Pattern read_pattern(FrameReader& in);

// The options are at the end of the frame, and only there if they are not the usual ones. The limit
// concerns the eavesdropper's node alone.
void write_tap_options(FrameWriter& out, const TapOptions& options);
TapOptions read_tap_options(FrameReader& in);

}  // namespace coracle::detail
