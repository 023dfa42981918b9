// The difference between the messages of two runs. Pure. Tests: view/live/tests/difference_test.cpp
#pragma once

#include "coracle/formats/story.hpp"

#include <cstddef>
#include <vector>

namespace coracle::view {

// A message of the first run beside that of the second run; one of them may be missing.
struct ComparedLine {
  const formats::StoryMessage* before = nullptr;
  const formats::StoryMessage* after = nullptr;

  // Returns whether it is the same message with the same outcome, whatever its times.
  bool is_same() const noexcept;
};

// Compares two stories, which outlive the result. Messages with the same sender, target, kind, type
// and content are paired in their order; the longest row of pairs that is in the order of both
// stories is kept, and each other message has a line of its own. Takes n log n steps.
std::vector<ComparedLine> compare(const formats::Story& before, const formats::Story& after);

// The lines that differ, with `around` lines beside each, but at most `most`.
std::vector<ComparedLine> with_neighbours(const std::vector<ComparedLine>& lines,
                                          std::size_t around, std::size_t most);

}  // namespace coracle::view
