// Exports of a society that runs, and the parts that they share with those of recordings.
#pragma once

#include "commands.hpp"

#include "coracle/formats/writers.hpp"

#include <cstddef>
#include <cstdint>

namespace coracle::command {

// Overhears the society, and writes what it has overheard: lines of JSON, and traces for a
// collector, as messages end; other formats at the end.
int export_live(const ExportSettings& settings);

// Writes a story in the format of the settings. `began` is the calendar's time of its beginning, in
// nanoseconds since 1970.
formats::Written write_story(const ExportSettings& settings, const formats::Story& story,
                             std::uint64_t began, const formats::Sink& sink);

// Prints for a person how many messages are left out, if any are.
void report_left_out(const formats::Written& written, std::size_t all);

}  // namespace coracle::command
