#include "coracle/realizations/play.hpp"

#include "coracle/errors.hpp"
#include "coracle/recording/recorder.hpp"
#include "naming.hpp"
#include "replays.hpp"

#include <utility>

namespace coracle {

namespace {

void play_recorded(const sim::World::Play& society, const sim::Options& options,
                   const std::string& file) {
  recording::Recorder recorder(file);
  {
    sim::World world = recorder.world(options);
    society(world);
  }
  recorder.close();
}

void play_again(const sim::World::Play& society, const ReplaySettings& settings,
                const std::string& file) {
  const auto recording = recording::Recording::load(settings.file);
  recording::Replay replay(recording);
  settings.apply(replay);
  const recording::Replayed again = file.empty() ? replay.run(society) : replay.run(society, file);
  if (!again.failure.empty()) throw Error(Errc::agent_failed, again.failure);
}

}  // namespace

void play(const sim::World::Play& society, std::string_view whole) {
  whole = name_or(whole, "sim:");
  settings::RealizationText text(whole);
  try {
    if (text.scheme != "sim")
      throw Error(Errc::bad_realization, "this program plays in the simulator; give sim:");
    const std::string file = text.take("record").value_or("");
    if (is_replay(text)) return play_again(society, replay_from(text), file);
    const sim::Options options = sim::options_from(text.behind_scheme());
    if (!file.empty()) return play_recorded(society, options, file);
    sim::World world(options);
    society(world);
  } catch (const Error& error) {
    if (error.errc() != Errc::bad_realization) throw;
    refuse_name(whole, error.sentence());
  }
}

}  // namespace coracle
