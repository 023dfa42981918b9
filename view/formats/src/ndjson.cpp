#include "coracle/support/content_text.hpp"
#include "coracle/support/quote.hpp"
#include "coracle/traceparent.hpp"
#include "output.hpp"

#include <fmt/format.h>

#include <iterator>

namespace coracle::formats {

namespace {

// One object of JSON, member by member.
class Object {
 public:
  Object& text(std::string_view key, std::string_view value) {
    begin(key);
    quote(value);
    return *this;
  }
  Object& number(std::string_view key, std::uint64_t value) {
    return plain(key, fmt::format("{}", value));
  }
  Object& truth(std::string_view key) { return plain(key, "true"); }
  // A time in seconds; nothing if there is none.
  Object& time(std::string_view key, const Story& story, Time at) {
    if (at == never) return *this;
    const auto since = at - story.begin;
    const auto count = since.count() < 0 ? -since.count() : since.count();
    return plain(key, fmt::format("{}{}.{:09}", since.count() < 0 ? "-" : "", count / 1'000'000'000,
                                  count % 1'000'000'000));
  }
  // A value that is JSON.
  Object& plain(std::string_view key, std::string_view json) {
    begin(key);
    line_ += json;
    return *this;
  }
  // A line with the object. Characters that could deceive a reader are escaped.
  std::string line() const { return detail::shown_json(line_ + "}") + "\n"; }
  std::string value() const { return line_ + "}"; }

 private:
  void begin(std::string_view key) {
    line_ += line_.size() > 1 ? "," : "";
    quote(key);
    line_ += ':';
  }
  void quote(std::string_view text) {
    line_ += '"';
    for (const char each : text) {
      const auto byte = static_cast<unsigned char>(each);
      if (each == '"' || each == '\\') line_ += '\\';
      if (byte < 0x20) fmt::format_to(std::back_inserter(line_), "\\u{:04x}", byte);
      else line_ += each;
    }
    line_ += '"';
  }

  std::string line_ = "{";
};

std::string array(const std::vector<std::string>& values) {
  return fmt::format("[{}]", fmt::join(values, ","));
}

void add_content(Object& line, const StoryMessage& message) {
  using Form = detail::DecodedContent::Form;
  if (!message.is_encoded) {
    line.text("type", detail::shown(message.type)).truth("not_encoded");
    return;
  }
  const auto bytes = std::as_bytes(std::span(message.content));
  const auto [form, value] = detail::decoded_content(message.type, bytes);
  if (form != Form::text) line.text("type", detail::shown(message.type));
  line.text(form == Form::text ? "text" : form == Form::meaning ? "content" : "hex", value);
}

std::string line_of(const Story& story, const StoryMessage& message) {
  Object line;
  line.number("message", message.id).time("at", story, message.sent);
  line.text("from", message.source.view()).text("to", message.target.view());
  if (!message.group.empty()) line.text("group", message.group.view());
  line.number("conversation", message.conversation);
  if (message.kind != Kind::plain) line.text("kind", to_string(message.kind));
  if (message.answers != 0) line.number("answers", message.answers);
  if (message.source_node != message.target_node)
    line.number("from_node", message.source_node).number("to_node", message.target_node);
  line.time("kept", story, message.kept).time("taken", story, message.taken);
  line.time("ended", story, message.ended);
  if (message.outcome) line.text("outcome", to_string(*message.outcome));
  if (message.reason) line.text("reason", to_string(*message.reason));
  if (message.handed_out > 1) line.number("handed_out", message.handed_out);
  if (message.redelivered) line.truth("redelivered");
  if (message.earlier) line.truth("earlier");
  if (message.from_elsewhere) line.truth("from_elsewhere");
  if (!message.reply_to.empty()) line.text("reply_to", message.reply_to.view());
  line.time("expires", story, message.deadline);
  if (has_trace(message)) line.text("traceparent", to_traceparent(message.trace));
  std::vector<std::string> headers;
  for (const auto& [name, value] : message.headers)
    headers.push_back(Object().text("name", name).text("value", value).value());
  if (!headers.empty()) line.plain("headers", array(headers));
  add_content(line, message);
  return line.line();
}

std::string line_of(const Story& story, const StoryLife& life) {
  Object line;
  line.text("agent", life.agent.view()).number("incarnation", life.life.counter);
  line.number("node", life.node);
  line.time("began", story, life.began).time("ended", story, life.ended);
  if (life.reason) line.text("reason", to_string(*life.reason));
  if (!life.text.empty()) line.text("error", life.text);
  std::vector<std::string> groups;
  for (const StoryLife::Stay& each : life.groups) {
    Object stay;
    stay.text("group", each.group.view());
    stay.time("joined", story, each.joined).time("left", story, each.left);
    groups.push_back(stay.value());
  }
  if (!groups.empty()) line.plain("groups", array(groups));
  return line.line();
}

std::string line_of(const Story& story, const StoryGap& gap) {
  Object line;
  line.time("at", story, gap.at).text("hearer", gap.hearer.view());
  if (gap.missed == MessageView::unknown_gap) line.plain("missed", "null");
  else line.number("missed", gap.missed);
  return line.line();
}

}  // namespace

Written write_ndjson(const Story& story, const Sink& sink) {
  Output out(sink);
  for (const StoryMessage& each : story.messages) out << line_of(story, each);
  for (const StoryLife& each : story.lives) out << line_of(story, each);
  for (const StoryGap& each : story.gaps) out << line_of(story, each);
  out.finish();
  return {story.messages.size(), 0};
}

}  // namespace coracle::formats
