#include "runtime/log.hpp"

#include "quote.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace coracle::detail {

void log_warning(const std::string& line) noexcept try {
  static auto& logger = *[] {  // outlives what other statics hold, such as a node
    auto* const made =
        new spdlog::logger("coracle", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    made->set_pattern("%Y-%m-%d %H:%M:%S.%e %n %l: %v");
    return made;
  }();
  logger.warn("{}", shown(line));
} catch (...) {
  // A line that cannot be written must not end whoever wanted to say it.
}

}  // namespace coracle::detail
