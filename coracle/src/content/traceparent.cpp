#include "coracle/traceparent.hpp"

#include "coracle/errors.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace coracle {

std::string to_traceparent(const TraceContext& trace, bool is_sampled) {
  if ((trace.trace_high == 0 && trace.trace_low == 0) || trace.span == 0)
    throw Error(Errc::bad_options,
                "a traceparent needs the numbers of a trace and a span, which are not zero; give "
                "the message a TraceContext with both");
  return fmt::format("00-{:016x}{:016x}-{:016x}-{:02x}", trace.trace_high, trace.trace_low,
                     trace.span, is_sampled ? 1 : 0);
}

namespace {

// Reads digits in lower case; returns false if there is another character.
bool read(std::string_view digits, std::uint64_t& value) noexcept {
  value = 0;
  for (const char each : digits) {
    const bool is_number = each >= '0' && each <= '9';
    if (!is_number && (each < 'a' || each > 'f')) return false;
    value = value << 4 | static_cast<std::uint64_t>(is_number ? each - '0' : each - 'a' + 10);
  }
  return true;
}

}  // namespace

std::optional<TraceContext> trace_context_in(std::string_view text) noexcept {
  constexpr std::size_t shared = 55;  // 2 + 1 + 32 + 1 + 16 + 1 + 2
  if (text.size() < shared || text[2] != '-' || text[35] != '-' || text[52] != '-') return {};
  std::uint64_t version = 0, flags = 0;
  TraceContext trace;
  const bool is_read = read(text.substr(0, 2), version) &&
                       read(text.substr(3, 16), trace.trace_high) &&
                       read(text.substr(19, 16), trace.trace_low) &&
                       read(text.substr(36, 16), trace.span) && read(text.substr(53, 2), flags);
  if (!is_read || version == 0xff) return {};
  // Later versions may have more, behind another hyphen.
  if (text.size() > shared && (version == 0 || text[shared] != '-')) return {};
  if ((trace.trace_high == 0 && trace.trace_low == 0) || trace.span == 0) return {};
  return trace;
}

}  // namespace coracle
