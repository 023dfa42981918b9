// Feeds any bytes to the readers of inspections, and of requests about holds and their replies. A
// part that was read must be the same once it is written and read again, and must keep its limits.
#include "inspection/inspection_parts.hpp"
#include "inspection/step_parts.hpp"

#include "coracle/errors.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

namespace {

using namespace coracle::detail;

std::vector<std::byte> written(const coracle::Inspection& part) {
  std::vector<std::byte> bytes;
  FrameWriter out(bytes);
  write_inspection(out, part);
  return bytes;
}

void check_step(std::span<const std::byte> data) try {
  FrameReader in(data);
  const StepRequest request = read_step(in);
  if (request.numbers.size() > StepLimits::shown) std::abort();
  if (!in.ok()) return;
  std::vector<std::byte> first, second;
  FrameWriter to_first(first), to_second(second);
  write_step(to_first, request);
  FrameReader again(first);
  write_step(to_second, read_step(again));
  if (!again.done() || first != second) std::abort();
} catch (const coracle::Error&) {
  // a pattern, or a name in it, that cannot be
}

void check_stepped(std::span<const std::byte> data) {
  FrameReader in(data);
  const StepReply reply = read_stepped(in);
  if (reply.held.oldest.size() > StepLimits::shown) std::abort();
  for (const coracle::HeldMessage& each : reply.held.oldest) {
    if (each.text.size() > StepLimits::text) std::abort();
  }
  if (!in.ok()) return;
  std::vector<std::byte> first, second;
  FrameWriter to_first(first), to_second(second);
  write_stepped(to_first, reply);
  FrameReader again(first);
  write_stepped(to_second, read_stepped(again));
  if (!again.done() || first != second) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  check_step(bytes);
  check_stepped(bytes);
  FrameReader in(bytes);
  const coracle::Inspection part = read_inspection(in);
  if (part.messages.size() > InspectionLimits::messages || part.state.size() > size ||
      part.waits.size() > InspectionLimits::waits ||
      part.groups.size() > InspectionLimits::groups || part.taps.size() > InspectionLimits::taps ||
      part.errors.size() > InspectionLimits::errors)
    std::abort();
  if (!in.ok()) return 0;
  coracle::Inspection shorter = part;
  for (auto& message : shorter.messages)
    message.text.resize(std::min(message.text.size(), InspectionLimits::message_text));
  const auto first = written(shorter);
  FrameReader again(first);
  const coracle::Inspection second = read_inspection(again);
  if (!again.done() || written(second) != first) std::abort();
  coracle::Inspection all;
  add_part(all, part, true);
  if (all.activity != part.activity || all.messages.size() != part.messages.size()) std::abort();
  return 0;
}
