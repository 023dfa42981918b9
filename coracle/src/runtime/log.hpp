// The few lines that a node says to its operator.
#pragma once

#include <string>

namespace coracle::detail {

void log_warning(const std::string& line) noexcept;

}  // namespace coracle::detail
