#include "trace.hpp"

namespace coracle::conformance {

const char* to_string(Event::Kind kind) noexcept {
  static constexpr const char* names[] = {
      "making",      "sending", "sent",    "failed",    "received",    "acknowledged", "gave_back",
      "heard",       "gap",     "joining", "joined",    "leaving",     "ear_opening",  "ear_opened",
      "ear_closing", "asked",   "outcome", "addressed", "dead_letter", "drained"};
  return names[static_cast<std::size_t>(kind)];
}

std::string to_string(const Event& event) {
  std::string line = to_string(event.kind);
  const auto add = [&](const char* key, const std::string& value) {
    line += std::string(" ") + key + "=" + value;
  };
  if (event.id != 0) add("id", std::to_string(event.id));
  if (!event.name.empty()) add("name", event.name);
  for (const std::string& target : event.targets) add(event.to_group ? "group" : "to", target);
  if (event.answers != 0) add("answers", std::to_string(event.answers));
  if (event.conversation != 0) add("conversation", std::to_string(event.conversation));
  if (event.request) line += " request";
  if (event.may_expire) line += " may_expire";
  if (event.tracked) line += " tracked";
  if (event.redelivered) line += " redelivered";
  if (!event.wanted.from.empty()) add("wanted_from", event.wanted.from);
  if (event.wanted.conversation != 0)
    add("wanted_conversation", std::to_string(event.wanted.conversation));
  if (event.wanted.parity >= 0) add("wanted_parity", std::to_string(event.wanted.parity));
  if (!event.hearing.source.empty()) add("of", event.hearing.source);
  if (!event.hearing.target.empty()) add("towards", event.hearing.target);
  if (event.hearing.last_digit >= 0) add("digit", std::to_string(event.hearing.last_digit));
  if (event.tap != 0) add("tap", std::to_string(event.tap));
  if (event.count != 0) add("count", std::to_string(event.count));
  if (event.errc != Errc{}) add("error", make_error_code(event.errc).message());
  if (event.reply != 0) add("reply", std::to_string(event.reply));
  if (event.kind == Event::Kind::outcome) add("outcome", coracle::to_string(event.outcome));
  if (event.kind == Event::Kind::making) add("life", std::to_string(event.life));
  return line;
}

std::string Trace::to_string() const {
  static constexpr const char* ends[] = {"stopped", "crashed", "fenced", "crashed or fenced",
                                         "lost with its node"};
  std::string text;
  for (std::size_t life = 0; life < logs.size(); ++life) {
    text += "life " + std::to_string(life) + " of " + logs[life].agent + " (" +
            ends[static_cast<std::size_t>(logs[life].end)] +
            (logs[life].node_lost ? ", on a node that lost its power" : "") +
            (logs[life].takes_large ? "" : ", which takes small messages only") + ")\n";
    for (const Event& event : logs[life].events)
      text += "  " + conformance::to_string(event) + "\n";
  }
  for (const auto& [name, count] : undelivered)
    text += "undelivered to " + name + ": " + std::to_string(count) + "\n";
  return text + "ledger: " + ledger.to_string() + "\n";
}

}  // namespace coracle::conformance
