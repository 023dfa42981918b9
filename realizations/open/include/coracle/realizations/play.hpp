// Runs a society of several hosts in a world of the simulator that is opened by its name, so that
// it can be recorded and replayed from outside.
#pragma once

#include "coracle/realizations/sim.hpp"

#include <string_view>

namespace coracle {

// Runs `society` in the world that `text` names, such as "sim:nodes=3,seed=7,record=run.db", or in
// one that makes the choices of a recording: "sim:replay=run.db,drop=17,record=after.db". An empty
// text means the environment variable CORACLE_REALIZATION, and "sim:" when that is not set either.
// The exceptions of `society` go to the caller. Fails with Errc::bad_realization when `text` names
// another realization, or a setting that is none of the world or its record, and as Recorder does.
void play(const sim::World::Play& society, std::string_view text = {});

}  // namespace coracle
