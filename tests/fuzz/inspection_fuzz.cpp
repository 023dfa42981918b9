// Feeds any bytes to the reader of inspections. A part that was read must be the same once it is
// written and read again, and must keep its limits.
#include "inspection/inspection_parts.hpp"

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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FrameReader in(std::as_bytes(std::span(data, size)));
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
