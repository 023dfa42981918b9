// coracle export: a recording, a society that runs, or its counts, in the format of another tool.
#include "commands.hpp"
#include "coracle/support/quote.hpp"
#include "following.hpp"
#include "view/counts.hpp"
#include "view/destination.hpp"
#include "view/live_export.hpp"
#include "view/post.hpp"

#include "coracle/errors.hpp"
#include "coracle/formats/story_of.hpp"

#include <fmt/format.h>

#include <sys/stat.h>
#include <unistd.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace coracle::command {

namespace {

using formats::Sink;
using formats::Story;
using formats::Written;

formats::Selection selection_of(const ExportSettings& settings) {
  formats::Selection selection;
  selection.names = settings.names;
  selection.types = settings.types;
  check_patterns(selection.names);
  check_patterns(selection.types);
  if (settings.conversation != 0) selection.conversation = settings.conversation;
  const auto seconds = [](double count) {
    return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(count));
  };
  selection.from = seconds(settings.from);
  if (settings.until >= 0) selection.until = seconds(settings.until);
  return selection;
}

// A recording has no times of the calendar: its file was written for the last time at its end.
std::uint64_t began(const ExportSettings& settings, const Story& story) {
  constexpr std::uint64_t billion = 1'000'000'000;
  if (settings.began != 0) return settings.began * billion;
  struct stat file {};
  if (::stat(settings.recording.c_str(), &file) != 0 || file.st_mtim.tv_sec < 0) return 0;
  const std::uint64_t end = static_cast<std::uint64_t>(file.st_mtim.tv_sec) * billion +
                            static_cast<std::uint64_t>(file.st_mtim.tv_nsec);
  const auto span = static_cast<std::uint64_t>((story.end - story.begin).count());
  return end > span ? end - span : 0;
}

int export_recording(const ExportSettings& settings) {
  const recording::Recording recording = recording::Recording::load(settings.recording);
  const Story story = story_of(recording, selection_of(settings));
  Written written;
  if (!settings.to.empty()) {
    Collector collector(settings.to);
    written = write_story(settings, story, began(settings, story),
                          [&](std::string_view part) { collector.post(part); });
  } else {
    Destination out(settings.output);
    written = write_story(settings, story, began(settings, story),
                          [&](std::string_view part) { out.write(part); });
    out.flush();
  }
  report_left_out(written, story.messages.size());
  if (story.messages.empty() && story.not_selected != 0)
    fmt::print(stderr, "coracle: none of the {} messages fits what was asked for\n",
               story.not_selected);
  if (recording.complete()) return done;
  fmt::print(stderr, "coracle: {}\n", recording.cut_off());
  return cut_off;
}

}  // namespace

int run_export(const ExportSettings& settings) {
  const bool counts = settings.format == "prometheus";
  if (counts && !settings.recording.empty())
    throw Error(Errc::bad_options,
                "the format prometheus has the counts of a running society, and a recording has "
                "none; give --realization, or another format");
  const bool is_live = !counts && settings.recording.empty();
  const bool has_society =
      !settings.place.realization.empty() || std::getenv("CORACLE_REALIZATION") != nullptr;
  if (is_live && !has_society)
    throw Error(Errc::bad_options,
                "the format " + settings.format +
                    " shows a recording or a running society; give --recording or --realization");
  if (is_live && (settings.from != 0 || settings.until >= 0 || settings.began != 0))
    throw Error(Errc::bad_options,
                "--from, --until and --began choose a part of a recording; for a running society, "
                "give --seconds or --count");
  if (!settings.to.empty() && settings.format != "otlp")
    throw Error(Errc::bad_options, "only the format otlp can be sent --to a collector");
  const bool is_binary = settings.format == "perfetto" || settings.format == "otlp";
  if (is_binary && settings.output.empty() && settings.to.empty() && ::isatty(STDOUT_FILENO) == 1)
    throw Error(Errc::bad_options,
                "the format " + settings.format + " is not for terminals; give --output FILE");
  if (is_live) return export_live(settings);
  if (!counts) return export_recording(settings);
  Destination out(settings.output);
  write_counts(settings.place, [&](std::string_view part) { out.write(part); });
  out.flush();
  return done;
}

}  // namespace coracle::command
