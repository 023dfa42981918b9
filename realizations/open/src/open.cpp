#include "coracle/realizations/open.hpp"

#include "coracle/realizations/central.hpp"
#include "coracle/realizations/distributed.hpp"
#include "coracle/realizations/local.hpp"
#include "coracle/realizations/sim.hpp"
#include "coracle/recording/recorder.hpp"
#include "realizations/net/src/common_settings.hpp"
#include "realizations/net/src/shown_setting.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

namespace coracle {

namespace {

using net::take_setting;

// The error shows only how `text` begins: there may be a key in it, in any mistyped form.
[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  const std::string scheme(text.substr(0, text.find(':')));
  throw Error(Errc::bad_realization,
              "cannot open " +
                  (scheme.size() < text.size() ? net::shown_setting(scheme + ":...") : "this") +
                  ": " + why);
}

// `text` for a reader who wants to know which realization it is.
std::string without_keys(std::string_view text) {
  std::string shown;
  bool is_key = false;
  while (!text.empty()) {
    std::size_t end = std::min(text.find_first_of(",&?", 1), text.size());
    const std::string_view item = text.substr(0, end);
    const std::size_t begin = item.find_first_not_of(",&?");
    const std::string_view named = begin == item.npos ? "" : item.substr(begin);
    const bool begins_key = named.starts_with("key=") || named.starts_with("distributed:key=");
    is_key = begins_key || (is_key && named.find('=') == named.npos);
    if (begins_key) shown += item.substr(0, item.find('=') + 1);
    if (begins_key) shown += "***";
    if (!is_key) shown += item;
    text.remove_prefix(end);
  }
  return shown;
}

std::size_t number(std::string_view text, std::string_view key, std::string_view digits) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || value == 0) {
    refuse(text, std::string(key) + " needs a number above 0, not " + net::shown_setting(digits));
  }
  return value;
}

// The file of "record=FILE"; empty: the text has no such key.
std::string take_record(std::string_view text, std::string& rest) {
  const std::optional<std::string> file = take_setting("record", rest);
  if (file && file->empty()) refuse(text, "record needs the name of a file, as in record=run.db");
  return file.value_or("");
}

// A number, 0 if there is none, and the text behind it.
struct Amount {
  std::int64_t number = 0;
  std::string_view unit;
};

Amount amount_of(std::string_view said) {
  Amount amount;
  const char* const last = said.data() + said.size();
  const char* const end = std::from_chars(said.data(), last, amount.number).ptr;
  amount.unit = {end, static_cast<std::size_t>(last - end)};
  return amount;
}

// The time that workers look for work, by "spin=50us", "spin=0" or "spin=auto".
std::optional<Duration> take_spin(std::string_view text, std::string& rest) {
  const std::string said = take_setting("spin", rest).value_or("auto");
  if (said == "auto") return std::nullopt;
  if (said == "0") return Duration::zero();
  constexpr std::int64_t longest = 1'000'000;
  const auto [value, unit] = amount_of(said);
  if (value <= 0 || value > longest || (unit != "us" && unit != "ms"))
    refuse(text, "spin is auto, 0, or a time such as 50us or 1ms, not " + net::shown_setting(said));
  if (unit == "us") return std::chrono::microseconds(value);
  return std::chrono::milliseconds(value);
}

// The time that a starting node waits for an answer, by "connect_time=500ms" or "connect_time=5s".
std::optional<Duration> take_connect_time(std::string_view text, std::string& rest) {
  const std::optional<std::string> said = take_setting("connect_time", rest);
  if (!said) return std::nullopt;
  constexpr std::int64_t longest = 24 * 3600 * 1000;
  const auto [value, unit] = amount_of(*said);
  const std::int64_t scale = unit == "s" ? 1000 : unit == "ms" ? 1 : 0;
  if (scale == 0 || value <= 0 || value > longest / scale)
    refuse(text, "connect_time is a time from 1ms to 86400s, such as 500ms or 5s, not " +
                     net::shown_setting(*said));
  return std::chrono::milliseconds(value * scale);
}

