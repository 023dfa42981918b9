// Translates a scanf-like format into a regular expression.
#pragma once

#include <string>
#include <string_view>

namespace coracle::detail {

// An RE2 expression for the whole text, with one group for each conversion that is not suppressed.
// Fails with Errc::bad_pattern. Pattern::format describes the conversions.
std::string regex_of_format(std::string_view format);

}  // namespace coracle::detail
