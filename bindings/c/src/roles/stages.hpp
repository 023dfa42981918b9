// Stages of pipelines whose functions are the program's.
#pragma once

#include "agents/acting.hpp"

#include "coracle.h"
#include "coracle/dispel/pipeline.hpp"

namespace coracle::c {

// Returns what makes the stages of a kind. Fails for a stage that is more than one of source,
// filter and sink, or whose functions are missing. Each stage shares `context`.
dispel::Pipeline::Factory factory_of(const coracle_part& stage, const SharedContextPtr& context);

}  // namespace coracle::c