// The limit of "content_limit=64MiB", in bytes when there is no unit.
std::optional<std::size_t> take_content_limit(std::string_view text, std::string& rest) {
  const std::optional<std::string> said = take_setting("content_limit", rest);
  if (!said) return std::nullopt;
  const auto [value, unit] = amount_of(*said);
  const int shift = unit.empty() ? 0 : unit == "KiB" ? 10 : unit == "MiB" ? 20 : 30;
  const bool is_unit = unit.empty() || unit == "KiB" || unit == "MiB" || unit == "GiB";
  if (!is_unit || value <= 0 || static_cast<std::size_t>(value) > max_content_bytes >> shift)
    refuse(text, "content_limit is a size from 1 to 1GiB, such as 64MiB or 500KiB, not " +
                     net::shown_setting(*said));
  return static_cast<std::size_t>(value) << shift;
}

// "names=1000,watches=10"
local::Options local_options(std::string_view text, std::string_view rest) {
  local::Options options;
  while (!rest.empty()) {
    const std::string_view item = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), item.size() + 1));
    const std::size_t equals = item.find('=');
    const std::string_view key = item.substr(0, equals);
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : item.substr(equals + 1);
    if (key == "names") {
      options.directory.names = number(text, key, value);
    } else if (key == "watches") {
      options.directory.watches = number(text, key, value);
    } else {
      refuse(text,
             "local: does not know the setting " + net::shown_setting(key) +
                 "; it knows names=N, watches=N, spin=TIME, content_limit=SIZE, connect_time=TIME "
                 "and record=FILE");
    }
  }
  return options;
}

sim::Options sim_options(std::string_view text, std::string_view rest) {
  try {
    return sim::options_from(rest);
  } catch (const Error& error) {
    refuse(text, error.sentence());
  }
}

Realization central_realization(std::string_view text, std::string_view scheme,
                                std::string_view rest) {
  try {
    return central::realization(
        central::options_from(std::string(scheme) + ":" + std::string(rest)));
  } catch (const Error& error) {
    if (error.errc() != Errc::bad_realization) throw;
    refuse(text, error.sentence());
  }
}

Realization distributed_realization(std::string_view text, std::string_view rest) {
  try {
    return distributed::realization(distributed::options_from(rest));
  } catch (const Error& error) {
    if (error.errc() != Errc::bad_realization) throw;
    refuse(text, error.sentence());
  }
}

}  // namespace

Realization open(std::string_view text) {
  if (text.empty()) {
    const char* const environment = std::getenv("CORACLE_REALIZATION");
    text = environment != nullptr && *environment != '\0' ? environment : "local:";
  }
  const std::size_t colon = text.find(':');
  const std::string_view scheme = text.substr(0, colon);
  if (colon == std::string_view::npos) {
    refuse(text, "a realization begins with its scheme and a colon, such as local:");
  }
  std::string rest(text.substr(colon + 1));
  const std::string file = take_record(text, rest);
  const std::optional<Duration> spin = take_spin(text, rest);
  const std::optional<std::size_t> content_limit = take_content_limit(text, rest);
  const std::optional<Duration> connect_time = take_connect_time(text, rest);
  Realization made;
  if (scheme == "local") {
    const local::Options options = local_options(text, rest);
    made = local::realization(options);
    made.name = "local:" + rest;
    if (!file.empty()) made = recording::Recorder(file).record(std::move(made));
  } else if (scheme == "sim") {
    const sim::Options options = sim_options(text, rest);
    made = file.empty() ? sim::realization(options)
                        : recording::Recorder(file).world(options).realization();
  } else if (scheme == "distributed") {
    made = distributed_realization(text, rest);
    if (!file.empty()) made = recording::Recorder(file).record(std::move(made));
  } else if (scheme.starts_with("central")) {
    made = central_realization(text, scheme, rest);
    if (!file.empty()) made = recording::Recorder(file).record(std::move(made));
  } else {
    refuse(text, "there is no realization " + net::shown_setting(std::string(scheme) + ":") +
                     "; there are: local:, central:, distributed:, sim:");
  }
  made.name = without_keys(text);
  made.spin = spin;
  made.content_limit = content_limit;
  made.connect_time = connect_time;
  return made;
}

}  // namespace coracle
