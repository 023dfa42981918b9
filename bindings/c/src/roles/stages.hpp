// Stages of pipelines whose functions are the program's.
#pragma once

#include "coracle.h"
#include "coracle/dispel/pipeline.hpp"

namespace coracle::c {

// Returns what makes the stages of a kind. Fails for a stage that is more than one of source,
// filter and sink, or whose functions are missing.
dispel::Pipeline::Factory factory_of(const coracle_part& stage);

}  // namespace coracle::c
