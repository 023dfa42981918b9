// The conversations that clients can read.
#include "server/looking.hpp"
#include "server/state.hpp"

#include "coracle/errors.hpp"
#include "coracle/overhearing.hpp"
#include "coracle/pattern.hpp"
#include "coracle/support/content_text.hpp"
#include "coracle/support/glob.hpp"
#include "coracle/support/quote.hpp"
#include "coracle/web/json_reader.hpp"

#include <charconv>
#include <span>
#include <utility>

namespace coracle::mcp {

namespace {

constexpr std::size_t longest_content = 4000, most_conversations = 100;

// Copies that wait for the gateway, and those of a second; more are counted, and left out.
constexpr TapOptions tap_options{.limit = 4096, .rate = 2000};

std::string text_of(const Content& content) {
  if (content.bytes().size() <= longest_content)
    return coracle::detail::content_text(content.type(), content.bytes());
  const std::string size = std::to_string(content.bytes().size()) + " bytes";
  if (!coracle::detail::is_text(content.type()))
    return "(" + coracle::detail::shown(content.type()) + ") " + size;
  const std::string_view begun = content.text().substr(0, longest_content);
  return coracle::detail::shown(begun) + " ... (" + size + ")";
}

double seconds_between(Time from, Time to) {
  return std::chrono::duration<double>(to - from).count();
}

Json summary_of(const Transcript& transcript, Time now) {
  Json agents = Json(Json::Array()), made;
  std::set<Name> names;
  for (const TranscriptLine& each : transcript.lines) names.insert({each.from, each.to});
  for (const Name& each : names) agents.push(each.view());
  return made.set("conversation", std::to_string(transcript.number))
      .set("agents", std::move(agents))
      .set("messages", transcript.lines.size() + transcript.forgotten)
      .set("seconds_ago", seconds_between(transcript.lines.back().at, now));
}

}  // namespace

std::optional<Conversation> conversation_in(std::string_view text) noexcept {
  Conversation number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) return std::nullopt;
  return number;
}

Task<> GatewayState::overhear(Agent& me) {
  std::string names = "(?:" + coracle::detail::expression_of(options_.name) + ")";
  for (const std::string& each : options_.overheard)
    names += "|(?:" + coracle::detail::expression_of(each) + ")";
  Pattern pattern;
  pattern.source(names).target(names);
  co_await me.overhear(pattern, tap_options);
}

void GatewayState::record(const Message& copy, Time now) {
  if (copy.gap() != 0) {
    transcripts_.miss(copy.gap() == MessageView::unknown_gap ? 1 : copy.gap());
    return;
  }
  const Name from = copy.source().name(), to = copy.target();
  const Name& own = port_->self().name();
  const bool is_own = from == own || to == own;
  if (copy.conversation() == 0 || !(from == own || roster_.may_show(from)) ||
      !(to == own || roster_.may_show(to)))
    return;
  transcripts_.add(copy.conversation(), is_own,
                   {now, from, to, copied_kind(copy), text_of(copy.content())});
}

Json GatewayState::conversations_json(const std::string& caller, const Name& agent,
                                      std::size_t most, Time now) const {
  Json all = Json(Json::Array()), result;
  for (const Transcript* const each : transcripts_.latest(caller, agent, most))
    all.push(summary_of(*each, now));
  return result.set("conversations", std::move(all)).set("missed", transcripts_.missed());
}

std::optional<Json> GatewayState::transcript_json(Conversation number, const std::string& caller,
                                                  Time now) const {
  const Transcript* const found = transcripts_.find(number, caller);
  if (found == nullptr || found->lines.empty()) return std::nullopt;
  Json messages = Json(Json::Array());
  for (const TranscriptLine& each : found->lines) {
    Json line;
    line.set("seconds_ago", seconds_between(each.at, now))
        .set("from", each.from.view())
        .set("to", each.to.view());
    if (each.kind != MessageKind::plain) line.set("kind", to_string(each.kind));
    messages.push(line.set("text", each.text));
  }
  Json result = summary_of(*found, now);
  if (found->forgotten != 0) result.set("forgotten", found->forgotten);
  return result.set("transcript", std::move(messages));
}

Json GatewayState::trace(const web::JsonReader& arguments, const std::string& caller,
                         Time now) const {
  if (const auto wanted = arguments.find("conversation")) {
    const auto number = conversation_in(wanted->text());
    auto found = number ? transcript_json(*number, caller, now) : std::nullopt;
    if (!found) wanted->fail("is none that you can see; society_trace without it lists them");
    return *std::move(found);
  }
  const Name agent = arguments.find("agent") ? visible(arguments) : Name();
  std::size_t most = most_conversations;
  if (const auto limit = arguments.find("limit"))
    most = static_cast<std::size_t>(limit->whole(1, most_conversations));
  return conversations_json(caller, agent, most, now);
}

}  // namespace coracle::mcp
