// The files of bench/report, which draw the page of figures; made part of the program by CMake, so
// that it needs no folder of its own when it is installed.
#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace coracle::bench {

// Name and text of each.
extern const std::array<std::pair<std::string_view, std::string_view>, 6> report_scripts;

}  // namespace coracle::bench
