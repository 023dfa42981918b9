#include "step_parts.hpp"

#include "coracle/support/core_frames.hpp"
#include "runtime/groups/pattern_fields.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace coracle::detail {

namespace {

std::uint32_t read_held_number(FrameReader& in) {
  return static_cast<std::uint32_t>(in.number_up_to(~std::uint32_t{0}));
}

Name read_held_name(FrameReader& in) {
  Result<Name> name = Name::parse(in.text());
  if (!name) return in.fail(), Name();
  return *std::move(name);
}

void write_held(FrameWriter& out, const HeldMessage& held) {
  out.number(held.number);
  out.byte(held.kind == MessageKind::request ? 1 : 0);
  out.number(held.conversation);
  out.text(held.source.view());
  out.text(held.target.view());
  out.number(held.size);
  out.text(std::string_view(held.text).substr(0, StepLimits::text));
}

HeldMessage read_held(FrameReader& in) {
  HeldMessage held;
  held.number = read_held_number(in);
  const std::uint8_t kind = in.byte();
  if (kind > 1) in.fail();
  held.kind = kind == 1 ? MessageKind::request : MessageKind::plain;
  held.conversation = in.number();
  held.source = read_held_name(in);
  held.target = read_held_name(in);
  held.size = in.number();
  const std::string_view text = in.text();
  if (text.size() > StepLimits::text) in.fail();
  if (in.ok()) held.text = text;
  return held;
}

}  // namespace

void write_step(FrameWriter& out, const StepRequest& request) {
  out.number(request.token);
  out.number(request.hold);
  out.byte(static_cast<std::uint8_t>(request.ask));
  if (request.ask == StepAsk::hold) {
    out.number(request.options.messages);
    out.number(request.options.bytes);
    write_pattern(out, request.pattern);
  } else if (request.ask == StepAsk::release) {
    out.byte(request.to_end ? 1 : 0);
    out.number(request.numbers.size());
    for (const std::uint32_t number : request.numbers) out.number(number);
  }
}

StepRequest read_step(FrameReader& in) {
  StepRequest request;
  request.token = in.number();
  request.hold = in.number();
  const std::uint8_t ask = in.byte();
  if (!in.ok() || ask > static_cast<std::uint8_t>(StepAsk::end)) return in.fail(), request;
  request.ask = static_cast<StepAsk>(ask);
  if (request.ask == StepAsk::hold) {
    request.options.messages = static_cast<std::uint32_t>(in.number_up_to(StepLimits::messages));
    request.options.bytes = in.number_up_to(StepLimits::bytes);
    if (in.ok()) request.pattern = read_pattern(in);
  } else if (request.ask == StepAsk::release) {
    const std::uint8_t to_end = in.byte();
    if (to_end > 1) in.fail();
    request.to_end = to_end == 1;
    for (std::uint64_t left = in.number_up_to(StepLimits::shown); left != 0 && in.ok(); --left)
      request.numbers.push_back(read_held_number(in));
  }
  if (!in.at_end()) in.fail();
  return request;
}

void write_stepped(FrameWriter& out, const StepReply& reply) {
  const HoldState& held = reply.held;
  out.number(reply.token);
  out.byte(static_cast<std::uint8_t>(reply.how));
  for (const std::uint64_t number :
       {reply.released, held.count, held.let_go, held.agents, held.refused})
    out.number(number);
  const std::size_t shown = std::min(held.oldest.size(), StepLimits::shown);
  out.number(shown);
  for (std::size_t index = 0; index < shown; ++index) write_held(out, held.oldest[index]);
}

StepReply read_stepped(FrameReader& in) {
  StepReply reply;
  reply.token = in.number();
  const std::uint8_t how = in.byte();
  if (how > static_cast<std::uint8_t>(Stepped::busy)) return in.fail(), reply;
  reply.how = static_cast<Stepped>(how);
  reply.released = in.number();
  reply.held.count = in.number();
  reply.held.let_go = in.number();
  reply.held.agents = in.number();
  reply.held.refused = in.number();
  for (std::uint64_t left = in.number_up_to(StepLimits::shown); left != 0 && in.ok(); --left)
    reply.held.oldest.push_back(read_held(in));
  if (!in.at_end()) in.fail();
  return reply;
}

void add_held(HoldState& all, HoldState part, std::uint64_t lease) {
  for (HeldMessage& each : part.oldest) each.node = lease;
  std::move(part.oldest.begin(), part.oldest.end(), std::back_inserter(all.oldest));
  all.count += part.count;
  all.let_go += part.let_go;
  all.agents += part.agents;
  all.refused += part.refused;
}

}  // namespace coracle::detail
