// The report of a scenario, and its formats: JSON lines for programs, a table for people.
#pragma once

#include "stats.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace coracle::bench {

// The parameters of a measurement, by name.
using Value = std::variant<std::int64_t, double, std::string>;
using Params = std::vector<std::pair<std::string, Value>>;

// One number of a scenario.
struct Metric {
  std::string name;
  std::string unit;
  Params params;
  Summary summary;
  std::vector<std::pair<std::string, double>> more;  // further figures beside the value
  std::string realization = {};  // the measured one, if it is not the scenario's own
};

// A number with its origin.
struct Record {
  std::string scenario;
  std::string realization;
  Metric metric;
};

// One line of JSON, without its end.
std::string to_json_line(const Record& record);

// "pairs=1000 workers=2".
std::string to_string(const Params& params);

// A number in a form for people: 1,234,567 or 98.7.
std::string to_human(double value);

// An aligned table with a head line.
std::string to_table(const std::vector<Record>& records);

}  // namespace coracle::bench
