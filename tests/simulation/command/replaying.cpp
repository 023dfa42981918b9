#include "replaying.hpp"

#include "subjects.hpp"

#include "coracle/recording/recorder.hpp"
#include "coracle/recording/replay.hpp"

#include <fmt/format.h>

#include <charconv>

namespace coracle::conformance {

namespace {

using recording::Recording;
using recording::Replay;
using recording::Replayed;

[[noreturn]] void refuse(const std::string& option, const std::string& text) {
  throw Error(Errc::bad_options, option + " needs the number of a message, = and " +
                                     (option == "--delay" ? "a time in us, ms or s, as in 7=5ms"
                                                          : "a text, as in 7=hello") +
                                     "; not '" + text + "'");
}

// Parses an option such as "7=…".
std::pair<std::uint64_t, std::string> split(const std::string& option, const std::string& text) {
  std::uint64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || end == text.data() + text.size() || *end != '=') {
    refuse(option, text);
  }
  return {id, std::string(end + 1, text.data() + text.size())};
}

Duration span_of(const std::string& text) {
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const std::string unit(end, text.data() + text.size());
  constexpr std::int64_t most = 1'000'000'000;
  if (error == std::errc() && count >= 0 && count <= most) {
    if (unit == "us") return std::chrono::microseconds(count);
    if (unit == "ms") return std::chrono::milliseconds(count);
    if (unit == "s") return std::chrono::seconds(count);
  }
  refuse("--delay", text);
}

const std::string& note(const Recording& recording, const char* key) {
  const auto found = recording.notes().find(key);
  if (found != recording.notes().end()) return found->second;
  throw Error(Errc::unsupported,
              "this command replays what `--seed N --record FILE` recorded; a "
              "program's own recording is replayed by that program, with "
              "recording::Replay");
}

// Returns 4 when the recording is not complete.
int list(const Recording& recording) {
  for (const recording::Said& said : recording.messages()) {
    fmt::print("{}\n", to_string(said));
  }
  if (recording.complete()) return 0;
  fmt::print(stderr, "{}\n", recording.cut_off());
  return 4;
}

}  // namespace

Run run_recorded(const sim::Options& options, Size size, const std::string& realization,
                 const std::string& file) {
  recording::RecorderOptions settings;
  settings.notes = {{"simulate.realization", realization},
                    {"simulate.size", size == Size::small ? "small" : "standard"}};
  recording::Recorder recorder(file, settings);
  sim::Options of_nodes = options;
  of_nodes.nodes = hosts_of(realization);
  sim::World world = recorder.world(of_nodes);
  Run run = run_in(world, of_nodes, size, {}, realization);
  recorder.close();
  return run;
}

ReplayCommand::ReplayCommand(CLI::App& app) {
  CLI::App* const command = app.add_subcommand(
      "replay", "Plays a recording of a seed again, exactly or with some messages changed");
  command->add_option("file", wishes_->file, "the recording")->required();
  command->add_option("--until", wishes_->until, "stop when the message of that number was sent");
  command->add_option("--drop", wishes_->drops, "lose this message")->allow_extra_args(false);
  command->add_option("--delay", wishes_->delays, "have it come later: ID=TIME, as in 7=5ms")
      ->allow_extra_args(false);
  command->add_option("--change", wishes_->changes, "have it say something else: ID=TEXT")
      ->allow_extra_args(false);
  command->add_flag("--list", wishes_->list, "only list the messages and their numbers");
  command->add_flag("--trace", wishes_->trace, "show the trace");
  command_ = command;
}

bool ReplayCommand::wanted() const { return command_->parsed(); }

int ReplayCommand::run() const {
  const Recording recording = Recording::load(wishes_->file);
  if (wishes_->list) return list(recording);
  const std::string& realization = note(recording, "simulate.realization");
  const Size size = note(recording, "simulate.size") == "small" ? Size::small : Size::standard;
  Replay replay(recording);
  for (const std::uint64_t id : wishes_->drops) replay.drop(id);
  for (const std::string& text : wishes_->delays) {
    const auto [id, time] = split("--delay", text);
    replay.delay(id, span_of(time));
  }
  for (const std::string& text : wishes_->changes) {
    const auto [id, content] = split("--change", text);
    replay.change(id, content);
  }
  if (wishes_->until != 0) replay.until(wishes_->until);
  if (wishes_->trace) replay.traced();
  Run run;
  const Replayed again = replay.run(
      [&](sim::World& world) { run = run_in(world, recording.world(), size, {}, realization); });
  fmt::print("{}", again.trace);
  if (again.stopped) {
    fmt::print("stopped at {}\nat {} ns;{}\n", to_string(recording.message(wishes_->until)),
               again.at.time_since_epoch().count(), again.waits);
  }
  const bool exact = wishes_->drops.empty() && wishes_->delays.empty() && wishes_->changes.empty();
  if (again.difference) {
    fmt::print("{}: {}\n", exact ? "it differs" : "from here on it differs",
               again.difference->to_string());
  }
  const std::string wrong = again.stopped ? std::string() : run.wrong;
  fmt::print("seed {}, {} messages, trace {:016x}: {}\n", recording.world().seed, again.messages,
             again.trace_hash, wrong.empty() ? "all is well" : wrong);
  return (exact && again.difference) || !wrong.empty() ? 1 : 0;
}

}  // namespace coracle::conformance
