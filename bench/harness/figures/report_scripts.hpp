// The files of bench/report, which draw the page of figures. CMake makes them part of the program,
// so an installed program needs no folder of its own.
#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace coracle::bench {

// The name and the text of each file.
extern const std::array<std::pair<std::string_view, std::string_view>, 7> report_scripts;

}  // namespace coracle::bench
