#include "coracle/support/directory_fields.hpp"

#include "coracle/support/core_frames.hpp"

#include <bit>
#include <utility>

namespace coracle::detail {

namespace {

enum ValueKind : std::uint8_t { no_truth, truth, whole, real, words };

void write(FrameWriter& out, const Value& value) {
  if (const bool* const is = std::get_if<bool>(&value)) return out.byte(*is ? truth : no_truth);
  if (const auto* const number = std::get_if<std::int64_t>(&value)) {
    out.byte(whole);
    return out.number(static_cast<std::uint64_t>(*number));
  }
  if (const auto* const number = std::get_if<double>(&value)) {
    out.byte(real);
    return out.number(std::bit_cast<std::uint64_t>(*number));
  }
  out.byte(words);
  out.text(std::get<std::string>(value));
}

Value read_value(FrameReader& in) {
  switch (in.byte()) {
    case no_truth:
      return false;
    case truth:
      return true;
    case whole:
      return static_cast<std::int64_t>(in.number());
    case real:
      return std::bit_cast<double>(in.number());
    case words:
      return std::string(in.text());
    default:
      in.fail();
      return false;
  }
}

template <class Enum>
Enum read_enum(FrameReader& in, Enum last) {
  const std::uint8_t value = in.byte();
  if (value > static_cast<std::uint8_t>(last)) in.fail();
  return static_cast<Enum>(value);
}

}  // namespace

void write(FrameWriter& out, const Properties& properties) {
  out.number(properties.all().size());
  for (const auto& [key, value] : properties.all()) {
    out.text(key);
    write(out, value);
  }
}

void write(FrameWriter& out, const MailboxOptions& mailbox) {
  write_mailbox(out, mailbox);
  out.text(mailbox.redirect().view());
}

void write(FrameWriter& out, Incarnation life) { out.number(number_of_life(life)); }

void write(FrameWriter& out, const Ending& ending) {
  out.text(ending.name.view());
  write(out, ending.incarnation);
  out.byte(static_cast<std::uint8_t>(ending.reason));
  out.text(ending.text);
}

void write(FrameWriter& out, const Claim& claim) {
  write(out, claim.name);
  out.number(claim.lease);
  write(out, claim.properties);
  write(out, claim.mailbox);
  write(out, claim.earlier);
}

Name read_name(FrameReader& in) {
  const std::string_view text = in.text();
  if (text.empty()) return {};
  auto name = Name::parse(text);
  if (name) return *std::move(name);
  in.fail();
  return {};
}

Properties read_properties(FrameReader& in) {
  Properties properties;
  for (std::uint64_t left = in.number_up_to(max_properties); left > 0 && in.ok(); --left) {
    const std::string_view key = in.text();
    properties.set(key, read_value(in));
  }
  return properties;
}

MailboxOptions read_mailbox_options(FrameReader& in) {
  MailboxOptions mailbox = read_mailbox(in);
  const Name redirect = read_name(in);
  if (!redirect.empty()) mailbox.redirect_to(redirect);
  return mailbox;
}

Ending read_ending(FrameReader& in) {
  Ending ending;
  ending.name = read_name(in);
  ending.incarnation = read_life(in);
  ending.reason = read_enum(in, EndReason::fenced);
  ending.text = in.text();
  return ending;
}

Claim read_claim(FrameReader& in) {
  Name name = read_name(in);
  Claim claim(std::move(name), in.number());
  claim.properties = read_properties(in);
  claim.mailbox = read_mailbox_options(in);
  claim.earlier = read_life(in);
  return claim;
}

}  // namespace coracle::detail
