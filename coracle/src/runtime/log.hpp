// The few lines that a node says to its operator.
#pragma once

#include <string>

namespace coracle::detail {

// What may deceive is escaped.
void log_warning(const std::string& line) noexcept;

}  // namespace coracle::detail
