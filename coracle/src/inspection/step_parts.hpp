// A request about a hold, and the reply, as frames. Pure functions.
#pragma once

#include "coracle/operating.hpp"
#include "coracle/support/bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace coracle::detail {

// The limits of requests and replies; a frame beyond them makes no sense.
struct StepLimits {
  static constexpr std::size_t shown = 100, text = 200;
  static constexpr std::uint32_t messages = 10'000;
  static constexpr std::uint64_t bytes = std::uint64_t{64} << 20;
};

// The questions and commands to a node that holds messages.
enum class StepAsk : std::uint8_t { hold = 0, look, release, end };

struct StepRequest {
  std::uint64_t token = 0;
  // The number of the hold, which the operator's node gives.
  std::uint64_t hold = 0;
  StepAsk ask = StepAsk::look;
  // With StepAsk::hold.
  Pattern pattern;
  HoldOptions options;
  // With StepAsk::release: the messages, in the order in which they are released; none: all.
  std::vector<std::uint32_t> numbers;
  // With StepAsk::release: each goes behind all that wait in its mailbox.
  bool to_end = false;
};

// The results of a request; the last value is no frame's.
enum class Stepped : std::uint8_t { done = 0, unknown, not_permitted, too_many, busy, silent };

struct StepReply {
  std::uint64_t token = 0;
  Stepped how = Stepped::done;
  // Of a release: how many were still held.
  std::uint64_t released = 0;
  HoldState held;
};

void write_step(FrameWriter& out, const StepRequest& request);
// Leaves `in` not ok() when it makes no sense. Throws the errors of Pattern.
StepRequest read_step(FrameReader& in);
void write_stepped(FrameWriter& out, const StepReply& reply);
// Leaves `in` not ok() when it makes no sense.
StepReply read_stepped(FrameReader& in);
// Adds one node's part to the whole.
void add_held(HoldState& all, HoldState part, std::uint64_t lease);

}  // namespace coracle::detail
