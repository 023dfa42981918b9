// The story of a recording.
// Tests: view/formats/tests/story_test.cpp
#pragma once

#include "coracle/formats/story.hpp"

#include "coracle/recording/recording.hpp"

namespace coracle::formats {

// Joins the messages of a recording with their events. A message that the recording has twice, as
// its sender's node and its target's node saw it, is there once. The story refers to the texts of
// `recording`, which must outlive it.
Story story_of(const recording::Recording& recording, const Selection& selection = {});

}  // namespace coracle::formats
