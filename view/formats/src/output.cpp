#include "output.hpp"

#include "coracle/support/content_text.hpp"
#include "coracle/support/quote.hpp"

#include <fmt/format.h>

namespace coracle::formats {

namespace {

// The largest content that is decoded to show a part of it.
constexpr std::size_t most_decoded = 4096;

}  // namespace

std::string cut(std::string text, std::size_t longest) {
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  text.resize(end);
  return text + "...";
}

std::uint64_t nanoseconds(const Story& story, Time at) noexcept {
  return at <= story.begin ? 0 : static_cast<std::uint64_t>((at - story.begin).count());
}

std::string summary(const StoryMessage& message, std::size_t longest) {
  const std::string type = detail::shown(message.type);
  if (!message.is_encoded) return cut("(" + type + ")", longest);
  if (detail::is_text(message.type) && message.content.size() > most_decoded)
    return cut(detail::shown(message.content.substr(0, most_decoded)), longest);
  if (message.content.size() > most_decoded)
    return cut(fmt::format("({}) {} bytes", type, message.content.size()), longest);
  return cut(detail::content_text(message.type, std::as_bytes(std::span(message.content))),
             longest);
}

std::string gap_text(const StoryGap& gap) {
  if (gap.missed == MessageView::unknown_gap) return "missed some messages";
  return fmt::format("missed {} messages", gap.missed);
}

bool has_trace(const StoryMessage& message) noexcept {
  return (message.trace.trace_high != 0 || message.trace.trace_low != 0) && message.trace.span != 0;
}

std::string outcome_text(const StoryMessage& message) {
  if (!message.outcome) return "under way";
  std::string text = to_string(*message.outcome);
  if (message.reason) text += std::string(", ") + to_string(*message.reason);
  return text;
}

}  // namespace coracle::formats
