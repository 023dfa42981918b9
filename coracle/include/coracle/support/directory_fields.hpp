// The records of a directory as bytes: for directories whose nodes are in several processes.
#pragma once

#include "coracle/directory.hpp"
#include "coracle/support/bytes.hpp"

#include <cstddef>
#include <cstdint>

namespace coracle::detail {

inline constexpr std::size_t max_properties = 4096;

inline std::uint64_t number_of_life(Incarnation life) {
  return std::uint64_t{life.epoch} << 32 | life.counter;
}
inline Incarnation life_of_number(std::uint64_t number) {
  return {static_cast<std::uint32_t>(number >> 32), static_cast<std::uint32_t>(number)};
}

inline void write(FrameWriter& out, const Name& name) { out.text(name.view()); }
void write(FrameWriter& out, const Properties& properties);
void write(FrameWriter& out, const MailboxOptions& mailbox);
void write(FrameWriter& out, Incarnation life);
void write(FrameWriter& out, const Ending& ending);
void write(FrameWriter& out, const Claim& claim);

// Malformed input leaves `in` not ok().
Name read_name(FrameReader& in);
Properties read_properties(FrameReader& in);
MailboxOptions read_mailbox_options(FrameReader& in);
inline Incarnation read_life(FrameReader& in) { return life_of_number(in.number()); }
Ending read_ending(FrameReader& in);
Claim read_claim(FrameReader& in);

}  // namespace coracle::detail
