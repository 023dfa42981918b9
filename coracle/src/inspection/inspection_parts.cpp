#include "inspection_parts.hpp"

#include "coracle/support/core_frames.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace coracle::detail {

namespace {

using Limits = InspectionLimits;

enum WaitBit : std::uint8_t { tests_bit = 1, at_least_bit = 2, all_wait_bits = 3 };

std::uint16_t flags_of(const WaitingMessage& message) noexcept {
  unsigned flags = message.is_again ? unsigned{redelivered_flag} : 0u;
  switch (message.kind) {
    case MessageKind::plain:
      break;
    case MessageKind::request:
      flags |= request_flag;
      break;
    case MessageKind::failure:
      flags |= reply_flag | failure_flag;
      break;
    case MessageKind::reply:
      flags |= reply_flag;
      break;
  }
  return static_cast<std::uint16_t>(flags);
}

void write_message(FrameWriter& out, const WaitingMessage& message) {
  out.number(flags_of(message));
  out.number(message.conversation);
  out.text(message.source);
  out.number(message.size);
  out.text(message.text);
}

WaitingMessage read_message(FrameReader& in) {
  WaitingMessage message;
  const std::uint64_t flags = in.number_up_to(travelling_flags);
  message.kind = kind_of(flags);
  message.is_again = (flags & redelivered_flag) != 0;
  message.conversation = in.number();
  message.source = in.text();
  message.size = in.number();
  message.text = in.text();
  return message;
}

// A span of time is written as its nanoseconds plus one; zero is none.
void write_span(FrameWriter& out, std::optional<Duration> span) {
  out.number(span ? static_cast<std::uint64_t>(std::max(*span, Duration::zero()).count()) + 1 : 0);
}

std::optional<Duration> read_span(FrameReader& in) {
  const std::uint64_t number = in.number_up_to(std::uint64_t{1} << 62);
  if (number == 0) return std::nullopt;
  return Duration(static_cast<Duration::rep>(number - 1));
}

std::uint32_t read_small(FrameReader& in) {
  return static_cast<std::uint32_t>(in.number_up_to(~std::uint32_t{0}));
}

std::string read_short_text(FrameReader& in, std::size_t most) {
  const std::string_view text = in.text();
  if (text.size() > most) in.fail();
  return std::string(in.ok() ? text : std::string_view());
}

// Reads a name, which may be empty.
Name read_optional_name(FrameReader& in) {
  const std::string_view text = in.text();
  if (text.empty()) return {};
  Result<Name> name = Name::parse(text);
  if (!name) return in.fail(), Name();
  return *std::move(name);
}

template <class Value>
Value read_choice(FrameReader& in, Value last) {
  const std::uint8_t value = in.byte();
  if (value > static_cast<std::uint8_t>(last)) in.fail();
  return in.ok() ? static_cast<Value>(value) : Value{};
}

template <class List, class Write>
void write_list(FrameWriter& out, const List& list, std::size_t most, const Write& write) {
  const std::size_t count = std::min(list.size(), most);
  out.number(count);
  for (std::size_t index = 0; index < count; ++index) write(list[index]);
}

template <class List, class Read>
void read_list(FrameReader& in, List& list, std::size_t most, const Read& read) {
  for (std::uint64_t left = in.number_up_to(most); left != 0 && in.ok(); --left)
    list.push_back(read());
}

void write_wait(FrameWriter& out, const Wait& wait) {
  out.byte(static_cast<std::uint8_t>(wait.what));
  out.byte(static_cast<std::uint8_t>((wait.tests_content ? tests_bit : 0) |
                                     (wait.is_at_least ? at_least_bit : 0)));
  out.text(wait.whom.view());
  out.number(wait.conversation);
  write_span(out, wait.since);
  write_span(out, wait.left);
}

Wait read_wait(FrameReader& in) {
  Wait wait;
  wait.what = read_choice(in, WaitFor::computation);
  const std::uint8_t bits = in.byte();
  if (bits > all_wait_bits) in.fail();
  wait.tests_content = (bits & tests_bit) != 0;
  wait.is_at_least = (bits & at_least_bit) != 0;
  wait.whom = read_optional_name(in);
  wait.conversation = in.number();
  wait.since = read_span(in);
  wait.left = read_span(in);
  return wait;
}

void write_agent(FrameWriter& out, const Inspection& part) {
  out.number(part.life.epoch);
  out.number(part.life.counter);
  write_span(out, part.age);
  write_span(out, part.running.ran);
  write_span(out, part.running.measured);
  write_list(out, part.waits, Limits::waits, [&](const Wait& wait) { write_wait(out, wait); });
  for (const std::uint64_t count : {part.requests, part.tasks, part.sent, part.consumed,
                                    part.in_hand, part.queued, part.queued_bytes})
    out.number(count);
  write_mailbox(out, part.mailbox);
  out.text(part.mailbox.redirect().view());
  write_list(out, part.groups, Limits::groups, [&](const Name& name) { out.text(name.view()); });
  write_list(out, part.taps, Limits::taps, [&](const InspectedTap& tap) {
    for (const std::uint64_t number :
         {tap.id, std::uint64_t{tap.limit}, std::uint64_t{tap.queued}, tap.missed})
      out.number(number);
  });
  out.text(part.supervisor.view());
  out.number(part.restarts);
  write_list(out, part.errors, Limits::errors, [&](const InspectedError& error) {
    write_span(out, error.ago);
    out.text(std::string_view(error.text).substr(0, Limits::error_text));
  });
  out.text(std::string_view(part.state).substr(0, Limits::state));
}

void read_agent(FrameReader& in, Inspection& part) {
  part.life.epoch = read_small(in);
  part.life.counter = read_small(in);
  part.age = read_span(in);
  part.running.ran = read_span(in).value_or(Duration::zero());
  part.running.measured = read_span(in).value_or(Duration::zero());
  read_list(in, part.waits, Limits::waits, [&] { return read_wait(in); });
  for (std::uint64_t* const count : {&part.requests, &part.tasks, &part.sent, &part.consumed,
                                     &part.in_hand, &part.queued, &part.queued_bytes})
    *count = in.number();
  part.mailbox = read_mailbox(in);
  if (Name redirect = read_optional_name(in); part.mailbox.overflow() == Overflow::redirect)
    part.mailbox.redirect_to(std::move(redirect));
  read_list(in, part.groups, Limits::groups, [&] { return read_optional_name(in); });
  read_list(in, part.taps, Limits::taps, [&] {
    InspectedTap tap;
    tap.id = in.number();
    tap.limit = read_small(in);
    tap.queued = read_small(in);
    tap.missed = in.number();
    return tap;
  });
  part.supervisor = read_optional_name(in);
  part.restarts = read_small(in);
  read_list(in, part.errors, Limits::errors, [&] {
    const Duration ago = read_span(in).value_or(Duration::zero());
    return InspectedError{ago, read_short_text(in, Limits::error_text)};
  });
  part.state = read_short_text(in, Limits::state);
}

}  // namespace

