// The library's lines in a program's own log. Only for programs that have spdlog: they link it.
#pragma once

#include "coracle/log.hpp"

#include <spdlog/spdlog.h>

#include <memory>
#include <string_view>
#include <utility>

namespace coracle {

// From now on gives all lines to `logger`, which has levels of its own as well.
inline void log_to(std::shared_ptr<spdlog::logger> logger) {
  set_log_sink([logger = std::move(logger)](const LogLine& line) {
    constexpr spdlog::level::level_enum levels[] = {spdlog::level::trace, spdlog::level::debug,
                                                    spdlog::level::info,  spdlog::level::warn,
                                                    spdlog::level::err,   spdlog::level::off};
    logger->log(levels[static_cast<std::size_t>(line.level)], "coracle {}: {}",
                std::string_view(line.part), std::string_view(line.text));
  });
}

}  // namespace coracle
