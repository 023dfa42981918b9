// The library's log lines in a program's own log. Only for programs that have spdlog: they link it.
#pragma once

#include "coracle/log.hpp"

#include <spdlog/spdlog.h>

#include <cstddef>
#include <memory>
#include <utility>

namespace coracle {

namespace detail {

inline spdlog::level::level_enum spdlog_level(LogLevel level) noexcept {
  constexpr spdlog::level::level_enum levels[] = {spdlog::level::trace, spdlog::level::debug,
                                                  spdlog::level::info,  spdlog::level::warn,
                                                  spdlog::level::err,   spdlog::level::off};
  return levels[static_cast<std::size_t>(level)];
}

}  // namespace detail

// From now on passes all lines to `logger`, which filters them by its own levels as well.
inline void log_to(std::shared_ptr<spdlog::logger> logger) {
  set_log_sink([logger = std::move(logger)](const LogLine& line) {
    logger->log(detail::spdlog_level(line.level), "coracle {}: {}", line.part, line.text);
  });
}

}  // namespace coracle
