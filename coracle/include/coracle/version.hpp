// The version of the library against which a program was compiled. CMake reads the numbers from
// here.
#pragma once

#include <string_view>

namespace coracle {

// Raised when source code that used the library has to change.
inline constexpr int version_major = 0;
// Raised when something was added.
inline constexpr int version_minor = 1;
// Raised when something was corrected.
inline constexpr int version_patch = 0;

// The three numbers as text, for logs and for the greeting between nodes.
inline constexpr std::string_view version = "0.1.0";

}  // namespace coracle
