#include "view/live_export.hpp"

#include "coracle/support/calendar.hpp"
#include "errand.hpp"
#include "following.hpp"
#include "view/destination.hpp"
#include "view/post.hpp"

#include "coracle/formats/otlp.hpp"
#include "coracle/formats/overheard.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>

namespace coracle::command {

namespace {

using namespace std::chrono_literals;

// Messages that wait for their outcomes, in the formats that are written as messages end.
constexpr std::size_t most_open = 10'000;
constexpr Duration often = 250ms;
// The time for which the outcomes of the last message are waited for.
constexpr Duration patience = 2s;

// Since 1970.
std::uint64_t calendar_nanoseconds() {
  const std::chrono::nanoseconds now = detail::calendar_now().time_since_epoch();
  return static_cast<std::uint64_t>(now.count());
}

class LiveExport {
 public:
  explicit LiveExport(const ExportSettings& settings)
      : settings_(settings),
        streams_(settings.format == "ndjson" || !settings.to.empty()),
        story_(steady_clock().now()),
        began_(calendar_nanoseconds()) {
    if (settings.to.empty()) out_.emplace(settings.output);
    else collector_.emplace(settings.to);
  }

  // Adds a copy, a notice or a gap. Returns false if it was the last one.
  bool see(const Message& message) {
    const bool is_copy = message.gap() == 0 && !message.notice();
    if (is_copy && has_enough()) return true;
    const Time now = steady_clock().now();
    if (!story_.add(message, settings_.as, now)) ++no_room_;
    if (is_copy) last_ = now, ++copies_;
    if (streams_ && story_.waiting() > 2 * most_open) write_ended(now);
    return true;
  }

  // Called a few times in a second. Returns false if nothing more is to come.
  bool tick() {
    const Time now = steady_clock().now();
    const bool is_last = has_enough() && (story_.has_ended() || now - last_ >= patience);
    if (streams_) write_ended(now);
    return !is_last;
  }

  void finish() {
    write(story_.take(steady_clock().now()));
    report_left_out(written_, all_);
    if (no_room_ != 0)
      fmt::print(stderr,
                 "coracle: there was no room for {} messages; choose fewer with --name, --type, "
                 "--conversation, --rate\n",
                 no_room_);
  }

 private:
  bool has_enough() const { return settings_.count != 0 && copies_ >= settings_.count; }

  void write_ended(Time now) {
    const formats::Story ended = story_.take_ended(now, most_open);
    if (!ended.messages.empty() || !ended.gaps.empty()) write(ended);
  }

  void write(const formats::Story& story) {
    const formats::Written written =
        write_story(settings_, story, began_, [this](std::string_view part) {
          if (collector_) collector_->post(part);
          else out_->write(part);
        });
    if (out_) out_->flush();
    written_.messages += written.messages;
    written_.left_out += written.left_out;
    all_ += story.messages.size();
  }

  const ExportSettings& settings_;
  const bool streams_;
  formats::OverheardStory story_;
  const std::uint64_t began_;
  std::optional<Destination> out_;
  std::optional<Collector> collector_;
  Time last_ = {};
  std::uint64_t copies_ = 0, no_room_ = 0;
  formats::Written written_;
  std::size_t all_ = 0;
};

}  // namespace

int export_live(const ExportSettings& settings) {
  LiveExport exporting(settings);
  MessageChoice choice;
  choice.names = settings.names;
  choice.types = settings.types;
  choice.conversation = settings.conversation;
  choice.rate = settings.rate;
  FollowOptions options;
  options.outcomes = true;
  options.limit = 16'384;
  options.every = often;
  options.tick = [&] { return exporting.tick(); };
  if (settings.seconds > 0)
    options.until = Deadline(std::chrono::duration<double>(settings.seconds));
  do_as(settings.place, settings.as, [&](Agent& me) -> Task<> {
    Task<> following =
        follow(me, choice, options, [&](const Message& message) { return exporting.see(message); });
    co_await following;
  });
  exporting.finish();
  return done;
}

formats::Written write_story(const ExportSettings& settings, const formats::Story& story,
                             std::uint64_t began, const formats::Sink& sink) {
  if (settings.format == "ndjson") return write_ndjson(story, sink);
  if (settings.format == "mermaid") return write_mermaid(story, sink);
  if (settings.format == "graphviz") return write_graphviz(story, sink);
  if (settings.format == "perfetto") return write_perfetto(story, sink);
  formats::OtlpOptions options;
  options.service = settings.service;
  options.began = began;
  return write_otlp(story, sink, options);
}

void report_left_out(const formats::Written& written, std::size_t all) {
  if (written.left_out == 0) return;
  fmt::print(stderr,
             "coracle: {} of {} messages are left out, because there is no room for more; choose "
             "fewer with --name, --conversation, --type, --from, --until\n",
             written.left_out, all);
}

}  // namespace coracle::command
