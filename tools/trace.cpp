// coracle trace: one conversation as a time-line, as it happens or from a recording.
#include "commands.hpp"
#include "content_json.hpp"
#include "coracle/support/content_text.hpp"
#include "errand.hpp"

#include "coracle/recording/recording.hpp"

#include <fmt/format.h>
#include <boost/json.hpp>

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace coracle::command {

namespace {

namespace json = boost::json;

// A step of the conversation.
struct Step {
  double at = 0;  // seconds since the first
  std::string from, to, type, content, what;
  Conversation conversation = 0;
};

double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

void print_step(const Place& place, const Step& step) {
  const auto bytes = std::as_bytes(std::span(step.content));
  if (place.json) {
    json::object line = {
        {"at", step.at}, {"conversation", step.conversation}, {"from", step.from}, {"to", step.to}};
    add_content(line, step.type, bytes);
    if (!step.what.empty()) line["what"] = step.what;
    return print_json(json::serialize(line));
  }
  const std::string what = step.what.empty() ? "" : "  (" + step.what + ")";
  print_line(fmt::format("{:>9.6f} s  {} -> {}: {}{}", step.at, step.from, step.to,
                         detail::content_text(step.type, bytes), what));
}

std::string kind_of(bool is_request, bool is_reply, bool is_failure) {
  return is_failure ? "failure" : is_reply ? "reply" : is_request ? "request" : "";
}

// The outcomes of the messages of a recording, by their numbers.
std::map<recording::MessageId, std::string> ends_of(const recording::Recording& recording) {
  std::map<recording::MessageId, std::string> ends;
  for (const recording::Happened& each : recording.events()) {
    if (each.message == 0) continue;
    switch (each.what) {
      case Happening::consumed:
        ends[each.message] = "consumed";
        break;
      case Happening::expired:
        ends[each.message] = "expired";
        break;
      case Happening::refused:
        ends[each.message] = "refused";
        break;
      case Happening::undeliverable:
        ends[each.message] = "undeliverable";
        break;
      case Happening::dropped:
        ends[each.message] = "dropped";
        break;
      case Happening::store_lost:
        ends[each.message] = "store lost";
        break;
      default:
        break;
    }
  }
  return ends;
}

int trace_recording(const TraceSettings& settings) {
  const recording::Recording recording = recording::Recording::load(settings.recording);
  const auto ends = ends_of(recording);
  std::optional<Time> begin;
  for (const recording::Said& said : recording.messages()) {
    if (settings.conversation != 0 && said.conversation != settings.conversation) continue;
    if (!begin) begin = said.at;
    Step step{seconds(said.at - *begin),
              said.source.str(),
              said.target.str(),
              said.type,
              said.content,
              kind_of(said.is_request, said.is_reply, said.is_failure),
              said.conversation};
    const auto end = ends.find(said.id);
    if (end != ends.end()) step.what += (step.what.empty() ? "" : ", ") + end->second;
    print_step(settings.place, step);
  }
  if (!recording.complete()) fmt::print(stderr, "coracle: {}\n", recording.cut_off());
  if (begin) return recording.complete() ? done : cut_off;
  fmt::print(stderr,
             "coracle: that conversation has no messages; without a number, all are "
             "shown, with --json also their numbers\n");
  return failed;
}

}  // namespace

int run_trace(const TraceSettings& settings) {
  if (!settings.recording.empty()) return trace_recording(settings);
  do_as(settings.place, settings.as, [&settings](Agent& me) -> Task<> {
    const Tap tap = co_await me.overhear(Pattern());
    Properties shown;
    shown.set("overhears", true);  // from now on it overhears all messages
    co_await me.describe(std::move(shown));
    std::optional<Time> begin;
    for (std::uint64_t got = 0; settings.count == 0 || got < settings.count;) {
      const Message message = co_await me.receive(overheard_by(tap.id));
      if (message.gap() != 0) {
        print_gap(message);
        continue;
      }
      const bool is_asked_for =
          settings.conversation == 0 || message.conversation() == settings.conversation;
      if (!is_asked_for) continue;
      const Time now = steady_clock().now();
      if (!begin) begin = now;
      const Step step{seconds(now - *begin),
                      message.source().name().str(),
                      message.target().str(),
                      std::string(message.content().type()),
                      std::string(message.text()),
                      "",
                      message.conversation()};
      print_step(settings.place, step);
      ++got;
    }
  });
  return done;
}

}  // namespace coracle::command
