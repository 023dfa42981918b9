// What nodes and the clearinghouse say besides the directory's words; docs/wire.md has it in words.
// All of it is of one lease and for another, and goes by the server from the node of the one to the
// node of the other: the server looks at these two and at the sizes, and passes on the rest.
#pragma once

#include "realizations/net/src/society/directory_frames.hpp"
#include "realizations/net/src/society/traffic.hpp"

#include <cstddef>
#include <cstdint>

namespace coracle::central {

using namespace society;

enum class Relayed : std::uint8_t {
  // A frame of the core, or a piece of one.
  piece = 0x20,
  // So many bytes of pieces were read, of what the other lease has sent to this one.
  read,
  // Asks for that at once.
  how_much,
  // What came makes no sense: the two speak no more. A reason follows.
  refused,
  // Small frames of the core that go together; they are the message's content.
  frames = 0x27,
};

// How many bytes of pieces one lease may have sent to another that were not read there; the last
// piece may reach beyond it. The server holds no more than that for each two.
inline constexpr std::uint64_t relay_window = 512u << 10;
// The longest reason with which one says that what came makes no sense.
inline constexpr std::size_t largest_refusal = 1024;
// The bytes of a message that say what it is and for whom, at most.
inline constexpr std::size_t largest_relay_head = 1 + 2 * 10;
inline constexpr std::size_t largest_relayed_piece = largest_piece - largest_relay_head;

// What a node and the server say when the node asks for what is for it. Each begins with the lease
// that the node has; a node that never asks is sent everything at once.
enum class Fetch : std::uint8_t {
  // To the server: from now on it holds what is for that lease; it is to give so much of it. What
  // follows: whether the node wants to be told when something is held, and the most messages.
  ask = 0x24,
  // The answer, behind what was given: whether more is held.
  given,
  // To a node that wants to be told: something is held.
  waiting,
};
inline bool is_fetch(ByteSpan header) {
  return !header.empty() && header.front() >= std::byte{0x24} && header.front() <= std::byte{0x26};
}

inline FrameWriter begin_fetch(Bytes& frame, Fetch kind, LeaseId lease) {
  frame.clear();
  FrameWriter out(frame);
  out.byte(static_cast<std::uint8_t>(kind));
  out.number(lease);
  return out;
}

inline FrameWriter begin_relayed(Bytes& frame, Relayed kind, const Leases& leases) {
  frame.clear();
  FrameWriter out(frame);
  out.byte(static_cast<std::uint8_t>(kind));
  out.number(leases.from);
  out.number(leases.to);
  return out;
}

// How such a message begins.
struct RelayedHead {
  Relayed kind = Relayed::piece;
  Leases leases;
  std::size_t size = 0;  // of all of that
  bool ok = false;
};
RelayedHead read_relayed_head(ByteSpan header);

}  // namespace coracle::central
