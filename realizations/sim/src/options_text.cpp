// "seed=42,workers=2,nodes=3,delay=1ms..20ms"
#include "coracle/realizations/sim.hpp"

#include "realizations/net/src/shown_setting.hpp"

#include <algorithm>
#include <charconv>

namespace coracle::sim {

namespace {

[[noreturn]] void refuse(std::string_view key, const std::string& why) {
  throw Error(Errc::bad_realization, "sim: the setting " + net::shown_setting(key) + " " + why);
}

std::uint64_t number(std::string_view key, std::string_view digits, std::uint64_t least,
                     std::uint64_t most) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  if (whole && value >= least && value <= most) return value;
  refuse(key, "needs a number from " + std::to_string(least) + " to " + std::to_string(most) +
                  ", not " + net::shown_setting(digits));
}

Duration span(std::string_view key, std::string_view text) {
  const std::string said(text);
  if (text.starts_with('-'))
    refuse(key, "is negative: " + net::shown_setting(said) + "; give 0us or more");
  const std::size_t letters = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view unit = text.substr(letters);
  const auto count = [&](std::uint64_t most) {
    return static_cast<std::int64_t>(number(key, text.substr(0, letters), 0, most));
  };
  if (unit == "ns") return std::chrono::nanoseconds(count(1'000'000'000'000));
  if (unit == "us") return std::chrono::microseconds(count(1'000'000'000));
  if (unit == "ms") return std::chrono::milliseconds(count(1'000'000));
  if (unit == "s") return std::chrono::seconds(count(1'000));
  refuse(key, "needs a time such as 500ns, 1us, 20ms or 1s, not " + net::shown_setting(said));
}

// "1ms..20ms", or one time for both.
void range(std::string_view key, std::string_view text, Duration& least, Duration& most) {
  const std::size_t dots = std::min(text.find(".."), text.size());
  least = span(key, text.substr(0, dots));
  most = dots == text.size() ? least : span(key, text.substr(dots + 2));
  if (most < least) refuse(key, "has its ends in the wrong order; write the shorter time first");
}

// Reads a setting of the disks; returns false when the key belongs to something else.
bool set(DiskOptions& disk, std::string_view key, std::string_view value) {
  const auto percent = [&] { return static_cast<unsigned>(number(key, value, 0, 100)); };
  if (key == "disk") disk.capacity = number(key, value, 0, ~std::uint64_t{0});
  else if (key == "sync") range(key, value, disk.sync_least, disk.sync_most);
  else if (key == "full") disk.full = percent();
  else if (key == "failed_syncs") disk.failed_syncs = percent();
  else if (key == "failed_reads") disk.failed_reads = percent();
  else return false;
  return true;
}

void set(Options& options, std::string_view key, std::string_view value) {
  if (set(options.disk, key, value)) return;
  if (key == "seed") {
    options.seed = number(key, value, 0, ~std::uint64_t{0});
  } else if (key == "workers") {
    options.workers = static_cast<unsigned>(number(key, value, 1, 256));
  } else if (key == "nodes") {
    options.nodes = static_cast<unsigned>(number(key, value, 1, 256));
  } else if (key == "delay") {
    range(key, value, options.delay_least, options.delay_most);
  } else if (key == "bandwidth") {
    options.bandwidth = number(key, value, 0, ~std::uint64_t{0});
  } else if (key == "turn") {
    options.turn = span(key, value);
  } else if (key == "slow") {
    options.slow = number(key, value, 0, 1) == 1;
  } else if (key == "names") {
    options.directory.names = number(key, value, 1, 67'108'863);
  } else if (key == "watches") {
    options.directory.watches = number(key, value, 1, ~std::uint32_t{0});
  } else {
    refuse(key,
           "is unknown; there are seed=N, workers=N, nodes=N, delay=TIME..TIME, "
           "bandwidth=N, turn=TIME, slow=0 or 1, disk=BYTES, sync=TIME..TIME, "
           "full=PERCENT, failed_syncs=PERCENT, failed_reads=PERCENT, names=N, watches=N "
           "and record=FILE");
  }
}

}  // namespace

Options options_from(std::string_view text) {
  Options options;
  options.seed = seed_from_environment(options.seed);
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    const std::size_t equals = item.find('=');
    const bool has_value = equals != std::string_view::npos;
    set(options, item.substr(0, equals), has_value ? item.substr(equals + 1) : "");
  }
  return options;
}

}  // namespace coracle::sim
