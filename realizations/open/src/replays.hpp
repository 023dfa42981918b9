// Replays by name: "sim:replay=run.db,drop=17"
#pragma once

#include "coracle/recording/replay.hpp"
#include "realizations/net/src/common_settings.hpp"

#include <functional>
#include <string>
#include <vector>

namespace coracle {

struct ReplaySettings {
  std::string file;
  std::vector<std::function<void(recording::Replay&)>> changes;

  void apply(recording::Replay& replay) const {
    for (const auto& change : changes) change(replay);
  }
};

bool is_replay(const settings::RealizationText& text);

// `text` has no settings in common with other realizations any more.
ReplaySettings replay_from(const settings::RealizationText& text);

}  // namespace coracle
