// An inspection as a frame: the part that one node knows. Pure functions.
#pragma once

#include "coracle/inspection.hpp"
#include "coracle/support/bytes.hpp"

#include <cstddef>

namespace coracle::detail {

// The limits of the lists and texts of an inspection; a frame beyond them makes no sense.
struct InspectionLimits {
  static constexpr std::size_t messages = 1000, message_text = 256;
  static constexpr std::size_t waits = 64, groups = 64, taps = 64, errors = 16;
  static constexpr std::size_t error_text = 512, state = std::size_t{16} << 10;
};

// Writes the messages that wait on this node, and the agent if `part` has one.
void write_inspection(FrameWriter& out, const Inspection& part);
// Leaves `in` not ok() when it makes no sense.
Inspection read_inspection(FrameReader& in);
// Adds one node's part to the whole. The agent is taken from its holder's part only.
void add_part(Inspection& all, Inspection part, bool is_holders);

}  // namespace coracle::detail
