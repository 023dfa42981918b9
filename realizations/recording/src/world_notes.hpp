// The settings of a World that make its runs what they are, as notes of a recording.
#pragma once

#include "coracle/realizations/sim.hpp"

#include <map>
#include <optional>
#include <string>

namespace coracle::recording {

std::map<std::string, std::string> notes_of(const sim::Options& options);
// Nothing when the notes speak of no world.
std::optional<sim::Options> world_of(const std::map<std::string, std::string>& notes);

}  // namespace coracle::recording
