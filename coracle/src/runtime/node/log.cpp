#include "coracle/support/log.hpp"

#include "coracle/errors.hpp"
#include "coracle/log_spdlog.hpp"
#include "coracle/support/quote.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <utility>

namespace coracle {

namespace {

using detail::log_levels;
using detail::log_parts;

constexpr std::array<std::string_view, 6> level_names = {"trace",   "debug", "info",
                                                         "warning", "error", "off"};
constexpr std::array<std::string_view, log_parts> part_names = {"node",  "link",   "directory",
                                                                "store", "beacon", "gateway"};

using Sink = std::function<void(const LogLine&)>;

// Outlives the objects that other statics hold, such as a node.
struct Place {
  std::mutex mutex;  // held while a line is written
  Sink sink;
};
Place& place() {
  static Place* const made = new Place;
  return *made;
}

void to_standard_error(const LogLine& line) {
  static auto& logger = *[] {
    auto* const made =
        new spdlog::logger("coracle", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    made->set_pattern("%Y-%m-%d %H:%M:%S.%e %n %l: %v");
    made->set_level(spdlog::level::trace);
    return made;
  }();
  logger.log(detail::spdlog_level(line.level), "{}", line.text);
}

template <std::size_t size>
std::size_t index_of(const std::array<std::string_view, size>& names, std::string_view name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

[[noreturn]] void refuse(std::string_view item) {
  throw Error(Errc::bad_options,
              "there is no log level " + detail::quoted(item) +
                  "; give a level (trace, debug, info, warning, error, off), or PART=LEVEL for "
                  "node, link, directory, store, beacon or gateway, with commas between them");
}

// Applies an item such as "debug" or "link=trace", which sets the level of all parts, or of one.
void apply(std::string_view item, std::array<LogLevel, log_parts>& levels) {
  const std::size_t equals = item.find('=');
  const std::size_t level =
      index_of(level_names, equals == item.npos ? item : item.substr(equals + 1));
  if (level == level_names.size()) refuse(item);
  if (equals == item.npos) return levels.fill(static_cast<LogLevel>(level));
  const std::size_t part = index_of(part_names, item.substr(0, equals));
  if (part == part_names.size()) refuse(item);
  levels[part] = static_cast<LogLevel>(level);
}

// This runs before any line can be logged.
[[maybe_unused]] const bool is_set_by_environment = [] {
  const char* const said = std::getenv("CORACLE_LOG");
  if (said == nullptr || *said == '\0') return false;
  try {
    set_log(said);
  } catch (const Error& error) {
    detail::log_warning("CORACLE_LOG is ignored: " + error.sentence());
  }
  return true;
}();

}  // namespace

namespace detail {

constinit std::array<std::atomic<LogLevel>, log_parts> log_levels = {
    LogLevel::warning, LogLevel::warning, LogLevel::warning,
    LogLevel::warning, LogLevel::warning, LogLevel::warning};

void log(LogLevel level, LogPart part, const std::string& line) noexcept try {
  if (!is_logged(level, part)) return;
  const std::string text = shown(line);
  const std::lock_guard lock(place().mutex);
  const LogLine said{level, part_names[static_cast<std::size_t>(part)], text};
  place().sink ? place().sink(said) : to_standard_error(said);
} catch (...) {
  // A line that cannot be written must not end the code that logs it.
}

}  // namespace detail

void set_log(std::string_view text) {
  std::array<LogLevel, log_parts> levels;
  for (std::size_t part = 0; part < log_parts; ++part) levels[part] = log_levels[part].load();
  for (bool is_last = false; !is_last;) {
    const std::size_t comma = text.find(',');
    is_last = comma == text.npos;
    apply(text.substr(0, comma), levels);
    if (!is_last) text.remove_prefix(comma + 1);
  }
  for (std::size_t part = 0; part < log_parts; ++part) log_levels[part].store(levels[part]);
}

void set_log_sink(std::function<void(const LogLine&)> sink) {
  const std::lock_guard lock(place().mutex);
  place().sink = std::move(sink);
}

std::string_view to_string(LogLevel level) noexcept {
  return level_names[static_cast<std::size_t>(level)];
}

}  // namespace coracle
