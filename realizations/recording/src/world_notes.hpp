// The settings of a World that determine its runs, as notes of a recording.
#pragma once

#include "coracle/realizations/sim.hpp"

#include <map>
#include <optional>
#include <string>

namespace coracle::recording {

std::map<std::string, std::string> notes_of(const sim::Options& options);
// Returns nothing when the notes describe no world.
std::optional<sim::Options> world_of(const std::map<std::string, std::string>& notes);

}  // namespace coracle::recording
