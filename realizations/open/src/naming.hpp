// The names of realizations: where they come from, and how they are refused.
#pragma once

#include <string>
#include <string_view>

namespace coracle {

// Returns `text`; instead of an empty one the environment variable CORACLE_REALIZATION, and
// `otherwise` when that is not set either. Fails with Errc::bad_realization without a scheme.
std::string_view name_or(std::string_view text, const char* otherwise);

// Fails with Errc::bad_realization. The error shows only how `text` begins: there may be a key in
// it, in any mistyped form.
[[noreturn]] void refuse_name(std::string_view text, const std::string& why);

}  // namespace coracle
