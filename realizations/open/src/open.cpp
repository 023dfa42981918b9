#include "coracle/realizations/open.hpp"

#include "coracle/realizations/central.hpp"
#include "coracle/realizations/distributed.hpp"
#include "coracle/realizations/local.hpp"
#include "coracle/realizations/sim.hpp"
#include "coracle/recording/recorder.hpp"
#include "naming.hpp"
#include "realizations/net/src/common_settings.hpp"
#include "replays.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace coracle {

namespace {

// Hides the keys of `text`, for a reader who wants to know which realization it is.
std::string without_keys(settings::RealizationText text) {
  bool is_key = false;
  std::erase_if(text.items, [&is_key](settings::RealizationText::Item& item) {
    const bool begins_key = item.text.starts_with("key=");
    if (begins_key) item.text = "key=***";
    is_key = begins_key || (is_key && item.text.find('=') == item.text.npos);
    return is_key && !begins_key;
  });
  return std::string(text.scheme) + ":" + text.behind_scheme();
}

// A limit of the directory: a number above 0.
void read(std::size_t& limit, const settings::Given& given) {
  const auto value = settings::whole(given.value, 1, ~std::size_t{0});
  if (!value) given.refuse("needs a number above 0", given.value);
  limit = *value;
}

constexpr settings::Setting<DirectoryLimits> limits[] = {
    {"names=N", [](DirectoryLimits& to, const settings::Given& given) { read(to.names, given); }},
    {"watches=N",
     [](DirectoryLimits& to, const settings::Given& given) { read(to.watches, given); }},
};

// "names=1000,watches=10"
local::Options local_options(const settings::RealizationText& text) {
  local::Options options;
  for (const settings::Given& given : text.settings())
    if (!take(options.directory, given, limits))
      given.refuse_unknown("local", forms_of(limits, settings::common_settings));
  return options;
}

Realization replayed(const ReplaySettings& settings, const std::string& file) {
  return recording::Replay::realization(
      std::make_shared<const recording::Recording>(recording::Recording::load(settings.file)),
      [&](recording::Replay& replay) { settings.apply(replay); }, file);
}

// `text` has no settings in common with other realizations any more.
Realization made_from(const settings::RealizationText& text,
                      const settings::CommonSettings& common) {
  const bool only_marked = !common.record_marked.empty();
  const std::string& file = only_marked ? common.record_marked : common.record;
  const auto recorder = [&] {
    recording::RecorderOptions options;
    options.only_marked = only_marked;
    return recording::Recorder(file, std::move(options));
  };
  const std::string rest = text.behind_scheme();
  Realization made;
  if (text.scheme == "local") {
    made = local::realization(local_options(text));
    made.name = "local:" + rest;
  } else if (text.scheme == "sim" && is_replay(text)) {
    if (only_marked)
      throw Error(Errc::bad_realization,
                  "a replay records all messages, so record_marked=FILE cannot be beside "
                  "replay=FILE; write record=FILE");
    return replayed(replay_from(text), file);
  } else if (text.scheme == "sim") {
    const sim::Options options = sim::options_from(rest);
    return file.empty() ? sim::realization(options) : recorder().world(options).realization();
  } else if (text.scheme == "distributed") {
    made = distributed::realization(distributed::options_from(rest));
  } else if (text.scheme.starts_with("central")) {
    made = central::realization(central::options_from(std::string(text.scheme) + ":" + rest));
  } else {
    throw Error(Errc::bad_realization, "there is no realization " +
                                           net::shown_setting(std::string(text.scheme) + ":") +
                                           "; there are: local:, central:, distributed:, sim:");
  }
  return file.empty() ? made : recorder().record(std::move(made));
}

}  // namespace

Realization open(std::string_view whole) {
  whole = name_or(whole, "local:");
  settings::RealizationText text(whole);
  const std::string name = without_keys(text);
  try {
    const settings::CommonSettings common = take_common(text);
    Realization made = made_from(text, common);
    made.name = name;
    made.spin = common.spin;
    made.content_limit = common.content_limit;
    made.connect_time = common.connect_time;
    return made;
  } catch (const Error& error) {
    if (error.errc() != Errc::bad_realization) throw;
    refuse_name(whole, error.sentence());
  }
}

}  // namespace coracle
