#include "coracle/realizations/open.hpp"

#include "coracle/realizations/central.hpp"
#include "coracle/realizations/distributed.hpp"
#include "coracle/realizations/local.hpp"
#include "coracle/realizations/sim.hpp"
#include "coracle/recording/recorder.hpp"
#include "realizations/net/src/common_settings.hpp"

#include <cstdlib>
#include <string>
#include <utility>

namespace coracle {

namespace {

// The error shows only how `text` begins: there may be a key in it, in any mistyped form.
[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  const std::string scheme(text.substr(0, text.find(':')));
  throw Error(Errc::bad_realization,
              "cannot open " +
                  (scheme.size() < text.size() ? net::shown_setting(scheme + ":...") : "this") +
                  ": " + why);
}

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
  if (whole.empty()) {
    const char* const environment = std::getenv("CORACLE_REALIZATION");
    whole = environment != nullptr && *environment != '\0' ? environment : "local:";
  }
  if (whole.find(':') == whole.npos)
    refuse(whole, "a realization begins with its scheme and a colon, such as local:");
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
    refuse(whole, error.sentence());
  }
}

}  // namespace coracle
