// The records of a directory as bytes: for directories whose nodes are in several processes.
#pragma once

#include "coracle/directory.hpp"
#include "coracle/support/bytes.hpp"

#include <cstddef>

namespace coracle::detail {

inline constexpr std::size_t max_properties = 4096;

void write(FrameWriter& out, const Properties& properties);
void write(FrameWriter& out, const MailboxOptions& mailbox);
void write(FrameWriter& out, Incarnation life);
void write(FrameWriter& out, const Ending& ending);

// Malformed input leaves `in` not ok().
Name read_name(FrameReader& in);
Properties read_properties(FrameReader& in);
MailboxOptions read_mailbox_options(FrameReader& in);
Ending read_ending(FrameReader& in);

}  // namespace coracle::detail