void write_inspection(FrameWriter& out, const Inspection& part) {
  out.number(part.waiting);
  write_list(out, part.messages, Limits::messages,
             [&](const WaitingMessage& message) { write_message(out, message); });
  out.byte(static_cast<std::uint8_t>(part.activity));
  if (part.activity != Activity::absent) write_agent(out, part);
}

Inspection read_inspection(FrameReader& in) {
  Inspection part;
  part.waiting = in.number();
  read_list(in, part.messages, Limits::messages, [&] { return read_message(in); });
  if (in.at_end()) return part;
  part.activity = read_choice(in, Activity::runs);
  if (part.activity != Activity::absent) read_agent(in, part);
  return part;
}

void add_part(Inspection& all, Inspection part, bool is_holders) {
  std::vector<WaitingMessage> messages = std::move(all.messages);
  std::move(part.messages.begin(), part.messages.end(), std::back_inserter(messages));
  const std::uint64_t waiting = all.waiting + part.waiting;
  if (is_holders && part.activity != Activity::absent) {
    part.name = std::move(all.name);
    part.lease = all.lease;
    part.node = std::move(all.node);
    all = std::move(part);
  }
  all.waiting = waiting;
  all.messages = std::move(messages);
}

}  // namespace coracle::detail

namespace coracle {

std::optional<double> RunTime::share_since(const RunTime& before) const noexcept {
  const bool goes_on = before.measured <= measured && before.ran <= ran;
  const Duration used = goes_on ? ran - before.ran : ran;
  const Duration passed = goes_on ? measured - before.measured : measured;
  if (passed <= Duration::zero()) return std::nullopt;
  using Seconds = std::chrono::duration<double>;
  return std::clamp(Seconds(used) / Seconds(passed), 0.0, 1.0);
}

}  // namespace coracle
