// coracle trace: one conversation as a time-line, as it happens or from a recording.
#include "commands.hpp"
#include "content_json.hpp"
#include "coracle/support/content_text.hpp"
#include "errand.hpp"
#include "following.hpp"

#ifdef CORACLE_HAS_VIEW
#include "coracle/formats/story_of.hpp"
#endif

#include <fmt/format.h>
#include <boost/json.hpp>

#include <chrono>
#include <string>

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

int trace_recording([[maybe_unused]] const TraceSettings& settings) {
#ifdef CORACLE_HAS_VIEW
  const recording::Recording recording = recording::Recording::load(settings.recording);
  formats::Selection chosen;
  if (settings.conversation != 0) chosen.conversation = settings.conversation;
  const formats::Story story = formats::story_of(recording, chosen);
  for (const formats::StoryMessage& each : story.messages) {
    Step step{seconds(each.sent - story.messages.front().sent),
              each.source.str(),
              each.target.str(),
              std::string(each.type),
              std::string(each.content),
              each.kind == formats::Kind::plain ? "" : to_string(each.kind),
              each.conversation};
    if (each.outcome)
      step.what += std::string(step.what.empty() ? "" : ", ") + to_string(*each.outcome);
    print_step(settings.place, step);
  }
  if (!recording.complete()) fmt::print(stderr, "coracle: {}\n", recording.cut_off());
  if (!story.messages.empty()) return recording.complete() ? done : cut_off;
  fmt::print(stderr,
             "coracle: that conversation has no messages; without a number, all are "
             "shown, with --json also their numbers\n");
  return failed;
#else
  throw Error(Errc::unsupported,
              "this build does not read recordings; build with -DCORACLE_BUILD_VIEW=ON");
#endif
}

}  // namespace

int run_trace(const TraceSettings& settings) {
  if (!settings.recording.empty()) return trace_recording(settings);
  std::optional<Time> begin;
  std::uint64_t got = 0;
  const auto see = [&](const Message& message) {
    if (message.gap() != 0) return print_gap(message), true;
    const Time now = steady_clock().now();
    if (!begin) begin = now;
    print_step(settings.place, {seconds(now - *begin), message.source().name().str(),
                                message.target().str(), std::string(message.content().type()),
                                std::string(message.text()), "", message.conversation()});
    return ++got != settings.count;
  };
  MessageChoice choice;
  choice.conversation = settings.conversation;
  do_as(settings.place, settings.as, [&](Agent& me) -> Task<> {
    Task<> following = follow(me, choice, {}, see);
    co_await following;
  });
  return done;
}

}  // namespace coracle::command
