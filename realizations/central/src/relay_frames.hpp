// The frames that nodes and the clearinghouse exchange besides those of the directory; docs/wire.md
// describes them. Each such message is from one lease to another, and goes from the node of the one
// through the server to the node of the other. The server reads these two leases and the sizes, and
// passes on the rest.
#pragma once

#include "realizations/net/src/society/directory/directory_frames.hpp"
#include "realizations/net/src/society/frames/frame_transport.hpp"

#include <cstddef>
#include <cstdint>

namespace coracle::central {

using namespace society;

enum class Relayed : std::uint8_t {
  // A frame of the core, or a piece of such a frame.
  piece = 0x20,
  // Reports how many bytes of pieces were read of those that the other lease has sent to this one.
  read,
  // Requests that report at once.
  how_much,
  // The data that arrived makes no sense, and the two nodes exchange nothing more. A reason
  // follows.
  refused,
  // A batch of small frames of the core; the frames are the message's content.
  frames = 0x27,
};

// The number of bytes of pieces that one lease may have sent to another and that were not read
// there; the last piece may exceed it. The server holds no more than that for each two leases.
inline constexpr std::uint64_t relay_window = 512u << 10;
// The longest reason that a node gives when what arrived makes no sense.
inline constexpr std::size_t largest_refusal = 1024;
// The largest size of the bytes of a message that give its kind and its leases.
inline constexpr std::size_t largest_relay_head = 1 + 2 * 10;
inline constexpr std::size_t largest_relayed_piece = largest_piece - largest_relay_head;

// The messages that a node and the server exchange when the node fetches what is for it. Each
// message begins with the lease of the node. The server sends everything at once to a node that
// never fetches.
enum class Fetch : std::uint8_t {
  // To the server: from now on, the server holds what is for that lease, and gives the requested
  // amount. The other fields: whether the node wants a notice when something is held, and the
  // largest number of messages.
  ask = 0x24,
  // The reply, behind what was given: whether the server holds more.
  given,
  // To a node that wants notices: the server holds something.
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

// The start of such a message.
struct RelayedHead {
  Relayed kind = Relayed::piece;
  Leases leases;
  std::size_t size = 0;  // of the whole start
  bool ok = false;
};
RelayedHead read_relayed_head(ByteSpan header);

}  // namespace coracle::central
