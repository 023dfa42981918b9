// A page with the figures of a run, for people: one file, no network, no script.
#pragma once

#include "metric.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace coracle::bench {

// Writes index.html and results.jsonl into `folder`, which is made if needed; `command` is the
// command that was run. The page has the papers' figures if there is Python with matplotlib
// (bench/report), and plain bars otherwise. Fails with std::runtime_error when it cannot write.
void write_report(const std::filesystem::path& folder, const std::vector<Record>& records,
                  const std::string& command);

// Writes one JSON line for each record.
void write_json_lines(const std::filesystem::path& file, const std::vector<Record>& records);

}  // namespace coracle::bench
